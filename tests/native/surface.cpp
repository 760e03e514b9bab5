// A kernel that uses much of ExecuTorch's C++ surface, and a call of it, for test_headers.py.
#include <executorch/runtime/kernel/kernel_includes.h>
#include <c10/util/irange.h>
#include <c10/util/safe_numerics.h>
#include <executorch/codegen/macros.h>
#include <executorch/runtime/platform/runtime.h>

namespace torch {
namespace executor {
namespace native {

using Tensor = exec_aten::Tensor;
using executorch::aten::optional;
using SizesType = executorch::aten::SizesType;

bool check(const Tensor& a, const Tensor& b) {
  ET_LOG_AND_RETURN_IF_FALSE(tensors_have_same_dtype(a, b));
  ET_LOG_MSG_AND_RETURN_IF_FALSE(a.dim() == b.dim(), "%" ET_PRI_TENSOR_DIM, a.dim());
  ET_CHECK_OR_RETURN_FALSE(tensor_is_realhbbf16_type(a), "dtype %s", toString(a.scalar_type()));
  return tensor_has_dim(a, 0) && tensor_is_default_or_channels_last_dim_order(a) && dim_is_valid(-1, nonzero_dim(a));
}

Error resized(const Tensor& in, Tensor& out) {
  std::array<SizesType, kTensorDimensionLimit> sizes{};
  for (const auto d : c10::irange(in.dim())) sizes[static_cast<size_t>(d)] = static_cast<SizesType>(in.size(d));
  ET_CHECK_OK_OR_RETURN_ERROR(resize_tensor(out, {sizes.data(), static_cast<size_t>(in.dim())}));
  ET_CHECK_OK_OR_RETURN_ERROR(resize_tensor(out, in.sizes()), "with words %d", 1);
  ET_CHECK_OR_RETURN_ERROR(out.numel() == in.numel(), InvalidArgument, "%zd", out.numel());
  size_t product = 0;
  ET_CHECK_OR_RETURN_ERROR(!c10::mul_overflows(size_t{3}, size_t{4}, &product), InvalidArgument, "too many");
  return Error::Ok;
}

template <class T>
T scaled(T value, const exec_aten::Scalar& by) {
  return convert<T>(static_cast<double>(value) * by.to<double>());
}

// One that uses much of what kernels use.
Tensor& opt_scale_out(KernelRuntimeContext& ctx, const Tensor& in, const optional<exec_aten::Scalar>& by,
                      exec_aten::OptionalArrayRef<int64_t> dims, exec_aten::string_view mode,
                      optional<exec_aten::ScalarType> dtype, exec_aten::MemoryFormat, Tensor& out) {
  static constexpr const char op_name[] = "opt_scale.out";
  ET_KERNEL_CHECK(ctx, check(in, out), InvalidArgument, out);
  ET_KERNEL_CHECK_MSG(ctx, mode == "plain" && (!dims || dims->size() < 3), InvalidArgument, out, "mode %d", 1);
  ET_KERNEL_CHECK(ctx, resized(in, out) == Error::Ok, InvalidArgument, out);
  ET_KERNEL_CHECK(ctx, !dtype || dtype.value() == out.scalar_type(), InvalidArgument, out);
  ET_SWITCH_REALHBBF16_TYPES(in.scalar_type(), ctx, op_name, CTYPE, [&]() {
    const CTYPE* from = in.const_data_ptr<CTYPE>();
    CTYPE* to = out.mutable_data_ptr<CTYPE>();
    for (const auto i : c10::irange(in.numel())) to[i] = by ? scaled(from[i], *by) : from[i];
  });
  ET_SWITCH_REAL_TYPES_AND2(Half, Bool, in.scalar_type(), ctx, "opt_scale.out", A, [&] { (void)sizeof(A); });
  ET_SWITCH_ALL_TYPES(in.scalar_type(), ctx, "opt_scale.out", A, [&] { (void)sizeof(A); });
  ET_SWITCH_TWO_TYPES(Float, Long, ScalarType::Float, ctx, "opt_scale.out", A, [&] { (void)sizeof(A); });
  ET_SWITCH_FLOATHBF16_TYPES(ScalarType::Float, ctx, "opt_scale.out", A, [&] { (void)sizeof(A); });
  auto temp = ctx.allocate_temp(16);
  ET_KERNEL_CHECK(ctx, temp.ok() || temp.error() == Error::NotFound, MemoryAllocationFailed, out);
  ET_LOG(Debug, "done %" ET_PRIsize_t, out.nbytes());
  return out;
}

std::tuple<Tensor&, Tensor&> both_out(KernelRuntimeContext& ctx, exec_aten::TensorList in, Tensor& a, Tensor& b) {
  (void)ctx;
  ET_CHECK_MSG(in.size() < 100, "%zu", in.size());
  return {a, b};
}

}  // namespace native
}  // namespace executor
}  // namespace torch

static_assert(torch::executor::promoteTypes(executorch::aten::ScalarType::Int, executorch::aten::ScalarType::Float) ==
              executorch::aten::ScalarType::Float);
constexpr tenon::Kernel rows[] = {{"my::both.out", &tenon::boxed<&torch::executor::native::both_out>},
                                  {"my::opt_scale.out", &tenon::boxed<&torch::executor::native::opt_scale_out>}};

int main() {
  using namespace executorch::runtime;
  using namespace executorch::aten;
  executorch::runtime::runtime_init();
  SizesType sizes[] = {2, 3}, other[] = {2, 3};
  float data[] = {1, 2, 3, 4, 5, 6}, result[6] = {};
  TensorImpl a(ScalarType::Float, 2, sizes, data), b(ScalarType::Float, 2, other, result);
  EValue in{Tensor(&a)}, by(2.5), none, mode(std::string_view("plain")), format(0), out{Tensor(&b)};
  EValue* stack[] = {&in, &by, &none, &mode, &none, &format, &out, &out};
  KernelRuntimeContext context{};
  rows[1].op_(context, {stack, 8});
  return context.failure_state() == Error::Ok && result[5] == 15.0f ? 0 : 1;
}
