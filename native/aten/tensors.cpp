// Tensors of ATen in the memory of the runtime's, and back: executorch/aten.h.
#include <c10/core/InferenceMode.h>
#include <c10/core/Storage.h>
#include <c10/util/Exception.h>
#include <executorch/aten.h>

#include <algorithm>
#include <string>

namespace tenon::aten {

at::Tensor over(const TensorImpl& tensor) {
  const size_t dim = tensor.sizes().size();
  StridesType plain[kTensorDimensionLimit];
  const StridesType* strides = tensor.strides().data();
  if (!strides && fill_strides(tensor.sizes().data(), tensor.dim_order().data(), dim, plain)) strides = plain;
  c10::Storage storage(c10::Storage::use_byte_size_t(), std::max(tensor.capacity(), tensor.nbytes()),
                       c10::DataPtr(tensor.mutable_data(), c10::Device(c10::kCPU)), nullptr, /*resizable=*/false);
  // Without a key for gradients: there are none.
  at::Tensor made = at::detail::make_tensor<c10::TensorImpl>(
      std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU),
      c10::scalarTypeToTypeMeta(static_cast<c10::ScalarType>(tensor.scalar_type())));
  int64_t wide_sizes[kTensorDimensionLimit], wide_strides[kTensorDimensionLimit];
  std::copy_n(tensor.sizes().data(), dim, wide_sizes);
  std::copy_n(strides, dim, wide_strides);
  made.unsafeGetTensorImpl()->set_sizes_and_strides({wide_sizes, dim}, {wide_strides, dim});
  return made;
}

// --- back -----------------------------------------------------------------------------------------------------------

namespace {

// As the runtime counts. False if there are more dimensions or larger ones than it has.
bool narrow(c10::IntArrayRef from, SizesType* to) {
  if (from.size() > kTensorDimensionLimit) return false;
  for (size_t d = 0; d < from.size(); ++d) {
    if (from[d] > INT32_MAX) return false;
    to[d] = static_cast<SizesType>(from[d]);
  }
  return true;
}

// Whether each element lies in the same place of both, and as it is; how a dimension of one element is stepped over is
// nothing to either.
bool have_same_layout(const at::Tensor& a, const at::Tensor& b) {
  if (b.is_conj() || b.is_neg() || (a.const_data_ptr() != b.const_data_ptr() && a.numel())) return false;
  for (int64_t d = 0; d < a.dim(); ++d) {
    if (a.size(d) > 1 && a.stride(d) != b.stride(d)) return false;
  }
  return true;
}

}  // namespace

void settle(Context& context, Tensor place, const at::Tensor& result) {
  SizesType sizes[kTensorDimensionLimit];
  if (context.failed()) return;  // then there may be no place
  if (!result.defined()) return context.fail(Error::InvalidState, "the result is no tensor");
  if (!narrow(result.sizes(), sizes)) {
    return context.fail(Error::NotSupported, "the result has more dimensions, or larger ones, than a program can have");
  }
  if (!resize(context, place, {sizes, result.sizes().size()})) return;
  const at::Tensor wanted = over(*place.unsafeGetTensorImpl());
  if (have_same_layout(wanted, result)) return;
  // The kernel chose another order of dimensions, other memory, or to leave a conjugate for later. What lies in this
  // memory is read before it is written: two storages over one memory do not know of each other.
  wanted.copy_(result.storage().data() == wanted.storage().data() ? result.clone() : result);
}

void guarded(Context& context, c10::function_ref<void()> work) {
  const auto fail = [&](Error error, const std::string& words) {
    const std::string line = words.substr(0, words.find('\n'));
    const size_t end = line.find_last_not_of(". ");
    context.fail(error, "%s", end == std::string::npos ? "it failed" : line.substr(0, end + 1).c_str());
  };
  try {
    const c10::InferenceMode without_gradients;
    work();
  } catch (const c10::NotImplementedError& error) {
    fail(Error::NotImplemented, error.what_without_backtrace());
  } catch (const c10::Error& error) {
    fail(Error::InvalidArgument, error.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    fail(Error::MemoryAllocationFailed, "there is no memory left");
  } catch (const std::exception& error) {
    fail(Error::Internal, error.what());
  } catch (...) {
    fail(Error::Internal, "it threw something that says nothing");
  }
}

Error resize_tensor(const at::Tensor& t, c10::ArrayRef<int64_t> sizes) {
  if (static_cast<size_t>(t.dim()) != sizes.size()) return Error::NotSupported;
  if (t.sizes() == sizes) return Error::Ok;
  SizesType wanted[kTensorDimensionLimit];
  StridesType strides[kTensorDimensionLimit];
  DimOrderType order[kTensorDimensionLimit];
  std::vector<StridesType> now(t.strides().begin(), t.strides().end());
  ptrdiff_t count;
  if (!narrow(sizes, wanted) || stride_to_dim_order(now.data(), now.size(), order) != Error::Ok ||
      !count_elements(wanted, sizes.size(), t.element_size(), count) ||
      !fill_strides(wanted, order, sizes.size(), strides)) {
    return Error::InvalidArgument;
  }
  if (static_cast<size_t>(count) * t.element_size() > t.storage().nbytes()) return Error::NotSupported;
  t.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, std::vector<int64_t>(strides, strides + sizes.size()));
  return Error::Ok;
}

Described::Described(const at::Tensor& t) {
  const std::vector<StridesType> strides(t.strides().begin(), t.strides().end());
  if (!narrow(t.sizes(), sizes_))
    ET_ASSERT_UNREACHABLE_MSG("a tensor has more than %zu dimensions", kTensorDimensionLimit);
  std::copy(strides.begin(), strides.end(), strides_);
  const bool has_order = stride_to_dim_order(strides_, strides.size(), order_) == Error::Ok;
  impl_ = TensorImpl(static_cast<tenon::ScalarType>(t.scalar_type()), t.dim(), sizes_,
                     const_cast<void*>(t.const_data_ptr()), has_order ? order_ : nullptr, strides_);
}

// --- arguments ------------------------------------------------------------------------------------------------------

at::Tensor take_tensor(Context& context, Span<EValue*> values, size_t i) {
  return over(*tenon::take_tensor(context, values, i).unsafeGetTensorImpl());
}

std::vector<at::Tensor> take_tensors(Context& context, Span<EValue*> values, size_t i) {
  std::vector<at::Tensor> found;
  for (const Tensor& each : tenon::take_tensors(context, values, i)) found.push_back(over(*each.unsafeGetTensorImpl()));
  return found;
}

std::vector<std::optional<at::Tensor>> take_optional_tensors(Context& context, Span<EValue*> values, size_t i) {
  std::vector<std::optional<at::Tensor>> found;
  for (const std::optional<Tensor>& each : tenon::take_optional_tensors(context, values, i)) {
    found.push_back(each ? std::optional(over(*each->unsafeGetTensorImpl())) : std::nullopt);
  }
  return found;
}

at::Scalar take_scalar(Context& context, Span<EValue*> values, size_t i) {
  const Scalar found = tenon::take_scalar(context, values, i);
  if (found.isBoolean()) return found.to<bool>();
  if (found.isFloatingPoint()) return found.to<double>();
  return found.to<int64_t>();
}

}  // namespace tenon::aten
