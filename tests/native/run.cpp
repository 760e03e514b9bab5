// Loads and runs programs on a few kernels of its own, as told by lines on standard input, and prints what comes out.
// For tests/native/test_runtime.py.
//
//   load FILE [PTD ...]      the program that is meant from here on
//   method NAME [less=K] [keep] [capacity] [share=K] [stop=N] [temporary=N]
//                            makes it in memory of exactly the bytes it needs; less=0 with one byte fewer for the
//                            method itself, less=K for bank K; share=K uses bank K of the method before
//   tensor I DTYPE SIZES HEX [strides=...] | int I N | double I X | bool I N | none I | string I TEXT    an input
//   output I BYTES           memory for an output
//   run | reset | states | state I|NAME | set I|NAME DTYPE SIZES HEX | steps | inputs
//   batch FILE               many files, each behind its size: a letter for what became of each
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <list>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <executorch/runtime/kernel/kernel_includes.h>

#include "../../native/exec/method.h"

// --- kernels: two as ExecuTorch's sources have them, the others in our words
// ------------------------------------------

namespace custom::native {

using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::runtime::Error;
using executorch::runtime::KernelRuntimeContext;

Tensor& relu_out(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  ET_KERNEL_CHECK_MSG(ctx, resize_tensor(out, in.sizes()) == Error::Ok, InvalidArgument, out,
                      "cannot resize to %d dims", static_cast<int>(in.dim()));
  ET_KERNEL_CHECK(ctx, executorch::runtime::tensors_have_same_dtype(in, out), InvalidArgument, out);
  ET_SWITCH_REAL_TYPES(in.scalar_type(), ctx, "relu.out", CTYPE, [&]() {
    const CTYPE* from = in.const_data_ptr<CTYPE>();
    CTYPE* to = out.mutable_data_ptr<CTYPE>();
    for (ssize_t i = 0; i < in.numel(); ++i) to[i] = from[i] > 0 ? from[i] : CTYPE(0);
  });
  return out;
}

// Without a context, as some are written.
Tensor& clone_out(const Tensor& in, bool, exec_aten::OptionalArrayRef<int64_t>, Tensor& out) {
  if (resize_tensor(out, in.sizes()) == Error::Ok)
    std::memmove(out.mutable_data_ptr(), in.const_data_ptr(), in.nbytes());
  return out;
}

}  // namespace custom::native

