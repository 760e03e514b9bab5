// Made from custom_ops.yaml, functions.yaml by tenon.build.generate: the kernels by name, for a registry.
#include "kernels.h"

namespace tenon {
namespace {

template <auto kernel, class Signature>
constexpr bool is_kernel = false;
template <class R, class... A, R (*kernel)(A...)>
constexpr bool is_kernel<kernel, R(A...)> = true;
template <class R, class... A, R (*kernel)(Context&, A...)>
constexpr bool is_kernel<kernel, R(A...)> = true;

static_assert(is_kernel<&::tenon::native::_adaptive_avg_pool2d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:854: aten::_adaptive_avg_pool2d.out is bound to tenon::native::_adaptive_avg_pool2d_out, whose type differs from its schema _adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_adaptive_avg_pool2d_backward_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:1157: aten::_adaptive_avg_pool2d_backward.out is bound to tenon::native::_adaptive_avg_pool2d_backward_out, whose type differs from its schema _adaptive_avg_pool2d_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_adaptive_avg_pool3d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:874: aten::_adaptive_avg_pool3d.out is bound to tenon::native::_adaptive_avg_pool3d_out, whose type differs from its schema _adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_cdist_forward_out, Tensor&(const Tensor&, const Tensor&, double, std::optional<int64_t>, Tensor&)>,
              "functions.yaml:1135: aten::_cdist_forward.out is bound to tenon::native::_cdist_forward_out, whose type differs from its schema _cdist_forward.out(Tensor x1, Tensor x2, float p, int? compute_mode, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_conj_physical_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:681: aten::_conj_physical.out is bound to tenon::native::_conj_physical_out, whose type differs from its schema _conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_log_softmax_out, Tensor&(const Tensor&, int64_t, bool, Tensor&)>,
              "functions.yaml:983: aten::_log_softmax.out is bound to tenon::native::_log_softmax_out, whose type differs from its schema _log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_native_batch_norm_legit_no_stats_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, bool, double, double, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1003: aten::_native_batch_norm_legit.no_stats_out is bound to tenon::native::_native_batch_norm_legit_no_stats_out, whose type differs from its schema _native_batch_norm_legit.no_stats_out(Tensor input, Tensor? weight, Tensor? bias, bool training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::_native_batch_norm_legit_no_training_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, const Tensor&, const Tensor&, double, double, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:998: aten::_native_batch_norm_legit_no_training.out is bound to tenon::native::_native_batch_norm_legit_no_training_out, whose type differs from its schema _native_batch_norm_legit_no_training.out(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::_pdist_forward_out, Tensor&(const Tensor&, double, Tensor&)>,
              "functions.yaml:1140: aten::_pdist_forward.out is bound to tenon::native::_pdist_forward_out, whose type differs from its schema _pdist_forward.out(Tensor self, float p=2., *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_softmax_out, Tensor&(const Tensor&, int64_t, bool, Tensor&)>,
              "functions.yaml:978: aten::_softmax.out is bound to tenon::native::_softmax_out, whose type differs from its schema _softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_to_copy_out, Tensor&(const Tensor&, bool, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:541: aten::_to_copy.out is bound to tenon::native::_to_copy_out, whose type differs from its schema _to_copy.out(Tensor self, *, bool non_blocking=False, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_upsample_bilinear2d_aa_out, Tensor&(const Tensor&, ArrayRef<int64_t>, bool, std::optional<double>, std::optional<double>, Tensor&)>,
              "functions.yaml:1125: aten::_upsample_bilinear2d_aa.out is bound to tenon::native::_upsample_bilinear2d_aa_out, whose type differs from its schema _upsample_bilinear2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::abs_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:7: aten::abs.out is bound to tenon::native::abs_out, whose type differs from its schema abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::acos_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:117: aten::acos.out is bound to tenon::native::acos_out, whose type differs from its schema acos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::acosh_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:147: aten::acosh.out is bound to tenon::native::acosh_out, whose type differs from its schema acosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::adaptive_avg_pool1d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:869: aten::adaptive_avg_pool1d.out is bound to tenon::native::adaptive_avg_pool1d_out, whose type differs from its schema adaptive_avg_pool1d.out(Tensor self, int[1] output_size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::add_scalar_out, Tensor&(const Tensor&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:287: aten::add.Scalar_out is bound to tenon::native::add_scalar_out, whose type differs from its schema add.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::add_out, Tensor&(const Tensor&, const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:282: aten::add.out is bound to tenon::native::add_out, whose type differs from its schema add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::addmm_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:827: aten::addmm.out is bound to tenon::native::addmm_out, whose type differs from its schema addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::alias_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:546: aten::alias_copy.out is bound to tenon::native::alias_copy_out, whose type differs from its schema alias_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::all_all_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:1065: aten::all.all_out is bound to tenon::native::all_all_out, whose type differs from its schema all.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::all_dims_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, Tensor&)>,
              "functions.yaml:1070: aten::all.dims_out is bound to tenon::native::all_dims_out, whose type differs from its schema all.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::all_out, Tensor&(const Tensor&, int64_t, bool, Tensor&)>,
              "functions.yaml:961: aten::all.out is bound to tenon::native::all_out, whose type differs from its schema all.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::amax_out, Tensor&(const Tensor&, ArrayRef<int64_t>, bool, Tensor&)>,
              "functions.yaml:901: aten::amax.out is bound to tenon::native::amax_out, whose type differs from its schema amax.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::amin_out, Tensor&(const Tensor&, ArrayRef<int64_t>, bool, Tensor&)>,
              "functions.yaml:906: aten::amin.out is bound to tenon::native::amin_out, whose type differs from its schema amin.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::any_all_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:1075: aten::any.all_out is bound to tenon::native::any_all_out, whose type differs from its schema any.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::any_dims_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, Tensor&)>,
              "functions.yaml:956: aten::any.dims_out is bound to tenon::native::any_dims_out, whose type differs from its schema any.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::any_out, Tensor&(const Tensor&, int64_t, bool, Tensor&)>,
              "functions.yaml:951: aten::any.out is bound to tenon::native::any_out, whose type differs from its schema any.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::arange_out, Tensor&(const Scalar&, Tensor&)>,
              "functions.yaml:780: aten::arange.out is bound to tenon::native::arange_out, whose type differs from its schema arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::arange_start_out, Tensor&(const Scalar&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:755: aten::arange.start_out is bound to tenon::native::arange_start_out, whose type differs from its schema arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::argmax_out, Tensor&(const Tensor&, std::optional<int64_t>, bool, Tensor&)>,
              "functions.yaml:921: aten::argmax.out is bound to tenon::native::argmax_out, whose type differs from its schema argmax.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::argmin_out, Tensor&(const Tensor&, std::optional<int64_t>, bool, Tensor&)>,
              "functions.yaml:926: aten::argmin.out is bound to tenon::native::argmin_out, whose type differs from its schema argmin.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::as_strided_copy_out, Tensor&(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, std::optional<int64_t>, Tensor&)>,
              "functions.yaml:641: aten::as_strided_copy.out is bound to tenon::native::as_strided_copy_out, whose type differs from its schema as_strided_copy.out(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::asin_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:112: aten::asin.out is bound to tenon::native::asin_out, whose type differs from its schema asin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::asinh_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:142: aten::asinh.out is bound to tenon::native::asinh_out, whose type differs from its schema asinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::atan_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:122: aten::atan.out is bound to tenon::native::atan_out, whose type differs from its schema atan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::atan2_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:377: aten::atan2.out is bound to tenon::native::atan2_out, whose type differs from its schema atan2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::atanh_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:152: aten::atanh.out is bound to tenon::native::atanh_out, whose type differs from its schema atanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::avg_pool1d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, bool, Tensor&)>,
              "functions.yaml:859: aten::avg_pool1d.out is bound to tenon::native::avg_pool1d_out, whose type differs from its schema avg_pool1d.out(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, bool count_include_pad=True, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::avg_pool2d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, bool, std::optional<int64_t>, Tensor&)>,
              "functions.yaml:849: aten::avg_pool2d.out is bound to tenon::native::avg_pool2d_out, whose type differs from its schema avg_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::avg_pool2d_backward_grad_input, Tensor&(const Tensor&, const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, bool, std::optional<int64_t>, Tensor&)>,
              "functions.yaml:1152: aten::avg_pool2d_backward.grad_input is bound to tenon::native::avg_pool2d_backward_grad_input, whose type differs from its schema avg_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::avg_pool3d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, bool, std::optional<int64_t>, Tensor&)>,
              "functions.yaml:864: aten::avg_pool3d.out is bound to tenon::native::avg_pool3d_out, whose type differs from its schema avg_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_and_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:397: aten::bitwise_and.Scalar_out is bound to tenon::native::bitwise_and_scalar_out, whose type differs from its schema bitwise_and.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_and_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:392: aten::bitwise_and.Tensor_out is bound to tenon::native::bitwise_and_tensor_out, whose type differs from its schema bitwise_and.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_left_shift_tensor_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:427: aten::bitwise_left_shift.Tensor_Scalar_out is bound to tenon::native::bitwise_left_shift_tensor_scalar_out, whose type differs from its schema bitwise_left_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_left_shift_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:422: aten::bitwise_left_shift.Tensor_out is bound to tenon::native::bitwise_left_shift_tensor_out, whose type differs from its schema bitwise_left_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_not_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:217: aten::bitwise_not.out is bound to tenon::native::bitwise_not_out, whose type differs from its schema bitwise_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_or_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:407: aten::bitwise_or.Scalar_out is bound to tenon::native::bitwise_or_scalar_out, whose type differs from its schema bitwise_or.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_or_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:402: aten::bitwise_or.Tensor_out is bound to tenon::native::bitwise_or_tensor_out, whose type differs from its schema bitwise_or.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_right_shift_tensor_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:437: aten::bitwise_right_shift.Tensor_Scalar_out is bound to tenon::native::bitwise_right_shift_tensor_scalar_out, whose type differs from its schema bitwise_right_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_right_shift_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:432: aten::bitwise_right_shift.Tensor_out is bound to tenon::native::bitwise_right_shift_tensor_out, whose type differs from its schema bitwise_right_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_xor_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:417: aten::bitwise_xor.Scalar_out is bound to tenon::native::bitwise_xor_scalar_out, whose type differs from its schema bitwise_xor.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_xor_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:412: aten::bitwise_xor.Tensor_out is bound to tenon::native::bitwise_xor_tensor_out, whose type differs from its schema bitwise_xor.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bmm_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:822: aten::bmm.out is bound to tenon::native::bmm_out, whose type differs from its schema bmm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::cat_out, Tensor&(TensorList, int64_t, Tensor&)>,
              "functions.yaml:688: aten::cat.out is bound to tenon::native::cat_out, whose type differs from its schema cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::ceil_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:197: aten::ceil.out is bound to tenon::native::ceil_out, whose type differs from its schema ceil.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::clamp_tensor_out, Tensor&(const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, Tensor&)>,
              "functions.yaml:277: aten::clamp.Tensor_out is bound to tenon::native::clamp_tensor_out, whose type differs from its schema clamp.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::clamp_out, Tensor&(const Tensor&, const std::optional<Scalar>&, const std::optional<Scalar>&, Tensor&)>,
              "functions.yaml:272: aten::clamp.out is bound to tenon::native::clamp_out, whose type differs from its schema clamp.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::clone_out, Tensor&(const Tensor&, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:536: aten::clone.out is bound to tenon::native::clone_out, whose type differs from its schema clone.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::constant_pad_nd_out, Tensor&(const Tensor&, ArrayRef<int64_t>, const Scalar&, Tensor&)>,
              "functions.yaml:703: aten::constant_pad_nd.out is bound to tenon::native::constant_pad_nd_out, whose type differs from its schema constant_pad_nd.out(Tensor self, SymInt[] pad, Scalar value=0, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::convolution_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, ArrayRef<int64_t>, int64_t, Tensor&)>,
              "functions.yaml:839: aten::convolution.out is bound to tenon::native::convolution_out, whose type differs from its schema convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::copy_out, Tensor&(const Tensor&, const Tensor&, bool, Tensor&)>,
              "functions.yaml:666: aten::copy.out is bound to tenon::native::copy_out, whose type differs from its schema copy.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::copy_, Tensor&(Tensor&, const Tensor&, bool)>,
              "functions.yaml:531: aten::copy_ is bound to tenon::native::copy_, whose type differs from its schema copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::cos_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:102: aten::cos.out is bound to tenon::native::cos_out, whose type differs from its schema cos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::cosh_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:132: aten::cosh.out is bound to tenon::native::cosh_out, whose type differs from its schema cosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::cumsum_out, Tensor&(const Tensor&, int64_t, std::optional<ScalarType>, Tensor&)>,
              "functions.yaml:966: aten::cumsum.out is bound to tenon::native::cumsum_out, whose type differs from its schema cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::detach_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:551: aten::detach_copy.out is bound to tenon::native::detach_copy_out, whose type differs from its schema detach_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::diagonal_copy_out, Tensor&(const Tensor&, int64_t, int64_t, int64_t, Tensor&)>,
              "functions.yaml:631: aten::diagonal_copy.out is bound to tenon::native::diagonal_copy_out, whose type differs from its schema diagonal_copy.out(Tensor self, int offset=0, int dim1=0, int dim2=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::digamma_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:177: aten::digamma.out is bound to tenon::native::digamma_out, whose type differs from its schema digamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::div_scalar_mode_out, Tensor&(const Tensor&, const Scalar&, std::optional<std::string_view>, Tensor&)>,
              "functions.yaml:332: aten::div.Scalar_mode_out is bound to tenon::native::div_scalar_mode_out, whose type differs from its schema div.Scalar_mode_out(Tensor self, Scalar other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::div_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:322: aten::div.Scalar_out is bound to tenon::native::div_scalar_out, whose type differs from its schema div.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::div_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:317: aten::div.out is bound to tenon::native::div_out, whose type differs from its schema div.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::div_out_mode, Tensor&(const Tensor&, const Tensor&, std::optional<std::string_view>, Tensor&)>,
              "functions.yaml:327: aten::div.out_mode is bound to tenon::native::div_out_mode, whose type differs from its schema div.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::elu_out, Tensor&(const Tensor&, const Scalar&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:242: aten::elu.out is bound to tenon::native::elu_out, whose type differs from its schema elu.out(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::embedding_out, Tensor&(const Tensor&, const Tensor&, int64_t, bool, bool, Tensor&)>,
              "functions.yaml:1010: aten::embedding.out is bound to tenon::native::embedding_out, whose type differs from its schema embedding.out(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::embedding_dense_backward_out, Tensor&(const Tensor&, const Tensor&, int64_t, int64_t, bool, Tensor&)>,
              "functions.yaml:1105: aten::embedding_dense_backward.out is bound to tenon::native::embedding_dense_backward_out, whose type differs from its schema embedding_dense_backward.out(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::empty_out, Tensor&(ArrayRef<int64_t>, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:795: aten::empty.out is bound to tenon::native::empty_out, whose type differs from its schema empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::empty_strided_out, Tensor&(ArrayRef<int64_t>, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:800: aten::empty_strided.out is bound to tenon::native::empty_strided_out, whose type differs from its schema empty_strided.out(SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::eq_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:469: aten::eq.Scalar_out is bound to tenon::native::eq_scalar_out, whose type differs from its schema eq.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::eq_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:474: aten::eq.Tensor_out is bound to tenon::native::eq_tensor_out, whose type differs from its schema eq.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::erf_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:157: aten::erf.out is bound to tenon::native::erf_out, whose type differs from its schema erf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::erfc_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:162: aten::erfc.out is bound to tenon::native::erfc_out, whose type differs from its schema erfc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::erfinv_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:167: aten::erfinv.out is bound to tenon::native::erfinv_out, whose type differs from its schema erfinv.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::exp_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:62: aten::exp.out is bound to tenon::native::exp_out, whose type differs from its schema exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::exp2_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:87: aten::exp2.out is bound to tenon::native::exp2_out, whose type differs from its schema exp2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::expand_copy_out, Tensor&(const Tensor&, ArrayRef<int64_t>, bool, Tensor&)>,
              "functions.yaml:591: aten::expand_copy.out is bound to tenon::native::expand_copy_out, whose type differs from its schema expand_copy.out(Tensor self, SymInt[] size, *, bool implicit=False, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::expm1_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:92: aten::expm1.out is bound to tenon::native::expm1_out, whose type differs from its schema expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::fill_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:770: aten::fill.Scalar_out is bound to tenon::native::fill_scalar_out, whose type differs from its schema fill.Scalar_out(Tensor self, Scalar value, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::fill_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:805: aten::fill.Tensor_out is bound to tenon::native::fill_tensor_out, whose type differs from its schema fill.Tensor_out(Tensor self, Tensor value, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::flip_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:646: aten::flip.out is bound to tenon::native::flip_out, whose type differs from its schema flip.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::floor_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:192: aten::floor.out is bound to tenon::native::floor_out, whose type differs from its schema floor.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::floor_divide_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:337: aten::floor_divide.out is bound to tenon::native::floor_divide_out, whose type differs from its schema floor_divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::fmod_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:347: aten::fmod.Scalar_out is bound to tenon::native::fmod_scalar_out, whose type differs from its schema fmod.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::fmod_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:342: aten::fmod.Tensor_out is bound to tenon::native::fmod_tensor_out, whose type differs from its schema fmod.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::frac_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:212: aten::frac.out is bound to tenon::native::frac_out, whose type differs from its schema frac.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::full_out, Tensor&(ArrayRef<int64_t>, const Scalar&, Tensor&)>,
              "functions.yaml:760: aten::full.out is bound to tenon::native::full_out, whose type differs from its schema full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::full_like_out, Tensor&(const Tensor&, const Scalar&, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:765: aten::full_like.out is bound to tenon::native::full_like_out, whose type differs from its schema full_like.out(Tensor self, Scalar fill_value, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::gather_out, Tensor&(const Tensor&, int64_t, const Tensor&, bool, Tensor&)>,
              "functions.yaml:1015: aten::gather.out is bound to tenon::native::gather_out, whose type differs from its schema gather.out(Tensor self, int dim, Tensor index, *, bool sparse_grad=False, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::ge_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:519: aten::ge.Scalar_out is bound to tenon::native::ge_scalar_out, whose type differs from its schema ge.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::ge_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:524: aten::ge.Tensor_out is bound to tenon::native::ge_tensor_out, whose type differs from its schema ge.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::gelu_out, Tensor&(const Tensor&, std::string_view, Tensor&)>,
              "functions.yaml:232: aten::gelu.out is bound to tenon::native::gelu_out, whose type differs from its schema gelu.out(Tensor self, *, str approximate=\"none\", Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::glu_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:267: aten::glu.out is bound to tenon::native::glu_out, whose type differs from its schema glu.out(Tensor self, int dim=-1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::grid_sampler_2d_out, Tensor&(const Tensor&, const Tensor&, int64_t, int64_t, bool, Tensor&)>,
              "functions.yaml:1130: aten::grid_sampler_2d.out is bound to tenon::native::grid_sampler_2d_out, whose type differs from its schema grid_sampler_2d.out(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::gt_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:509: aten::gt.Scalar_out is bound to tenon::native::gt_scalar_out, whose type differs from its schema gt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::gt_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:514: aten::gt.Tensor_out is bound to tenon::native::gt_tensor_out, whose type differs from its schema gt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::hardsigmoid_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:257: aten::hardsigmoid.out is bound to tenon::native::hardsigmoid_out, whose type differs from its schema hardsigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::hardswish_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:262: aten::hardswish.out is bound to tenon::native::hardswish_out, whose type differs from its schema hardswish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::hardtanh_out, Tensor&(const Tensor&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:252: aten::hardtanh.out is bound to tenon::native::hardtanh_out, whose type differs from its schema hardtanh.out(Tensor self, Scalar min_val=-1, Scalar max_val=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::index_tensor_out, Tensor&(const Tensor&, ArrayRef<std::optional<Tensor>>, Tensor&)>,
              "functions.yaml:1020: aten::index.Tensor_out is bound to tenon::native::index_tensor_out, whose type differs from its schema index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::index_put_out, Tensor&(const Tensor&, ArrayRef<std::optional<Tensor>>, const Tensor&, bool, Tensor&)>,
              "functions.yaml:1030: aten::index_put.out is bound to tenon::native::index_put_out, whose type differs from its schema index_put.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::index_put_, Tensor&(Tensor&, ArrayRef<std::optional<Tensor>>, const Tensor&, bool)>,
              "functions.yaml:1035: aten::index_put_ is bound to tenon::native::index_put_, whose type differs from its schema index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::index_select_out, Tensor&(const Tensor&, int64_t, const Tensor&, Tensor&)>,
              "functions.yaml:1025: aten::index_select.out is bound to tenon::native::index_select_out, whose type differs from its schema index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::isinf_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:32: aten::isinf.out is bound to tenon::native::isinf_out, whose type differs from its schema isinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::isnan_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:37: aten::isnan.out is bound to tenon::native::isnan_out, whose type differs from its schema isnan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::le_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:499: aten::le.Scalar_out is bound to tenon::native::le_scalar_out, whose type differs from its schema le.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::le_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:504: aten::le.Tensor_out is bound to tenon::native::le_tensor_out, whose type differs from its schema le.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::leaky_relu_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:247: aten::leaky_relu.out is bound to tenon::native::leaky_relu_out, whose type differs from its schema leaky_relu.out(Tensor self, Scalar negative_slope=0.01, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::lgamma_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:172: aten::lgamma.out is bound to tenon::native::lgamma_out, whose type differs from its schema lgamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::lift_fresh_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:671: aten::lift_fresh_copy.out is bound to tenon::native::lift_fresh_copy_out, whose type differs from its schema lift_fresh_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::linear_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, Tensor&)>,
              "functions.yaml:832: aten::linear.out is bound to tenon::native::linear_out, whose type differs from its schema linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::log_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:67: aten::log.out is bound to tenon::native::log_out, whose type differs from its schema log.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::log10_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:77: aten::log10.out is bound to tenon::native::log10_out, whose type differs from its schema log10.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::log1p_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:82: aten::log1p.out is bound to tenon::native::log1p_out, whose type differs from its schema log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::log2_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:72: aten::log2.out is bound to tenon::native::log2_out, whose type differs from its schema log2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::logical_and_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:442: aten::logical_and.out is bound to tenon::native::logical_and_out, whose type differs from its schema logical_and.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::logical_not_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:222: aten::logical_not.out is bound to tenon::native::logical_not_out, whose type differs from its schema logical_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::logical_or_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:447: aten::logical_or.out is bound to tenon::native::logical_or_out, whose type differs from its schema logical_or.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::logical_xor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:452: aten::logical_xor.out is bound to tenon::native::logical_xor_out, whose type differs from its schema logical_xor.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::logit_out, Tensor&(const Tensor&, std::optional<double>, Tensor&)>,
              "functions.yaml:187: aten::logit.out is bound to tenon::native::logit_out, whose type differs from its schema logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::lt_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:489: aten::lt.Scalar_out is bound to tenon::native::lt_scalar_out, whose type differs from its schema lt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::lt_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:494: aten::lt.Tensor_out is bound to tenon::native::lt_tensor_out, whose type differs from its schema lt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::masked_fill_scalar_out, Tensor&(const Tensor&, const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:462: aten::masked_fill.Scalar_out is bound to tenon::native::masked_fill_scalar_out, whose type differs from its schema masked_fill.Scalar_out(Tensor self, Tensor mask, Scalar value, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::masked_scatter_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:1045: aten::masked_scatter.out is bound to tenon::native::masked_scatter_out, whose type differs from its schema masked_scatter.out(Tensor self, Tensor mask, Tensor source, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::masked_select_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:1040: aten::masked_select.out is bound to tenon::native::masked_select_out, whose type differs from its schema masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::max_dim_max, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, bool, Tensor&, Tensor&)>,
              "functions.yaml:931: aten::max.dim_max is bound to tenon::native::max_dim_max, whose type differs from its schema max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values) -> (Tensor(a!) values, Tensor(b!) indices)");
static_assert(is_kernel<&::tenon::native::max_unary_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:911: aten::max.unary_out is bound to tenon::native::max_unary_out, whose type differs from its schema max.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::max_pool2d_with_indices_out, std::tuple<Tensor&, Tensor&>(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, Tensor&, Tensor&)>,
              "functions.yaml:844: aten::max_pool2d_with_indices.out is bound to tenon::native::max_pool2d_with_indices_out, whose type differs from its schema max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
static_assert(is_kernel<&::tenon::native::max_pool2d_with_indices_backward_grad_input, Tensor&(const Tensor&, const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, const Tensor&, Tensor&)>,
              "functions.yaml:1147: aten::max_pool2d_with_indices_backward.grad_input is bound to tenon::native::max_pool2d_with_indices_backward_grad_input, whose type differs from its schema max_pool2d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::max_pool3d_with_indices_out, std::tuple<Tensor&, Tensor&>(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, Tensor&, Tensor&)>,
              "functions.yaml:879: aten::max_pool3d_with_indices.out is bound to tenon::native::max_pool3d_with_indices_out, whose type differs from its schema max_pool3d_with_indices.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
static_assert(is_kernel<&::tenon::native::maximum_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:382: aten::maximum.out is bound to tenon::native::maximum_out, whose type differs from its schema maximum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::mean_dtype_out, Tensor&(const Tensor&, std::optional<ScalarType>, Tensor&)>,
              "functions.yaml:891: aten::mean.dtype_out is bound to tenon::native::mean_dtype_out, whose type differs from its schema mean.dtype_out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::mean_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, std::optional<ScalarType>, Tensor&)>,
              "functions.yaml:886: aten::mean.out is bound to tenon::native::mean_out, whose type differs from its schema mean.out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::min_dim_min, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, bool, Tensor&, Tensor&)>,
              "functions.yaml:1080: aten::min.dim_min is bound to tenon::native::min_dim_min, whose type differs from its schema min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!) min_indices) -> (Tensor(a!) values, Tensor(b!) indices)");
static_assert(is_kernel<&::tenon::native::min_unary_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:916: aten::min.unary_out is bound to tenon::native::min_unary_out, whose type differs from its schema min.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::minimum_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:387: aten::minimum.out is bound to tenon::native::minimum_out, whose type differs from its schema minimum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::mm_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:817: aten::mm.out is bound to tenon::native::mm_out, whose type differs from its schema mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::mul_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:312: aten::mul.Scalar_out is bound to tenon::native::mul_scalar_out, whose type differs from its schema mul.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::mul_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:307: aten::mul.out is bound to tenon::native::mul_out, whose type differs from its schema mul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::narrow_copy_out, Tensor&(const Tensor&, int64_t, int64_t, int64_t, Tensor&)>,
              "functions.yaml:616: aten::narrow_copy.out is bound to tenon::native::narrow_copy_out, whose type differs from its schema narrow_copy.out(Tensor self, int dim, SymInt start, SymInt length, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::native_group_norm_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, int64_t, int64_t, int64_t, int64_t, double, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:993: aten::native_group_norm.out is bound to tenon::native::native_group_norm_out, whose type differs from its schema native_group_norm.out(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::native_group_norm_backward_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, int64_t, int64_t, int64_t, ArrayRef<bool>, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1167: aten::native_group_norm_backward.out is bound to tenon::native::native_group_norm_backward_out, whose type differs from its schema native_group_norm_backward.out(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::native_layer_norm_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, ArrayRef<int64_t>, const std::optional<Tensor>&, const std::optional<Tensor>&, double, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:988: aten::native_layer_norm.out is bound to tenon::native::native_layer_norm_out, whose type differs from its schema native_layer_norm.out(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::native_layer_norm_backward_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, const Tensor&, ArrayRef<int64_t>, const Tensor&, const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, ArrayRef<bool>, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1162: aten::native_layer_norm_backward.out is bound to tenon::native::native_layer_norm_backward_out, whose type differs from its schema native_layer_norm_backward.out(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::ne_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:479: aten::ne.Scalar_out is bound to tenon::native::ne_scalar_out, whose type differs from its schema ne.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::ne_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:484: aten::ne.Tensor_out is bound to tenon::native::ne_tensor_out, whose type differs from its schema ne.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::neg_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:12: aten::neg.out is bound to tenon::native::neg_out, whose type differs from its schema neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::nonzero_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:1050: aten::nonzero.out is bound to tenon::native::nonzero_out, whose type differs from its schema nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::ones_out, Tensor&(ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:785: aten::ones.out is bound to tenon::native::ones_out, whose type differs from its schema ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::permute_copy_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:586: aten::permute_copy.out is bound to tenon::native::permute_copy_out, whose type differs from its schema permute_copy.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::pixel_shuffle_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:656: aten::pixel_shuffle.out is bound to tenon::native::pixel_shuffle_out, whose type differs from its schema pixel_shuffle.out(Tensor self, int upscale_factor, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::pixel_unshuffle_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:661: aten::pixel_unshuffle.out is bound to tenon::native::pixel_unshuffle_out, whose type differs from its schema pixel_unshuffle.out(Tensor self, int downscale_factor, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::pow_scalar_out, Tensor&(const Scalar&, const Tensor&, Tensor&)>,
              "functions.yaml:372: aten::pow.Scalar_out is bound to tenon::native::pow_scalar_out, whose type differs from its schema pow.Scalar_out(Scalar self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::pow_tensor_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:362: aten::pow.Tensor_Scalar_out is bound to tenon::native::pow_tensor_scalar_out, whose type differs from its schema pow.Tensor_Scalar_out(Tensor self, Scalar exponent, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::pow_tensor_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:367: aten::pow.Tensor_Tensor_out is bound to tenon::native::pow_tensor_tensor_out, whose type differs from its schema pow.Tensor_Tensor_out(Tensor self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::prod_int_out, Tensor&(const Tensor&, int64_t, bool, std::optional<ScalarType>, Tensor&)>,
              "functions.yaml:1090: aten::prod.int_out is bound to tenon::native::prod_int_out, whose type differs from its schema prod.int_out(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::prod_out, Tensor&(const Tensor&, std::optional<ScalarType>, Tensor&)>,
              "functions.yaml:1085: aten::prod.out is bound to tenon::native::prod_out, whose type differs from its schema prod.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::reciprocal_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:57: aten::reciprocal.out is bound to tenon::native::reciprocal_out, whose type differs from its schema reciprocal.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::reflection_pad1d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:723: aten::reflection_pad1d.out is bound to tenon::native::reflection_pad1d_out, whose type differs from its schema reflection_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::reflection_pad2d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:728: aten::reflection_pad2d.out is bound to tenon::native::reflection_pad2d_out, whose type differs from its schema reflection_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::reflection_pad3d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:733: aten::reflection_pad3d.out is bound to tenon::native::reflection_pad3d_out, whose type differs from its schema reflection_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::relu_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:227: aten::relu.out is bound to tenon::native::relu_out, whose type differs from its schema relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::remainder_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:357: aten::remainder.Scalar_out is bound to tenon::native::remainder_scalar_out, whose type differs from its schema remainder.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::remainder_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:352: aten::remainder.Tensor_out is bound to tenon::native::remainder_tensor_out, whose type differs from its schema remainder.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::repeat_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:698: aten::repeat.out is bound to tenon::native::repeat_out, whose type differs from its schema repeat.out(Tensor self, SymInt[] repeats, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::repeat_interleave_tensor_out, Tensor&(const Tensor&, std::optional<int64_t>, Tensor&)>,
              "functions.yaml:810: aten::repeat_interleave.Tensor_out is bound to tenon::native::repeat_interleave_tensor_out, whose type differs from its schema repeat_interleave.Tensor_out(Tensor repeats, *, SymInt? output_size=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::replication_pad1d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:738: aten::replication_pad1d.out is bound to tenon::native::replication_pad1d_out, whose type differs from its schema replication_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::replication_pad2d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:743: aten::replication_pad2d.out is bound to tenon::native::replication_pad2d_out, whose type differs from its schema replication_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::replication_pad3d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:748: aten::replication_pad3d.out is bound to tenon::native::replication_pad3d_out, whose type differs from its schema replication_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::roll_out, Tensor&(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:651: aten::roll.out is bound to tenon::native::roll_out, whose type differs from its schema roll.out(Tensor self, SymInt[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::round_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:202: aten::round.out is bound to tenon::native::round_out, whose type differs from its schema round.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::rsqrt_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:52: aten::rsqrt.out is bound to tenon::native::rsqrt_out, whose type differs from its schema rsqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::rsub_scalar_out, Tensor&(const Tensor&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:302: aten::rsub.Scalar_out is bound to tenon::native::rsub_scalar_out, whose type differs from its schema rsub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::scalar_tensor_out, Tensor&(const Scalar&, Tensor&)>,
              "functions.yaml:775: aten::scalar_tensor.out is bound to tenon::native::scalar_tensor_out, whose type differs from its schema scalar_tensor.out(Scalar s, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::scatter_src_out, Tensor&(const Tensor&, int64_t, const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:1055: aten::scatter.src_out is bound to tenon::native::scatter_src_out, whose type differs from its schema scatter.src_out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::scatter_value_out, Tensor&(const Tensor&, int64_t, const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:1060: aten::scatter.value_out is bound to tenon::native::scatter_value_out, whose type differs from its schema scatter.value_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::scatter_add_out, Tensor&(const Tensor&, int64_t, const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:1095: aten::scatter_add.out is bound to tenon::native::scatter_add_out, whose type differs from its schema scatter_add.out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::scatter_reduce_two_out, Tensor&(const Tensor&, int64_t, const Tensor&, const Tensor&, std::string_view, bool, Tensor&)>,
              "functions.yaml:1100: aten::scatter_reduce.two_out is bound to tenon::native::scatter_reduce_two_out, whose type differs from its schema scatter_reduce.two_out(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::select_copy_int_out, Tensor&(const Tensor&, int64_t, int64_t, Tensor&)>,
              "functions.yaml:596: aten::select_copy.int_out is bound to tenon::native::select_copy_int_out, whose type differs from its schema select_copy.int_out(Tensor self, int dim, SymInt index, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::select_scatter_out, Tensor&(const Tensor&, const Tensor&, int64_t, int64_t, Tensor&)>,
              "functions.yaml:621: aten::select_scatter.out is bound to tenon::native::select_scatter_out, whose type differs from its schema select_scatter.out(Tensor self, Tensor src, int dim, SymInt index, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sgn_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:22: aten::sgn.out is bound to tenon::native::sgn_out, whose type differs from its schema sgn.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sigmoid_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:182: aten::sigmoid.out is bound to tenon::native::sigmoid_out, whose type differs from its schema sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sign_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:17: aten::sign.out is bound to tenon::native::sign_out, whose type differs from its schema sign.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::signbit_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:27: aten::signbit.out is bound to tenon::native::signbit_out, whose type differs from its schema signbit.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::silu_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:237: aten::silu.out is bound to tenon::native::silu_out, whose type differs from its schema silu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sin_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:97: aten::sin.out is bound to tenon::native::sin_out, whose type differs from its schema sin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sinh_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:127: aten::sinh.out is bound to tenon::native::sinh_out, whose type differs from its schema sinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::slice_copy_tensor_out, Tensor&(const Tensor&, int64_t, std::optional<int64_t>, std::optional<int64_t>, int64_t, Tensor&)>,
              "functions.yaml:601: aten::slice_copy.Tensor_out is bound to tenon::native::slice_copy_tensor_out, whose type differs from its schema slice_copy.Tensor_out(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::slice_scatter_out, Tensor&(const Tensor&, const Tensor&, int64_t, std::optional<int64_t>, std::optional<int64_t>, int64_t, Tensor&)>,
              "functions.yaml:626: aten::slice_scatter.out is bound to tenon::native::slice_scatter_out, whose type differs from its schema slice_scatter.out(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sort_values, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, bool, Tensor&, Tensor&)>,
              "functions.yaml:1110: aten::sort.values is bound to tenon::native::sort_values, whose type differs from its schema sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
static_assert(is_kernel<&::tenon::native::split_copy_tensor_out, void(const Tensor&, int64_t, int64_t, TensorList)>,
              "functions.yaml:713: aten::split_copy.Tensor_out is bound to tenon::native::split_copy_tensor_out, whose type differs from its schema split_copy.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, Tensor(a!)[] out) -> ()");
static_assert(is_kernel<&::tenon::native::split_with_sizes_copy_out, void(const Tensor&, ArrayRef<int64_t>, int64_t, TensorList)>,
              "functions.yaml:708: aten::split_with_sizes_copy.out is bound to tenon::native::split_with_sizes_copy_out, whose type differs from its schema split_with_sizes_copy.out(Tensor self, SymInt[] split_sizes, int dim=0, *, Tensor(a!)[] out) -> ()");
static_assert(is_kernel<&::tenon::native::sqrt_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:47: aten::sqrt.out is bound to tenon::native::sqrt_out, whose type differs from its schema sqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::square_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:42: aten::square.out is bound to tenon::native::square_out, whose type differs from its schema square.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::squeeze_copy_dim_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:561: aten::squeeze_copy.dim_out is bound to tenon::native::squeeze_copy_dim_out, whose type differs from its schema squeeze_copy.dim_out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::squeeze_copy_dims_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:566: aten::squeeze_copy.dims_out is bound to tenon::native::squeeze_copy_dims_out, whose type differs from its schema squeeze_copy.dims_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::stack_out, Tensor&(TensorList, int64_t, Tensor&)>,
              "functions.yaml:693: aten::stack.out is bound to tenon::native::stack_out, whose type differs from its schema stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sub_scalar_out, Tensor&(const Tensor&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:297: aten::sub.Scalar_out is bound to tenon::native::sub_scalar_out, whose type differs from its schema sub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sub_out, Tensor&(const Tensor&, const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:292: aten::sub.out is bound to tenon::native::sub_out, whose type differs from its schema sub.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sum_intlist_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, std::optional<ScalarType>, Tensor&)>,
              "functions.yaml:896: aten::sum.IntList_out is bound to tenon::native::sum_intlist_out, whose type differs from its schema sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::t_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:576: aten::t_copy.out is bound to tenon::native::t_copy_out, whose type differs from its schema t_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::tan_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:107: aten::tan.out is bound to tenon::native::tan_out, whose type differs from its schema tan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::tanh_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:137: aten::tanh.out is bound to tenon::native::tanh_out, whose type differs from its schema tanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::topk_values, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, int64_t, bool, bool, Tensor&, Tensor&)>,
              "functions.yaml:971: aten::topk.values is bound to tenon::native::topk_values, whose type differs from its schema topk.values(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
static_assert(is_kernel<&::tenon::native::transpose_copy_int_out, Tensor&(const Tensor&, int64_t, int64_t, Tensor&)>,
              "functions.yaml:581: aten::transpose_copy.int_out is bound to tenon::native::transpose_copy_int_out, whose type differs from its schema transpose_copy.int_out(Tensor self, int dim0, int dim1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::tril_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:606: aten::tril.out is bound to tenon::native::tril_out, whose type differs from its schema tril.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::triu_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:611: aten::triu.out is bound to tenon::native::triu_out, whose type differs from its schema triu.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::trunc_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:207: aten::trunc.out is bound to tenon::native::trunc_out, whose type differs from its schema trunc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::unbind_copy_int_out, void(const Tensor&, int64_t, TensorList)>,
              "functions.yaml:718: aten::unbind_copy.int_out is bound to tenon::native::unbind_copy_int_out, whose type differs from its schema unbind_copy.int_out(Tensor self, int dim=0, *, Tensor(a!)[] out) -> ()");
static_assert(is_kernel<&::tenon::native::unfold_copy_out, Tensor&(const Tensor&, int64_t, int64_t, int64_t, Tensor&)>,
              "functions.yaml:636: aten::unfold_copy.out is bound to tenon::native::unfold_copy_out, whose type differs from its schema unfold_copy.out(Tensor self, int dimension, int size, int step, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::unsqueeze_copy_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:571: aten::unsqueeze_copy.out is bound to tenon::native::unsqueeze_copy_out, whose type differs from its schema unsqueeze_copy.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::upsample_bilinear2d_vec_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, std::optional<ArrayRef<double>>, Tensor&)>,
              "functions.yaml:1120: aten::upsample_bilinear2d.vec_out is bound to tenon::native::upsample_bilinear2d_vec_out, whose type differs from its schema upsample_bilinear2d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::upsample_nearest2d_vec_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, std::optional<ArrayRef<double>>, Tensor&)>,
              "functions.yaml:1115: aten::upsample_nearest2d.vec_out is bound to tenon::native::upsample_nearest2d_vec_out, whose type differs from its schema upsample_nearest2d.vec_out(Tensor input, SymInt[]? output_size, float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::var_correction_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, const std::optional<Scalar>&, bool, Tensor&)>,
              "functions.yaml:936: aten::var.correction_out is bound to tenon::native::var_correction_out, whose type differs from its schema var.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::var_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, bool, Tensor&)>,
              "functions.yaml:941: aten::var.out is bound to tenon::native::var_out, whose type differs from its schema var.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::var_mean_correction_out, std::tuple<Tensor&, Tensor&>(const Tensor&, std::optional<ArrayRef<int64_t>>, const std::optional<Scalar>&, bool, Tensor&, Tensor&)>,
              "functions.yaml:946: aten::var_mean.correction_out is bound to tenon::native::var_mean_correction_out, whose type differs from its schema var_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
static_assert(is_kernel<&::tenon::native::view_as_real_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:676: aten::view_as_real_copy.out is bound to tenon::native::view_as_real_copy_out, whose type differs from its schema view_as_real_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::view_copy_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:556: aten::view_copy.out is bound to tenon::native::view_copy_out, whose type differs from its schema view_copy.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::where_self_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:457: aten::where.self_out is bound to tenon::native::where_self_out, whose type differs from its schema where.self_out(Tensor condition, Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::zeros_out, Tensor&(ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:790: aten::zeros.out is bound to tenon::native::zeros_out, whose type differs from its schema zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_clone_dim_order_out, Tensor&(const Tensor&, bool, std::optional<ArrayRef<int64_t>>, Tensor&)>,
              "custom_ops.yaml:10: dim_order_ops::_clone_dim_order.out is bound to tenon::native::_clone_dim_order_out, whose type differs from its schema _clone_dim_order.out(Tensor self, *, bool non_blocking=False, int[]? dim_order=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_empty_dim_order_out, Tensor&(ArrayRef<int64_t>, std::optional<ArrayRef<int64_t>>, Tensor&)>,
              "custom_ops.yaml:15: dim_order_ops::_empty_dim_order.out is bound to tenon::native::_empty_dim_order_out, whose type differs from its schema _empty_dim_order.out(int[] size, *, int[]? dim_order=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_to_dim_order_copy_out, Tensor&(const Tensor&, bool, std::optional<ArrayRef<int64_t>>, Tensor&)>,
              "custom_ops.yaml:5: dim_order_ops::_to_dim_order_copy.out is bound to tenon::native::_to_dim_order_copy_out, whose type differs from its schema _to_dim_order_copy.out(Tensor self, *, bool non_blocking=False, int[]? dim_order=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::quantized_add_out, Tensor&(const Tensor&, double, int64_t, int64_t, int64_t, const Tensor&, double, int64_t, int64_t, int64_t, double, int64_t, int64_t, int64_t, Tensor&)>,
              "custom_ops.yaml:145: quantized_decomposed::add.out is bound to tenon::native::quantized_add_out, whose type differs from its schema add.out(Tensor a, float a_scale, int a_zero_point, int a_quant_min, int a_quant_max, Tensor b, float b_scale, int b_zero_point, int b_quant_min, int b_quant_max, float out_scale, int out_zero_point, int out_quant_min, int out_quant_max, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::choose_qparams_tensor_out, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, int64_t, double, ScalarType, Tensor&, Tensor&)>,
              "custom_ops.yaml:85: quantized_decomposed::choose_qparams.Tensor_out is bound to tenon::native::choose_qparams_tensor_out, whose type differs from its schema choose_qparams.Tensor_out(Tensor input, int quant_min, int quant_max, float eps, ScalarType dtype, *, Tensor(a!) scale_out, Tensor(b!) zero_point_out) -> (Tensor(a!), Tensor(b!))");
static_assert(is_kernel<&::tenon::native::choose_qparams_per_token_out, std::tuple<Tensor&, Tensor&>(const Tensor&, ScalarType, Tensor&, Tensor&)>,
              "custom_ops.yaml:95: quantized_decomposed::choose_qparams_per_token.out is bound to tenon::native::choose_qparams_per_token_out, whose type differs from its schema choose_qparams_per_token.out(Tensor input, ScalarType dtype, *, Tensor(a!) scale_out, Tensor(b!) zero_point_out) -> (Tensor(a!), Tensor(b!))");
static_assert(is_kernel<&::tenon::native::choose_qparams_per_token_asymmetric_out, std::tuple<Tensor&, Tensor&>(const Tensor&, ScalarType, Tensor&, Tensor&)>,
              "custom_ops.yaml:100: quantized_decomposed::choose_qparams_per_token_asymmetric.out is bound to tenon::native::choose_qparams_per_token_asymmetric_out, whose type differs from its schema choose_qparams_per_token_asymmetric.out(Tensor input, ScalarType dtype, *, Tensor(a!) scale_out, Tensor(b!) zero_point_out) -> (Tensor(a!), Tensor(b!))");
static_assert(is_kernel<&::tenon::native::choose_qparams_symmetric_tensor_out, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, int64_t, double, ScalarType, Tensor&, Tensor&)>,
              "custom_ops.yaml:90: quantized_decomposed::choose_qparams_symmetric.Tensor_out is bound to tenon::native::choose_qparams_symmetric_tensor_out, whose type differs from its schema choose_qparams_symmetric.Tensor_out(Tensor input, int quant_min, int quant_max, float eps, ScalarType dtype, *, Tensor(a!) scale_out, Tensor(b!) zero_point_out) -> (Tensor(a!), Tensor(b!))");
static_assert(is_kernel<&::tenon::native::convert_element_type_no_fuse_out, Tensor&(const Tensor&, ScalarType, Tensor&)>,
              "custom_ops.yaml:80: quantized_decomposed::convert_element_type.no_fuse_out is bound to tenon::native::convert_element_type_no_fuse_out, whose type differs from its schema convert_element_type.no_fuse_out(Tensor input, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::dequantize_per_channel_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, int64_t, int64_t, ScalarType, std::optional<ScalarType>, Tensor&)>,
              "custom_ops.yaml:65: quantized_decomposed::dequantize_per_channel.out is bound to tenon::native::dequantize_per_channel_out, whose type differs from its schema dequantize_per_channel.out(Tensor input, Tensor scales, Tensor? zero_points, int axis, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::dequantize_per_channel_group_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, int64_t, ScalarType, int64_t, ScalarType, Tensor&)>,
              "custom_ops.yaml:75: quantized_decomposed::dequantize_per_channel_group.out is bound to tenon::native::dequantize_per_channel_group_out, whose type differs from its schema dequantize_per_channel_group.out(Tensor input, Tensor scales, Tensor? zero_points, int quant_min, int quant_max, ScalarType dtype, int group_size, ScalarType output_dtype, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::dequantize_per_tensor_tensor2_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&, ScalarType, std::optional<ScalarType>, Tensor&)>,
              "custom_ops.yaml:60: quantized_decomposed::dequantize_per_tensor.Tensor2_out is bound to tenon::native::dequantize_per_tensor_tensor2_out, whose type differs from its schema dequantize_per_tensor.Tensor2_out(Tensor input, Tensor scale, Tensor zero_point, Tensor quant_min, Tensor quant_max, ScalarType dtype, *, ScalarType? out_dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::dequantize_per_tensor_tensor_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, int64_t, int64_t, ScalarType, std::optional<ScalarType>, Tensor&)>,
              "custom_ops.yaml:55: quantized_decomposed::dequantize_per_tensor.Tensor_out is bound to tenon::native::dequantize_per_tensor_tensor_out, whose type differs from its schema dequantize_per_tensor.Tensor_out(Tensor input, Tensor scale, Tensor zero_point, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::dequantize_per_tensor_out, Tensor&(const Tensor&, double, int64_t, int64_t, int64_t, ScalarType, std::optional<ScalarType>, Tensor&)>,
              "custom_ops.yaml:50: quantized_decomposed::dequantize_per_tensor.out is bound to tenon::native::dequantize_per_tensor_out, whose type differs from its schema dequantize_per_tensor.out(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::dequantize_per_token_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, int64_t, int64_t, ScalarType, ScalarType, Tensor&)>,
              "custom_ops.yaml:70: quantized_decomposed::dequantize_per_token.out is bound to tenon::native::dequantize_per_token_out, whose type differs from its schema dequantize_per_token.out(Tensor input, Tensor scales, Tensor zero_points, int quant_min, int quant_max, ScalarType dtype, ScalarType output_dtype, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::embedding_2bit_dtype_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, int64_t, const Tensor&, std::optional<ScalarType>, Tensor&)>,
              "custom_ops.yaml:130: quantized_decomposed::embedding_2bit.dtype_out is bound to tenon::native::embedding_2bit_dtype_out, whose type differs from its schema embedding_2bit.dtype_out(Tensor weight, Tensor weight_scales, Tensor? weight_zero_points, int weight_quant_min, int weight_quant_max, Tensor indices, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::embedding_2bit_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, int64_t, const Tensor&, Tensor&)>,
              "custom_ops.yaml:125: quantized_decomposed::embedding_2bit.out is bound to tenon::native::embedding_2bit_out, whose type differs from its schema embedding_2bit.out(Tensor weight, Tensor weight_scales, Tensor? weight_zero_points, int weight_quant_min, int weight_quant_max, Tensor indices, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::embedding_4bit_dtype_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, int64_t, const Tensor&, std::optional<ScalarType>, Tensor&)>,
              "custom_ops.yaml:120: quantized_decomposed::embedding_4bit.dtype_out is bound to tenon::native::embedding_4bit_dtype_out, whose type differs from its schema embedding_4bit.dtype_out(Tensor weight, Tensor weight_scales, Tensor? weight_zero_points, int weight_quant_min, int weight_quant_max, Tensor indices, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::embedding_4bit_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, int64_t, const Tensor&, Tensor&)>,
              "custom_ops.yaml:115: quantized_decomposed::embedding_4bit.out is bound to tenon::native::embedding_4bit_out, whose type differs from its schema embedding_4bit.out(Tensor weight, Tensor weight_scales, Tensor? weight_zero_points, int weight_quant_min, int weight_quant_max, Tensor indices, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::embedding_byte_dtype_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, int64_t, const Tensor&, std::optional<ScalarType>, Tensor&)>,
              "custom_ops.yaml:110: quantized_decomposed::embedding_byte.dtype_out is bound to tenon::native::embedding_byte_dtype_out, whose type differs from its schema embedding_byte.dtype_out(Tensor weight, Tensor weight_scales, Tensor? weight_zero_points, int weight_quant_min, int weight_quant_max, Tensor indices, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::embedding_byte_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, int64_t, const Tensor&, Tensor&)>,
              "custom_ops.yaml:105: quantized_decomposed::embedding_byte.out is bound to tenon::native::embedding_byte_out, whose type differs from its schema embedding_byte.out(Tensor weight, Tensor weight_scales, Tensor? weight_zero_points, int weight_quant_min, int weight_quant_max, Tensor indices, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::mixed_linear_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, const std::optional<Tensor>&, std::optional<ScalarType>, Tensor&)>,
              "custom_ops.yaml:140: quantized_decomposed::mixed_linear.out is bound to tenon::native::mixed_linear_out, whose type differs from its schema mixed_linear.out(Tensor input, Tensor weight, Tensor weight_scales, Tensor? weight_zero_points, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::mixed_mm_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, const std::optional<Tensor>&, Tensor&)>,
              "custom_ops.yaml:135: quantized_decomposed::mixed_mm.out is bound to tenon::native::mixed_mm_out, whose type differs from its schema mixed_mm.out(Tensor input, Tensor weight, Tensor weight_scales, Tensor? weight_zero_points, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::quantize_per_channel_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, int64_t, int64_t, int64_t, ScalarType, Tensor&)>,
              "custom_ops.yaml:35: quantized_decomposed::quantize_per_channel.out is bound to tenon::native::quantize_per_channel_out, whose type differs from its schema quantize_per_channel.out(Tensor input, Tensor scales, Tensor zero_points, int axis, int quant_min, int quant_max, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::quantize_per_channel_group_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, int64_t, int64_t, ScalarType, int64_t, Tensor&)>,
              "custom_ops.yaml:45: quantized_decomposed::quantize_per_channel_group.out is bound to tenon::native::quantize_per_channel_group_out, whose type differs from its schema quantize_per_channel_group.out(Tensor input, Tensor scales, Tensor zero_points, int quant_min, int quant_max, ScalarType dtype, int group_size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::quantize_per_tensor_tensor2_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&, ScalarType, Tensor&)>,
              "custom_ops.yaml:30: quantized_decomposed::quantize_per_tensor.Tensor2_out is bound to tenon::native::quantize_per_tensor_tensor2_out, whose type differs from its schema quantize_per_tensor.Tensor2_out(Tensor input, Tensor scale, Tensor zero_point, Tensor quant_min, Tensor quant_max, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::quantize_per_tensor_tensor_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, int64_t, int64_t, ScalarType, Tensor&)>,
              "custom_ops.yaml:25: quantized_decomposed::quantize_per_tensor.Tensor_out is bound to tenon::native::quantize_per_tensor_tensor_out, whose type differs from its schema quantize_per_tensor.Tensor_out(Tensor input, Tensor scale, Tensor zero_point, int quant_min, int quant_max, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::quantize_per_tensor_out, Tensor&(const Tensor&, double, int64_t, int64_t, int64_t, ScalarType, Tensor&)>,
              "custom_ops.yaml:20: quantized_decomposed::quantize_per_tensor.out is bound to tenon::native::quantize_per_tensor_out, whose type differs from its schema quantize_per_tensor.out(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::quantize_per_token_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, int64_t, int64_t, ScalarType, Tensor&)>,
              "custom_ops.yaml:40: quantized_decomposed::quantize_per_token.out is bound to tenon::native::quantize_per_token_out, whose type differs from its schema quantize_per_token.out(Tensor input, Tensor scales, Tensor zero_points, int quant_min, int quant_max, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)");

constexpr Kernel rows[] = {
    {"aten::_adaptive_avg_pool2d.out", &boxed<&::tenon::native::_adaptive_avg_pool2d_out>},
    {"aten::_adaptive_avg_pool2d_backward.out", &boxed<&::tenon::native::_adaptive_avg_pool2d_backward_out>},
    {"aten::_adaptive_avg_pool3d.out", &boxed<&::tenon::native::_adaptive_avg_pool3d_out>},
    {"aten::_cdist_forward.out", &boxed<&::tenon::native::_cdist_forward_out>},
    {"aten::_conj_physical.out", &boxed<&::tenon::native::_conj_physical_out>},
    {"aten::_log_softmax.out", &boxed<&::tenon::native::_log_softmax_out>},
    {"aten::_native_batch_norm_legit.no_stats_out", &boxed<&::tenon::native::_native_batch_norm_legit_no_stats_out>},
    {"aten::_native_batch_norm_legit_no_training.out", &boxed<&::tenon::native::_native_batch_norm_legit_no_training_out>},
    {"aten::_pdist_forward.out", &boxed<&::tenon::native::_pdist_forward_out>},
    {"aten::_softmax.out", &boxed<&::tenon::native::_softmax_out>},
    {"aten::_to_copy.out", &boxed<&::tenon::native::_to_copy_out>},
    {"aten::_upsample_bilinear2d_aa.out", &boxed<&::tenon::native::_upsample_bilinear2d_aa_out>},
    {"aten::abs.out", &boxed<&::tenon::native::abs_out>},
    {"aten::acos.out", &boxed<&::tenon::native::acos_out>},
    {"aten::acosh.out", &boxed<&::tenon::native::acosh_out>},
    {"aten::adaptive_avg_pool1d.out", &boxed<&::tenon::native::adaptive_avg_pool1d_out>},
    {"aten::add.Scalar_out", &boxed<&::tenon::native::add_scalar_out>},
    {"aten::add.out", &boxed<&::tenon::native::add_out>},
    {"aten::addmm.out", &boxed<&::tenon::native::addmm_out>},
    {"aten::alias_copy.out", &boxed<&::tenon::native::alias_copy_out>},
    {"aten::all.all_out", &boxed<&::tenon::native::all_all_out>},
    {"aten::all.dims_out", &boxed<&::tenon::native::all_dims_out>},
    {"aten::all.out", &boxed<&::tenon::native::all_out>},
    {"aten::amax.out", &boxed<&::tenon::native::amax_out>},
    {"aten::amin.out", &boxed<&::tenon::native::amin_out>},
    {"aten::any.all_out", &boxed<&::tenon::native::any_all_out>},
    {"aten::any.dims_out", &boxed<&::tenon::native::any_dims_out>},
    {"aten::any.out", &boxed<&::tenon::native::any_out>},
    {"aten::arange.out", &boxed<&::tenon::native::arange_out>},
    {"aten::arange.start_out", &boxed<&::tenon::native::arange_start_out>},
    {"aten::argmax.out", &boxed<&::tenon::native::argmax_out>},
    {"aten::argmin.out", &boxed<&::tenon::native::argmin_out>},
    {"aten::as_strided_copy.out", &boxed<&::tenon::native::as_strided_copy_out>},
    {"aten::asin.out", &boxed<&::tenon::native::asin_out>},
    {"aten::asinh.out", &boxed<&::tenon::native::asinh_out>},
    {"aten::atan.out", &boxed<&::tenon::native::atan_out>},
    {"aten::atan2.out", &boxed<&::tenon::native::atan2_out>},
    {"aten::atanh.out", &boxed<&::tenon::native::atanh_out>},
    {"aten::avg_pool1d.out", &boxed<&::tenon::native::avg_pool1d_out>},
    {"aten::avg_pool2d.out", &boxed<&::tenon::native::avg_pool2d_out>},
    {"aten::avg_pool2d_backward.grad_input", &boxed<&::tenon::native::avg_pool2d_backward_grad_input>},
    {"aten::avg_pool3d.out", &boxed<&::tenon::native::avg_pool3d_out>},
    {"aten::bitwise_and.Scalar_out", &boxed<&::tenon::native::bitwise_and_scalar_out>},
    {"aten::bitwise_and.Tensor_out", &boxed<&::tenon::native::bitwise_and_tensor_out>},
    {"aten::bitwise_left_shift.Tensor_Scalar_out", &boxed<&::tenon::native::bitwise_left_shift_tensor_scalar_out>},
    {"aten::bitwise_left_shift.Tensor_out", &boxed<&::tenon::native::bitwise_left_shift_tensor_out>},
    {"aten::bitwise_not.out", &boxed<&::tenon::native::bitwise_not_out>},
    {"aten::bitwise_or.Scalar_out", &boxed<&::tenon::native::bitwise_or_scalar_out>},
    {"aten::bitwise_or.Tensor_out", &boxed<&::tenon::native::bitwise_or_tensor_out>},
    {"aten::bitwise_right_shift.Tensor_Scalar_out", &boxed<&::tenon::native::bitwise_right_shift_tensor_scalar_out>},
    {"aten::bitwise_right_shift.Tensor_out", &boxed<&::tenon::native::bitwise_right_shift_tensor_out>},
    {"aten::bitwise_xor.Scalar_out", &boxed<&::tenon::native::bitwise_xor_scalar_out>},
    {"aten::bitwise_xor.Tensor_out", &boxed<&::tenon::native::bitwise_xor_tensor_out>},
    {"aten::bmm.out", &boxed<&::tenon::native::bmm_out>},
    {"aten::cat.out", &boxed<&::tenon::native::cat_out>},
    {"aten::ceil.out", &boxed<&::tenon::native::ceil_out>},
    {"aten::clamp.Tensor_out", &boxed<&::tenon::native::clamp_tensor_out>},
    {"aten::clamp.out", &boxed<&::tenon::native::clamp_out>},
    {"aten::clone.out", &boxed<&::tenon::native::clone_out>},
    {"aten::constant_pad_nd.out", &boxed<&::tenon::native::constant_pad_nd_out>},
    {"aten::convolution.out", &boxed<&::tenon::native::convolution_out>},
    {"aten::copy.out", &boxed<&::tenon::native::copy_out>},
    {"aten::copy_", &boxed<&::tenon::native::copy_>},
    {"aten::cos.out", &boxed<&::tenon::native::cos_out>},
    {"aten::cosh.out", &boxed<&::tenon::native::cosh_out>},
    {"aten::cumsum.out", &boxed<&::tenon::native::cumsum_out>},
    {"aten::detach_copy.out", &boxed<&::tenon::native::detach_copy_out>},
    {"aten::diagonal_copy.out", &boxed<&::tenon::native::diagonal_copy_out>},
    {"aten::digamma.out", &boxed<&::tenon::native::digamma_out>},
    {"aten::div.Scalar_mode_out", &boxed<&::tenon::native::div_scalar_mode_out>},
    {"aten::div.Scalar_out", &boxed<&::tenon::native::div_scalar_out>},
    {"aten::div.out", &boxed<&::tenon::native::div_out>},
    {"aten::div.out_mode", &boxed<&::tenon::native::div_out_mode>},
    {"aten::elu.out", &boxed<&::tenon::native::elu_out>},
    {"aten::embedding.out", &boxed<&::tenon::native::embedding_out>},
    {"aten::embedding_dense_backward.out", &boxed<&::tenon::native::embedding_dense_backward_out>},
    {"aten::empty.out", &boxed<&::tenon::native::empty_out>},
    {"aten::empty_strided.out", &boxed<&::tenon::native::empty_strided_out>},
    {"aten::eq.Scalar_out", &boxed<&::tenon::native::eq_scalar_out>},
    {"aten::eq.Tensor_out", &boxed<&::tenon::native::eq_tensor_out>},
    {"aten::erf.out", &boxed<&::tenon::native::erf_out>},
    {"aten::erfc.out", &boxed<&::tenon::native::erfc_out>},
    {"aten::erfinv.out", &boxed<&::tenon::native::erfinv_out>},
    {"aten::exp.out", &boxed<&::tenon::native::exp_out>},
    {"aten::exp2.out", &boxed<&::tenon::native::exp2_out>},
    {"aten::expand_copy.out", &boxed<&::tenon::native::expand_copy_out>},
    {"aten::expm1.out", &boxed<&::tenon::native::expm1_out>},
    {"aten::fill.Scalar_out", &boxed<&::tenon::native::fill_scalar_out>},
    {"aten::fill.Tensor_out", &boxed<&::tenon::native::fill_tensor_out>},
    {"aten::flip.out", &boxed<&::tenon::native::flip_out>},
    {"aten::floor.out", &boxed<&::tenon::native::floor_out>},
    {"aten::floor_divide.out", &boxed<&::tenon::native::floor_divide_out>},
    {"aten::fmod.Scalar_out", &boxed<&::tenon::native::fmod_scalar_out>},
    {"aten::fmod.Tensor_out", &boxed<&::tenon::native::fmod_tensor_out>},
    {"aten::frac.out", &boxed<&::tenon::native::frac_out>},
    {"aten::full.out", &boxed<&::tenon::native::full_out>},
    {"aten::full_like.out", &boxed<&::tenon::native::full_like_out>},
    {"aten::gather.out", &boxed<&::tenon::native::gather_out>},
    {"aten::ge.Scalar_out", &boxed<&::tenon::native::ge_scalar_out>},
    {"aten::ge.Tensor_out", &boxed<&::tenon::native::ge_tensor_out>},
    {"aten::gelu.out", &boxed<&::tenon::native::gelu_out>},
    {"aten::glu.out", &boxed<&::tenon::native::glu_out>},
    {"aten::grid_sampler_2d.out", &boxed<&::tenon::native::grid_sampler_2d_out>},
    {"aten::gt.Scalar_out", &boxed<&::tenon::native::gt_scalar_out>},
    {"aten::gt.Tensor_out", &boxed<&::tenon::native::gt_tensor_out>},
    {"aten::hardsigmoid.out", &boxed<&::tenon::native::hardsigmoid_out>},
    {"aten::hardswish.out", &boxed<&::tenon::native::hardswish_out>},
    {"aten::hardtanh.out", &boxed<&::tenon::native::hardtanh_out>},
    {"aten::index.Tensor_out", &boxed<&::tenon::native::index_tensor_out>},
    {"aten::index_put.out", &boxed<&::tenon::native::index_put_out>},
    {"aten::index_put_", &boxed<&::tenon::native::index_put_>},
    {"aten::index_select.out", &boxed<&::tenon::native::index_select_out>},
    {"aten::isinf.out", &boxed<&::tenon::native::isinf_out>},
    {"aten::isnan.out", &boxed<&::tenon::native::isnan_out>},
    {"aten::le.Scalar_out", &boxed<&::tenon::native::le_scalar_out>},
    {"aten::le.Tensor_out", &boxed<&::tenon::native::le_tensor_out>},
    {"aten::leaky_relu.out", &boxed<&::tenon::native::leaky_relu_out>},
    {"aten::lgamma.out", &boxed<&::tenon::native::lgamma_out>},
    {"aten::lift_fresh_copy.out", &boxed<&::tenon::native::lift_fresh_copy_out>},
    {"aten::linear.out", &boxed<&::tenon::native::linear_out>},
    {"aten::log.out", &boxed<&::tenon::native::log_out>},
    {"aten::log10.out", &boxed<&::tenon::native::log10_out>},
    {"aten::log1p.out", &boxed<&::tenon::native::log1p_out>},
    {"aten::log2.out", &boxed<&::tenon::native::log2_out>},
    {"aten::logical_and.out", &boxed<&::tenon::native::logical_and_out>},
    {"aten::logical_not.out", &boxed<&::tenon::native::logical_not_out>},
    {"aten::logical_or.out", &boxed<&::tenon::native::logical_or_out>},
    {"aten::logical_xor.out", &boxed<&::tenon::native::logical_xor_out>},
    {"aten::logit.out", &boxed<&::tenon::native::logit_out>},
    {"aten::lt.Scalar_out", &boxed<&::tenon::native::lt_scalar_out>},
    {"aten::lt.Tensor_out", &boxed<&::tenon::native::lt_tensor_out>},
    {"aten::masked_fill.Scalar_out", &boxed<&::tenon::native::masked_fill_scalar_out>},
    {"aten::masked_scatter.out", &boxed<&::tenon::native::masked_scatter_out>},
    {"aten::masked_select.out", &boxed<&::tenon::native::masked_select_out>},
    {"aten::max.dim_max", &boxed<&::tenon::native::max_dim_max>},
    {"aten::max.unary_out", &boxed<&::tenon::native::max_unary_out>},
    {"aten::max_pool2d_with_indices.out", &boxed<&::tenon::native::max_pool2d_with_indices_out>},
    {"aten::max_pool2d_with_indices_backward.grad_input", &boxed<&::tenon::native::max_pool2d_with_indices_backward_grad_input>},
    {"aten::max_pool3d_with_indices.out", &boxed<&::tenon::native::max_pool3d_with_indices_out>},
    {"aten::maximum.out", &boxed<&::tenon::native::maximum_out>},
    {"aten::mean.dtype_out", &boxed<&::tenon::native::mean_dtype_out>},
    {"aten::mean.out", &boxed<&::tenon::native::mean_out>},
    {"aten::min.dim_min", &boxed<&::tenon::native::min_dim_min>},
    {"aten::min.unary_out", &boxed<&::tenon::native::min_unary_out>},
    {"aten::minimum.out", &boxed<&::tenon::native::minimum_out>},
    {"aten::mm.out", &boxed<&::tenon::native::mm_out>},
    {"aten::mul.Scalar_out", &boxed<&::tenon::native::mul_scalar_out>},
    {"aten::mul.out", &boxed<&::tenon::native::mul_out>},
    {"aten::narrow_copy.out", &boxed<&::tenon::native::narrow_copy_out>},
    {"aten::native_group_norm.out", &boxed<&::tenon::native::native_group_norm_out>},
    {"aten::native_group_norm_backward.out", &boxed<&::tenon::native::native_group_norm_backward_out>},
    {"aten::native_layer_norm.out", &boxed<&::tenon::native::native_layer_norm_out>},
    {"aten::native_layer_norm_backward.out", &boxed<&::tenon::native::native_layer_norm_backward_out>},
    {"aten::ne.Scalar_out", &boxed<&::tenon::native::ne_scalar_out>},
    {"aten::ne.Tensor_out", &boxed<&::tenon::native::ne_tensor_out>},
    {"aten::neg.out", &boxed<&::tenon::native::neg_out>},
    {"aten::nonzero.out", &boxed<&::tenon::native::nonzero_out>},
    {"aten::ones.out", &boxed<&::tenon::native::ones_out>},
    {"aten::permute_copy.out", &boxed<&::tenon::native::permute_copy_out>},
    {"aten::pixel_shuffle.out", &boxed<&::tenon::native::pixel_shuffle_out>},
    {"aten::pixel_unshuffle.out", &boxed<&::tenon::native::pixel_unshuffle_out>},
    {"aten::pow.Scalar_out", &boxed<&::tenon::native::pow_scalar_out>},
    {"aten::pow.Tensor_Scalar_out", &boxed<&::tenon::native::pow_tensor_scalar_out>},
    {"aten::pow.Tensor_Tensor_out", &boxed<&::tenon::native::pow_tensor_tensor_out>},
    {"aten::prod.int_out", &boxed<&::tenon::native::prod_int_out>},
    {"aten::prod.out", &boxed<&::tenon::native::prod_out>},
    {"aten::reciprocal.out", &boxed<&::tenon::native::reciprocal_out>},
    {"aten::reflection_pad1d.out", &boxed<&::tenon::native::reflection_pad1d_out>},
    {"aten::reflection_pad2d.out", &boxed<&::tenon::native::reflection_pad2d_out>},
    {"aten::reflection_pad3d.out", &boxed<&::tenon::native::reflection_pad3d_out>},
    {"aten::relu.out", &boxed<&::tenon::native::relu_out>},
    {"aten::remainder.Scalar_out", &boxed<&::tenon::native::remainder_scalar_out>},
    {"aten::remainder.Tensor_out", &boxed<&::tenon::native::remainder_tensor_out>},
    {"aten::repeat.out", &boxed<&::tenon::native::repeat_out>},
    {"aten::repeat_interleave.Tensor_out", &boxed<&::tenon::native::repeat_interleave_tensor_out>},
    {"aten::replication_pad1d.out", &boxed<&::tenon::native::replication_pad1d_out>},
    {"aten::replication_pad2d.out", &boxed<&::tenon::native::replication_pad2d_out>},
    {"aten::replication_pad3d.out", &boxed<&::tenon::native::replication_pad3d_out>},
    {"aten::roll.out", &boxed<&::tenon::native::roll_out>},
    {"aten::round.out", &boxed<&::tenon::native::round_out>},
    {"aten::rsqrt.out", &boxed<&::tenon::native::rsqrt_out>},
    {"aten::rsub.Scalar_out", &boxed<&::tenon::native::rsub_scalar_out>},
    {"aten::scalar_tensor.out", &boxed<&::tenon::native::scalar_tensor_out>},
    {"aten::scatter.src_out", &boxed<&::tenon::native::scatter_src_out>},
    {"aten::scatter.value_out", &boxed<&::tenon::native::scatter_value_out>},
    {"aten::scatter_add.out", &boxed<&::tenon::native::scatter_add_out>},
    {"aten::scatter_reduce.two_out", &boxed<&::tenon::native::scatter_reduce_two_out>},
    {"aten::select_copy.int_out", &boxed<&::tenon::native::select_copy_int_out>},
    {"aten::select_scatter.out", &boxed<&::tenon::native::select_scatter_out>},
    {"aten::sgn.out", &boxed<&::tenon::native::sgn_out>},
    {"aten::sigmoid.out", &boxed<&::tenon::native::sigmoid_out>},
    {"aten::sign.out", &boxed<&::tenon::native::sign_out>},
    {"aten::signbit.out", &boxed<&::tenon::native::signbit_out>},
    {"aten::silu.out", &boxed<&::tenon::native::silu_out>},
    {"aten::sin.out", &boxed<&::tenon::native::sin_out>},
    {"aten::sinh.out", &boxed<&::tenon::native::sinh_out>},
    {"aten::slice_copy.Tensor_out", &boxed<&::tenon::native::slice_copy_tensor_out>},
    {"aten::slice_scatter.out", &boxed<&::tenon::native::slice_scatter_out>},
    {"aten::sort.values", &boxed<&::tenon::native::sort_values>},
    {"aten::split_copy.Tensor_out", &boxed<&::tenon::native::split_copy_tensor_out>},
    {"aten::split_with_sizes_copy.out", &boxed<&::tenon::native::split_with_sizes_copy_out>},
    {"aten::sqrt.out", &boxed<&::tenon::native::sqrt_out>},
    {"aten::square.out", &boxed<&::tenon::native::square_out>},
    {"aten::squeeze_copy.dim_out", &boxed<&::tenon::native::squeeze_copy_dim_out>},
    {"aten::squeeze_copy.dims_out", &boxed<&::tenon::native::squeeze_copy_dims_out>},
    {"aten::stack.out", &boxed<&::tenon::native::stack_out>},
    {"aten::sub.Scalar_out", &boxed<&::tenon::native::sub_scalar_out>},
    {"aten::sub.out", &boxed<&::tenon::native::sub_out>},
    {"aten::sum.IntList_out", &boxed<&::tenon::native::sum_intlist_out>},
    {"aten::t_copy.out", &boxed<&::tenon::native::t_copy_out>},
    {"aten::tan.out", &boxed<&::tenon::native::tan_out>},
    {"aten::tanh.out", &boxed<&::tenon::native::tanh_out>},
    {"aten::topk.values", &boxed<&::tenon::native::topk_values>},
    {"aten::transpose_copy.int_out", &boxed<&::tenon::native::transpose_copy_int_out>},
    {"aten::tril.out", &boxed<&::tenon::native::tril_out>},
    {"aten::triu.out", &boxed<&::tenon::native::triu_out>},
    {"aten::trunc.out", &boxed<&::tenon::native::trunc_out>},
    {"aten::unbind_copy.int_out", &boxed<&::tenon::native::unbind_copy_int_out>},
    {"aten::unfold_copy.out", &boxed<&::tenon::native::unfold_copy_out>},
    {"aten::unsqueeze_copy.out", &boxed<&::tenon::native::unsqueeze_copy_out>},
    {"aten::upsample_bilinear2d.vec_out", &boxed<&::tenon::native::upsample_bilinear2d_vec_out>},
    {"aten::upsample_nearest2d.vec_out", &boxed<&::tenon::native::upsample_nearest2d_vec_out>},
    {"aten::var.correction_out", &boxed<&::tenon::native::var_correction_out>},
    {"aten::var.out", &boxed<&::tenon::native::var_out>},
    {"aten::var_mean.correction_out", &boxed<&::tenon::native::var_mean_correction_out>},
    {"aten::view_as_real_copy.out", &boxed<&::tenon::native::view_as_real_copy_out>},
    {"aten::view_copy.out", &boxed<&::tenon::native::view_copy_out>},
    {"aten::where.self_out", &boxed<&::tenon::native::where_self_out>},
    {"aten::zeros.out", &boxed<&::tenon::native::zeros_out>},
    {"dim_order_ops::_clone_dim_order.out", &boxed<&::tenon::native::_clone_dim_order_out>},
    {"dim_order_ops::_empty_dim_order.out", &boxed<&::tenon::native::_empty_dim_order_out>},
    {"dim_order_ops::_to_dim_order_copy.out", &boxed<&::tenon::native::_to_dim_order_copy_out>},
    {"quantized_decomposed::add.out", &boxed<&::tenon::native::quantized_add_out>},
    {"quantized_decomposed::choose_qparams.Tensor_out", &boxed<&::tenon::native::choose_qparams_tensor_out>},
    {"quantized_decomposed::choose_qparams_per_token.out", &boxed<&::tenon::native::choose_qparams_per_token_out>},
    {"quantized_decomposed::choose_qparams_per_token_asymmetric.out", &boxed<&::tenon::native::choose_qparams_per_token_asymmetric_out>},
    {"quantized_decomposed::choose_qparams_symmetric.Tensor_out", &boxed<&::tenon::native::choose_qparams_symmetric_tensor_out>},
    {"quantized_decomposed::convert_element_type.no_fuse_out", &boxed<&::tenon::native::convert_element_type_no_fuse_out>},
    {"quantized_decomposed::dequantize_per_channel.out", &boxed<&::tenon::native::dequantize_per_channel_out>},
    {"quantized_decomposed::dequantize_per_channel_group.out", &boxed<&::tenon::native::dequantize_per_channel_group_out>},
    {"quantized_decomposed::dequantize_per_tensor.Tensor2_out", &boxed<&::tenon::native::dequantize_per_tensor_tensor2_out>},
    {"quantized_decomposed::dequantize_per_tensor.Tensor_out", &boxed<&::tenon::native::dequantize_per_tensor_tensor_out>},
    {"quantized_decomposed::dequantize_per_tensor.out", &boxed<&::tenon::native::dequantize_per_tensor_out>},
    {"quantized_decomposed::dequantize_per_token.out", &boxed<&::tenon::native::dequantize_per_token_out>},
    {"quantized_decomposed::embedding_2bit.dtype_out", &boxed<&::tenon::native::embedding_2bit_dtype_out>},
    {"quantized_decomposed::embedding_2bit.out", &boxed<&::tenon::native::embedding_2bit_out>},
    {"quantized_decomposed::embedding_4bit.dtype_out", &boxed<&::tenon::native::embedding_4bit_dtype_out>},
    {"quantized_decomposed::embedding_4bit.out", &boxed<&::tenon::native::embedding_4bit_out>},
    {"quantized_decomposed::embedding_byte.dtype_out", &boxed<&::tenon::native::embedding_byte_dtype_out>},
    {"quantized_decomposed::embedding_byte.out", &boxed<&::tenon::native::embedding_byte_out>},
    {"quantized_decomposed::mixed_linear.out", &boxed<&::tenon::native::mixed_linear_out>},
    {"quantized_decomposed::mixed_mm.out", &boxed<&::tenon::native::mixed_mm_out>},
    {"quantized_decomposed::quantize_per_channel.out", &boxed<&::tenon::native::quantize_per_channel_out>},
    {"quantized_decomposed::quantize_per_channel_group.out", &boxed<&::tenon::native::quantize_per_channel_group_out>},
    {"quantized_decomposed::quantize_per_tensor.Tensor2_out", &boxed<&::tenon::native::quantize_per_tensor_tensor2_out>},
    {"quantized_decomposed::quantize_per_tensor.Tensor_out", &boxed<&::tenon::native::quantize_per_tensor_tensor_out>},
    {"quantized_decomposed::quantize_per_tensor.out", &boxed<&::tenon::native::quantize_per_tensor_out>},
    {"quantized_decomposed::quantize_per_token.out", &boxed<&::tenon::native::quantize_per_token_out>},
};

}  // namespace

KernelTable tenon_kernels{"tenon", rows, /*in_order=*/true};

}  // namespace tenon
