// Looks kernels up, and has tables refused, for test_headers.py.
#include <cstdio>
#include <executorch/extension/kernel_util/make_boxed_from_unboxed_functor.h>
#include <executorch/runtime/kernel/operator_registry.h>
using namespace tenon;
void one(Context&, Span<EValue*>) {}
void two(Context&, Span<EValue*>) {}
void three(Context&, Span<EValue*>) {}
namespace custom::native {
Tensor& mul3_out(const Tensor&, Tensor& out) { return out; }
}  // namespace custom::native
EXECUTORCH_LIBRARY(my_ops, "mul3.out", custom::native::mul3_out);
constexpr Kernel first_rows[] = {{"a::x.out", one}, {"a::x.out", "v1/6;0,1", two}, {"a::y", one}};
constexpr Kernel second_rows[] = {{"b::z", three}, {"a::x.out", three}};
constexpr Kernel unsorted_rows[] = {{"b::z", three}, {"a::w", three}, {"a::b", one}};
KernelTable first{"first", first_rows, true}, second{"second", second_rows}, unsorted{"third", unsorted_rows, true},
    higher{"higher", second_rows, false, 1}, twice{"twice", second_rows};
const char* which(const Kernel* k) { return !k ? "none" : k->op_ == one ? "one" : k->op_ == two ? "two" : "three"; }
int main() {
  Registry registry;
  Message why;
  std::printf("%s\n", to_string(registry.add(first, &why)));
  std::printf("%s %s\n", which(registry.find("a::x.out", "v1/6;0,1")), which(registry.find("a::x.out", "v1/7;0,1")));
  std::printf("%s %s %s\n", which(registry.find("a::y", "")), which(registry.find("a::x", nullptr)),
              which(registry.find("a::x.ou", nullptr)));
  std::printf("%s %s\n", to_string(registry.add(second, &why)), why.text);
  std::printf("%s %s\n", to_string(registry.add(unsorted, &why)), why.text);
  std::printf("%s\n", to_string(registry.add(higher, &why)));
  std::printf("%s %s\n", which(registry.find("a::x.out", "v1/6;0,1")), which(registry.find("b::z", nullptr)));
  registry.remove(higher);
  std::printf("%s %s\n", which(registry.find("a::x.out", "v1/6;0,1")), which(registry.find("b::z", nullptr)));
  std::printf("%d %d\n", executorch::runtime::registry_has_op_function("my_ops::mul3.out"),
              executorch::runtime::registry_has_op_function("aten::sym_numel"));
  set_log(nullptr);
  std::printf("%s\n", to_string(executorch::runtime::register_kernels({second_rows, 2})));
  std::printf("%s\n", to_string(executorch::runtime::register_kernel(executorch::runtime::Kernel("b::z", one))));
  DimOrderType order[] = {0, 2, 3, 1};
  KeyText key;
  const TensorMeta metas[] = {{ScalarType::UInt16, {order, 4}}, {ScalarType::Float, {}}};
  std::printf("%d %s\n", key.set(metas), key.text);
}