namespace {

using namespace tenon;

bool broadcast(Context& cx, const Tensor& a, const Tensor& b, const Tensor& out) {
  SizesType sizes[kTensorDimensionLimit];
  const size_t rank = std::max(a.sizes().size(), b.sizes().size());
  for (size_t d = 0; d < rank; ++d) {
    const auto size = [&](const Tensor& t) {
      return d + t.sizes().size() < rank ? 1 : t.sizes()[d + t.sizes().size() - rank];
    };
    sizes[d] = size(a) == 1 ? size(b) : size(a);
    if (size(b) != 1 && size(b) != sizes[d]) {
      cx.fail(Error::InvalidArgument, "%s and %s do not go together", ShapeText(a.sizes()).text,
              ShapeText(b.sizes()).text);
      return false;
    }
  }
  return resize(cx, out, {sizes, rank});
}

size_t place(const Tensor& t, const size_t* at, size_t rank) {
  size_t index = 0;
  for (size_t d = 0; d < t.sizes().size(); ++d) {
    if (t.sizes()[d] != 1) index += at[d + rank - t.sizes().size()] * static_cast<size_t>(t.strides()[d]);
  }
  return index;
}

template <class Math>
Tensor& binary(Context& cx, const Tensor& a, const Tensor& b, Tensor& out, Math math) {
  if (!broadcast(cx, a, b, out)) return out;
  if (a.scalar_type() != b.scalar_type() || a.scalar_type() != out.scalar_type()) {
    cx.fail(Error::InvalidArgument, "dtypes differ");
    return out;
  }
  dtype_switch<float, double, int64_t, int32_t>(cx, out.scalar_type(), "binary", [&](auto tag) {
    using T = typename decltype(tag)::type;
    size_t at[kTensorDimensionLimit];
    for (ptrdiff_t i = 0; i < out.numel(); ++i) {
      indexToCoordinate(out, static_cast<size_t>(i), at);
      const size_t rank = out.sizes().size();
      out.mutable_data_ptr<T>()[place(out, at, rank)] =
          static_cast<T>(math(a.const_data_ptr<T>()[place(a, at, rank)], b.const_data_ptr<T>()[place(b, at, rank)]));
    }
  });
  return out;
}

Tensor& add_out(Context& cx, const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out) {
  return binary(cx, a, b, out, [&](auto x, auto y) { return x + alpha.to<decltype(y)>() * y; });
}
Tensor& sub_out(Context& cx, const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out) {
  return binary(cx, a, b, out, [&](auto x, auto y) { return x - alpha.to<decltype(y)>() * y; });
}
Tensor& mul_out(Context& cx, const Tensor& a, const Tensor& b, Tensor& out) {
  return binary(cx, a, b, out, [](auto x, auto y) { return x * y; });
}

template <class Compare>
Tensor& compare(Context& cx, const Tensor& a, const Scalar& b, Tensor& out, Compare holds) {
  if (!resize(cx, out, a.sizes()) || out.scalar_type() != ScalarType::Bool) return out;
  dtype_switch<float, int64_t>(cx, a.scalar_type(), "compare", [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (ptrdiff_t i = 0; i < a.numel(); ++i)
      out.mutable_data_ptr<bool>()[i] = holds(a.const_data_ptr<T>()[i], b.to<T>());
  });
  return out;
}
Tensor& lt_out(Context& cx, const Tensor& a, const Scalar& b, Tensor& out) {
  return compare(cx, a, b, out, [](auto x, auto y) { return x < y; });
}
Tensor& gt_out(Context& cx, const Tensor& a, const Scalar& b, Tensor& out) {
  return compare(cx, a, b, out, [](auto x, auto y) { return x > y; });
}

Tensor& full_out(Context& cx, ArrayRef<int64_t> size, const Scalar& value, Tensor& out) {
  if (resize_tensor(out, size) != Error::Ok) cx.fail(Error::InvalidArgument, "the result does not fit");
  dtype_switch<float, int64_t>(cx, out.scalar_type(), "full.out", [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (ptrdiff_t i = 0; i < out.numel(); ++i) out.mutable_data_ptr<T>()[i] = value.to<T>();
  });
  return out;
}

// Of all elements, as the tests need it.
Tensor& sum_out(Context& cx, const Tensor& in, OptionalIntArrayRef, bool, std::optional<ScalarType>, Tensor& out) {
  void* room = cx.temporary(sizeof(double), alignof(double));
  if (!room || out.numel() != 1) return out;
  double& total = *new (room) double(0);
  dtype_switch<float>(cx, in.scalar_type(), "sum.IntList_out", [&](auto) {
    for (ptrdiff_t i = 0; i < in.numel(); ++i) total += static_cast<double>(in.const_data_ptr<float>()[i]);
    if (out.scalar_type() == ScalarType::Float) *out.mutable_data_ptr<float>() = static_cast<float>(total);
  });
  return out;
}

Tensor& copy_(Context& cx, Tensor& self, const Tensor& from, bool) {
  if (self.nbytes() != from.nbytes() || self.sizes() != from.sizes()) {
    cx.fail(Error::InvalidArgument, "%s is copied to %s", ShapeText(from.sizes()).text, ShapeText(self.sizes()).text);
  } else if (self.nbytes()) {
    std::memmove(self.mutable_data_ptr(), from.const_data_ptr(), from.nbytes());
  }
  return self;
}

Tensor& view_copy_out(Context& cx, const Tensor& in, ArrayRef<int64_t> size, Tensor& out) {
  if (resize_tensor(out, size) != Error::Ok || out.nbytes() != in.nbytes()) {
    cx.fail(Error::InvalidArgument, "%s has no such view", ShapeText(in.sizes()).text);
  } else if (in.nbytes()) {
    std::memmove(out.mutable_data_ptr(), in.const_data_ptr(), in.nbytes());
  }
  return out;
}

Tensor& select_out(Context& cx, const Tensor& in, int64_t dim, int64_t index, Tensor& out) {
  if (dim != 0 || in.dim() < 1 || index < 0 || index >= in.size(0) || in.scalar_type() != out.scalar_type()) {
    cx.fail(Error::InvalidArgument, "there is no element %d of dimension %d in %s", static_cast<int>(index),
            static_cast<int>(dim), ShapeText(in.sizes()).text);
    return out;
  }
  if (!resize(cx, out, in.sizes().slice(1))) return out;
  const size_t size = out.nbytes();
  if (size)
    std::memmove(out.mutable_data_ptr(), in.const_data_ptr<uint8_t>() + static_cast<size_t>(index) * size, size);
  return out;
}

constexpr Kernel kernels[] = {
    {"aten::add.out", &boxed<&add_out>},
    {"aten::copy_", &boxed<&copy_>},
    {"aten::full.out", &boxed<&full_out>},
    {"aten::gt.Scalar_out", &boxed<&gt_out>},
    {"aten::lt.Scalar_out", &boxed<&lt_out>},
    {"aten::mul.out", &boxed<&mul_out>},
    {"aten::relu.out", &boxed<&custom::native::relu_out>},
    {"aten::select_copy.int_out", &boxed<&select_out>},
    {"aten::sub.out", &boxed<&sub_out>},
    {"aten::sum.IntList_out", &boxed<&sum_out>},
    {"aten::view_copy.out", &boxed<&view_copy_out>},
    {"dim_order_ops::_clone_dim_order.out", &boxed<&custom::native::clone_out>},
};
KernelTable table{"driver", kernels, true};

// Stands for any operator: reads all it is given, and fills what it returns.
uint64_t seen = 0;
void read_all(const Tensor& t) {
  for (size_t i = 0; i < t.nbytes(); ++i) seen += t.const_data_ptr<uint8_t>()[i];
}
void anything(Context& cx, Span<EValue*> values) {
  if (!values.size()) return;
  for (size_t i = 0; i < values.size(); ++i) {
    switch (values[i]->tag) {
      case Tag::Tensor:
        read_all(take_tensor(cx, values, i));
        break;
      case Tag::ListTensor:
        for (const Tensor& t : take_tensors(cx, values, i)) read_all(t);
        break;
      case Tag::ListOptionalTensor:
        for (const auto& t : take_optional_tensors(cx, values, i))
          if (t) read_all(*t);
        break;
      case Tag::ListInt:
        for (int64_t n : take_ints(cx, values, i)) seen += static_cast<uint64_t>(n);
        break;
      case Tag::ListDouble:
        for (double x : take_doubles(cx, values, i)) seen += x > 0;
        break;
      case Tag::ListBool:
        for (bool b : take_bools(cx, values, i)) seen += b;
        break;
      case Tag::String:
        for (char c : take_string(cx, values, i)) seen += static_cast<uint8_t>(c);
        break;
      default:
        if (values[i]->isScalar()) seen += take_scalar(cx, values, i).to<bool>();
    }
    if (cx.failed()) return;
  }
  const auto fill = [&](const Tensor& t, int step) {
    std::vector<SizesType> sizes(t.sizes().begin(), t.sizes().end());
    for (SizesType& each : sizes) each = each < 1000 ? each + step : each;
    (void)resize_tensor(t, ArrayRef<SizesType>(sizes.data(), sizes.size()));
    if (t.nbytes()) std::memset(t.mutable_data_ptr(), 1, t.nbytes());
  };
  const size_t last = values.size() - 1;
  if (values[last]->isTensor()) {
    const Tensor out = take_out(cx, values, last);
    if (!cx.failed()) fill(out, seen % 3 ? 1 : -1);
  } else if (values[last]->isTensorList()) {
    for (const Tensor& t : take_outs(cx, values, last)) fill(t, 1);
  }
}

// --- memory and files -----------------------------------------------------------------------------------------------

using Buffer = std::shared_ptr<uint8_t>;
Buffer allocated(size_t size) {
  return Buffer(static_cast<uint8_t*>(std::malloc(size)), std::free);
}  // to a multiple of 16
struct File {
  Buffer data;
  size_t size;
};
File read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  File file{allocated(text.size()), text.size()};
  if (file.size) std::memcpy(file.data.get(), text.data(), file.size);
  return file;
}

struct Loaded {
  Method method;
  Buffer room, temporary;
  std::vector<Buffer> banks;
  std::vector<Span<uint8_t>> spans;
  std::unique_ptr<MemoryAllocator> allocator, temp;
  std::unique_ptr<HierarchicalAllocator> planned;
  std::list<Buffer> given;  // inputs and outputs that are used where they lie
  size_t left = 0;
};

struct Wanted {
  int less = -1;
  size_t share = 0;
  size_t temporary = 64;
  const Loaded* before = nullptr;
  LoadOptions options;
};

bool count_down(void* left, const Method&, size_t, size_t, bool is_done) {
  return is_done || (*static_cast<size_t*>(left))-- > 0;
}

Error make(const Program& program, std::string_view name, const Registry& registry, const Wanted& wanted, Loaded& made,
           Message& why) {
  MemoryNeeded needed;
  const Error error = Method::memory_needed(program, name, needed, why);
  if (error != Error::Ok) return error;
  const size_t bytes = needed.method - (wanted.less == 0);
  made.room = allocated(bytes);
  for (size_t k = 1; k <= needed.bank_count(); ++k) {
    const size_t size = needed.bank(k) - (wanted.less == static_cast<int>(k));
    if (size > (1u << 26)) return why.say(Error::OutOfResources, "too much for a test");
    made.banks.push_back(wanted.share == k ? wanted.before->banks[k - 1] : allocated(size));
    if (wanted.share != k) std::memset(made.banks.back().get(), 0, size);
    made.spans.push_back({made.banks.back().get(), size});
  }
  made.temporary = allocated(wanted.temporary);
  made.allocator = std::make_unique<MemoryAllocator>(bytes, made.room.get());
  made.temp = std::make_unique<MemoryAllocator>(wanted.temporary, made.temporary.get());
  made.planned = std::make_unique<HierarchicalAllocator>(Span<Span<uint8_t>>(made.spans.data(), made.spans.size()));
  const MemoryManager memory(made.allocator.get(), made.planned.get(), made.temp.get());
  return Method::load(program, name, memory, registry, made.method, why, wanted.options);
}

// --- text -----------------------------------------------------------------------------------------------------------

std::vector<SizesType> numbers(const std::string& text) {
  std::vector<SizesType> found;
  std::stringstream in(text);
  for (std::string each; std::getline(in, each, ',');) {
    if (each != "-") found.push_back(std::stoi(each));
  }
  return found;
}

struct Given {
  std::vector<SizesType> sizes, strides;
  std::vector<DimOrderType> order;
  Buffer data;
  TensorImpl impl;

  Given(int dtype, const std::string& shape, const std::string& hex, const std::string& steps) : sizes(numbers(shape)) {
    data = allocated(hex.size() / 2);
    for (size_t i = 0; i + 1 < hex.size(); i += 2) {
      data.get()[i / 2] = static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    strides = numbers(steps);
    impl = TensorImpl(static_cast<ScalarType>(dtype), static_cast<ptrdiff_t>(sizes.size()), sizes.data(), data.get(),
                      nullptr, steps.empty() ? nullptr : strides.data());
  }
};

void print(const Tensor& t) {
  std::printf("tensor %d ", static_cast<int>(t.scalar_type()));
  for (size_t d = 0; d < t.sizes().size(); ++d) std::printf("%s%d", d ? "," : "", static_cast<int>(t.sizes()[d]));
  std::printf("%s ", t.sizes().empty() ? "-" : "");
  for (size_t i = 0; i < t.nbytes(); ++i) std::printf("%02x", t.const_data_ptr<uint8_t>()[i]);
  std::puts(t.nbytes() ? "" : "-");
}

void print(const EValue& value) {
  switch (value.tag) {
    case Tag::Tensor:
      print(value.toTensor());
      break;
    case Tag::Int:
      std::printf("int %lld\n", static_cast<long long>(value.toInt()));
      break;
    case Tag::Double:
      std::printf("double %.17g\n", value.toDouble());
      break;
    case Tag::Bool:
      std::printf("bool %d\n", value.toBool());
      break;
    case Tag::String:
      std::printf("string %.*s\n", static_cast<int>(value.toString().size()), value.toString().data());
      break;
    default:
      std::printf("%s\n", tag_words(value.tag));
  }
}

void tell(Error error, const Message& why) {
  if (error == Error::Ok) return (void)std::puts("ok");
  std::printf("error %s\n", to_string(error));
  std::stringstream lines(why.text);
  for (std::string line; std::getline(lines, line);) std::printf("| %s\n", line.c_str());
}

// --- many damaged files
// -----------------------------------------------------------------------------------------------

// Ones for every input, at their largest.
void set_ones(Loaded& made) {
  for (size_t i = 0; i < made.method.input_count(); ++i) {
    const EValue& held = made.method.input(i);
    if (!held.isTensor()) {
      (void)made.method.set_input(held, i);
      continue;
    }
    const Tensor t = held.toTensor();
    std::vector<SizesType> sizes(t.sizes().begin(), t.sizes().end());
    made.given.push_back(allocated(t.nbytes()));
    std::memset(made.given.back().get(), 1, t.nbytes());
    TensorImpl ones(t.scalar_type(), t.dim(), sizes.data(), made.given.back().get());
    (void)made.method.set_input(EValue(Tensor(&ones)), i);
  }
}

char verdict(const File& file, Message& why) {
  Program program;
  if (Program::load(file.data.get(), file.size, program, why) != Error::Ok) return 'p';
  char found = 'r';
  for (size_t m = 0; m < program.method_count(); ++m) {
    std::vector<std::string> names;
    std::vector<Kernel> rows;
    const auto operators = program.plan(m).operators();
    for (size_t k = 0; k < operators.size(); ++k) {
      const std::string name(view(operators[k].name())), overload(view(operators[k].overload()));
      names.push_back(overload.empty() ? name : name + "." + overload);
    }
    for (const std::string& each : names) {
      const bool is_prim = tenon::find(prim_kernels, each.c_str(), nullptr);
      bool is_there = is_prim;
      for (const Kernel& row : rows) is_there = is_there || !std::strcmp(row.name_, each.c_str());
      if (!is_there) rows.emplace_back(each.c_str(), &anything);
    }
    KernelTable any{"any", Span<const Kernel>(rows.data(), rows.size())};
    Registry registry;
    if (registry.add(any, &why) != Error::Ok) std::abort();
    Loaded made;
    if (make(program, program.method_name(m), registry, Wanted(), made, why) != Error::Ok) {
      found = 'm';
      continue;
    }
    for (size_t i = 0; i < made.method.output_count(); ++i) {
      made.given.push_back(allocated(64));
      (void)made.method.set_output(made.given.back().get(), 64, i);
    }
    for (int again = 0; again < 3; ++again) {
      set_ones(made);
      made.left = 2000;
      made.method.set_hook({count_down, &made.left});
      if (made.method.execute() != Error::Ok) {
        why = made.method.why();
        found = 'e';
        continue;
      }
      for (size_t i = 0; i < made.method.output_count(); ++i) {
        if (made.method.output(i).isTensor()) read_all(made.method.output(i).toTensor());
      }
    }
    for (size_t i = 0; i < made.method.state_count(); ++i) {
      Tensor t;
      if (made.method.state(i, t) == Error::Ok) (void)made.method.set_state(i, t);
    }
    made.method.reset_state();
  }
  return found;
}

void batch(const std::string& path) {
  const File all = read_file(path);
  std::string letters;
  for (size_t at = 0; at + 4 <= all.size;) {
    const size_t size = tenon::read<uint32_t>(all.data.get() + at);
    const File file{allocated(size), size};
    if (size) std::memcpy(file.data.get(), all.data.get() + at + 4, size);
    Message why;
    const char letter = verdict(file, why);
    if (letter != 'r' && !why) std::abort();  // refused without a word
    letters += letter;
    at += 4 + size;
  }
  std::puts(letters.c_str());
}

// --- commands -------------------------------------------------------------------------------------------------------

struct Driver {
  Registry registry;
  File file;
  std::list<File> beside;
  std::list<std::vector<uint32_t>> orders;
  std::vector<External> external;
  std::list<Program> programs;  // a method refers to its program, so that they stay
  std::list<Loaded> methods;
  std::list<Given> inputs;
  Message why;

  Method& method() { return methods.back().method; }
  void tell_of(Error error) { tell(error, methods.empty() ? why : method().why()); }

  void load(std::stringstream& words) {
    std::string path;
    words >> path;
    file = read_file(path);
    beside.push_back(file);
    external.clear();
    while (words >> path) {
      beside.push_back(read_file(path));
      External each;
      const Fault fault = read_external(beside.back().data.get(), beside.back().size, each);
      if (fault) return (void)std::puts("error external");
      orders.emplace_back(each.count());
      if (order_names(each, orders.back().data())) return (void)std::puts("error names");
      external.push_back(each);
    }
    programs.emplace_back();
    tell(Program::load(file.data.get(), file.size, programs.back(), why, {external.data(), external.size()}), why);
  }

  void make_method(std::stringstream& words) {
    std::string name, word;
    words >> name;
    Wanted wanted;
    size_t stop = 0;
    while (words >> word) {
      const std::string value = word.substr(word.find('=') + 1);
      if (word == "keep") wanted.options.keep_state = true;
      if (word == "capacity") wanted.options.capacity_only = true;
      if (word.rfind("less=", 0) == 0) wanted.less = std::stoi(value);
      if (word.rfind("share=", 0) == 0) wanted.share = std::stoul(value);
      if (word.rfind("temporary=", 0) == 0) wanted.temporary = std::stoul(value);
      if (word.rfind("stop=", 0) == 0) stop = std::stoul(value);
    }
    wanted.before = methods.empty() ? nullptr : &methods.back();
    methods.emplace_back();
    Loaded& made = methods.back();
    const Error error = make(programs.back(), name, registry, wanted, made, why);
    if (stop) {
      made.left = stop;
      made.method.set_hook({count_down, &made.left});
    }
    tell(error, why);
  }

  Tensor given(std::stringstream& words) {
    int dtype;
    std::string shape, hex, strides;
    words >> dtype >> shape >> hex;
    if (hex == "-") hex.clear();
    if (words >> strides) strides = strides.substr(strides.find('=') + 1);
    inputs.emplace_back(dtype, shape, hex, strides);
    inputs.back().impl = TensorImpl(static_cast<ScalarType>(dtype), static_cast<ptrdiff_t>(inputs.back().sizes.size()),
                                    inputs.back().sizes.data(), inputs.back().data.get(), nullptr,
                                    strides.empty() ? nullptr : inputs.back().strides.data());
    return Tensor(&inputs.back().impl);
  }

  void set(const std::string& kind, std::stringstream& words) {
    size_t i;
    words >> i;
    EValue value;
    static std::list<std::string> texts;
    if (kind == "tensor") value = EValue(given(words));
    if (kind == "int") value = EValue(static_cast<int64_t>(number(words)));
    if (kind == "double") value = EValue(number(words));
    if (kind == "bool") value = EValue(number(words) != 0);
    if (kind == "string") {
      texts.emplace_back();
      words >> texts.back();
      value = EValue(std::string_view(texts.back()));
    }
    tell_of(method().set_input(value, i));
  }

  static double number(std::stringstream& words) {
    std::string word;
    words >> word;
    return std::stod(word);
  }

  void state(bool is_set, std::stringstream& words) {
    std::string which;
    words >> which;
    const bool is_number = which.find_first_not_of("0123456789") == std::string::npos;
    if (is_set) {
      const Tensor from = given(words);
      return tell_of(is_number ? method().set_state(std::stoul(which), from) : method().set_state(which, from));
    }
    Tensor found;
    const Error error = is_number ? method().state(std::stoul(which), found) : method().state(which, found);
    if (error == Error::Ok) return print(found);
    tell_of(error);
  }

  void command(const std::string& word, std::stringstream& words) {
    if (word == "load") return load(words);
    if (word == "method") return make_method(words);
    if (word == "batch") {
      words >> why.text;
      return batch(why.text);
    }
    if (word == "output") {
      size_t i, size;
      words >> i >> size;
      methods.back().given.push_back(allocated(size));
      return tell_of(method().set_output(methods.back().given.back().get(), size, i));
    }
    if (word == "run") {
      const Error error = method().execute();
      if (error != Error::Ok) return tell_of(error);
      for (size_t i = 0; i < method().output_count(); ++i) print(method().output(i));
      return;
    }
    if (word == "reset") return method().reset_state(), (void)std::puts("ok");
    if (word == "states") {
      std::printf("int %zu\n", method().state_count());
      for (size_t i = 0; i < method().state_count(); ++i) {
        std::printf("string %.*s\n", static_cast<int>(method().state_name(i).size()), method().state_name(i).data());
      }
      return;
    }
    if (word == "state" || word == "set") return state(word == "set", words);
    set(word, words);
  }
};

}  // namespace

int main() {
  set_log(nullptr);
  Driver driver;
  if (driver.registry.add(table, &driver.why) != Error::Ok) return std::puts(driver.why.text), 2;
  for (std::string line; std::getline(std::cin, line);) {
    std::stringstream words(line);
    std::string word;
    words >> word;
    driver.command(word, words);
    std::puts(".");
  }
  return 0;
}
