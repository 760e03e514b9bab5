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
              "functions.yaml:1141: aten::_adaptive_avg_pool2d.out is bound to tenon::native::_adaptive_avg_pool2d_out, whose type differs from its schema _adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_adaptive_avg_pool2d_backward_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:1561: aten::_adaptive_avg_pool2d_backward.out is bound to tenon::native::_adaptive_avg_pool2d_backward_out, whose type differs from its schema _adaptive_avg_pool2d_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_adaptive_avg_pool3d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:1161: aten::_adaptive_avg_pool3d.out is bound to tenon::native::_adaptive_avg_pool3d_out, whose type differs from its schema _adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_cdist_forward_out, Tensor&(const Tensor&, const Tensor&, double, std::optional<int64_t>, Tensor&)>,
              "functions.yaml:1539: aten::_cdist_forward.out is bound to tenon::native::_cdist_forward_out, whose type differs from its schema _cdist_forward.out(Tensor x1, Tensor x2, float p, int? compute_mode, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_conj_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:918: aten::_conj_copy.out is bound to tenon::native::_conj_copy_out, whose type differs from its schema _conj_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_conj_physical_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:913: aten::_conj_physical.out is bound to tenon::native::_conj_physical_out, whose type differs from its schema _conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_embedding_bag_out, std::tuple<Tensor&, Tensor&, Tensor&, Tensor&>(const Tensor&, const Tensor&, const Tensor&, bool, int64_t, bool, const std::optional<Tensor>&, bool, int64_t, Tensor&, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1399: aten::_embedding_bag.out is bound to tenon::native::_embedding_bag_out, whose type differs from its schema _embedding_bag.out(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))");
static_assert(is_kernel<&::tenon::native::_embedding_bag_forward_only_out, std::tuple<Tensor&, Tensor&, Tensor&, Tensor&>(const Tensor&, const Tensor&, const Tensor&, bool, int64_t, bool, const std::optional<Tensor>&, bool, int64_t, Tensor&, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1394: aten::_embedding_bag_forward_only.out is bound to tenon::native::_embedding_bag_forward_only_out, whose type differs from its schema _embedding_bag_forward_only.out(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))");
static_assert(is_kernel<&::tenon::native::_fft_c2c_out, Tensor&(const Tensor&, ArrayRef<int64_t>, int64_t, bool, Tensor&)>,
              "functions.yaml:928: aten::_fft_c2c.out is bound to tenon::native::_fft_c2c_out, whose type differs from its schema _fft_c2c.out(Tensor self, SymInt[] dim, int normalization, bool forward, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_fft_c2r_out, Tensor&(const Tensor&, ArrayRef<int64_t>, int64_t, int64_t, Tensor&)>,
              "functions.yaml:938: aten::_fft_c2r.out is bound to tenon::native::_fft_c2r_out, whose type differs from its schema _fft_c2r.out(Tensor self, int[] dim, int normalization, SymInt last_dim_size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_fft_r2c_out, Tensor&(const Tensor&, ArrayRef<int64_t>, int64_t, bool, Tensor&)>,
              "functions.yaml:933: aten::_fft_r2c.out is bound to tenon::native::_fft_r2c_out, whose type differs from its schema _fft_r2c.out(Tensor self, int[] dim, int normalization, bool onesided, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_log_softmax_out, Tensor&(const Tensor&, int64_t, bool, Tensor&)>,
              "functions.yaml:1357: aten::_log_softmax.out is bound to tenon::native::_log_softmax_out, whose type differs from its schema _log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_native_batch_norm_legit_no_stats_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, bool, double, double, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1377: aten::_native_batch_norm_legit.no_stats_out is bound to tenon::native::_native_batch_norm_legit_no_stats_out, whose type differs from its schema _native_batch_norm_legit.no_stats_out(Tensor input, Tensor? weight, Tensor? bias, bool training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::_native_batch_norm_legit_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, Tensor&, Tensor&, bool, double, double, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1382: aten::_native_batch_norm_legit.out is bound to tenon::native::_native_batch_norm_legit_out, whose type differs from its schema _native_batch_norm_legit.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) running_var, bool training, float momentum, float eps, *, Tensor(d!) out, Tensor(e!) save_mean, Tensor(f!) save_invstd) -> (Tensor(d!), Tensor(e!), Tensor(f!))");
static_assert(is_kernel<&::tenon::native::_native_batch_norm_legit_no_training_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, const Tensor&, const Tensor&, double, double, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1372: aten::_native_batch_norm_legit_no_training.out is bound to tenon::native::_native_batch_norm_legit_no_training_out, whose type differs from its schema _native_batch_norm_legit_no_training.out(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::_pdist_forward_out, Tensor&(const Tensor&, double, Tensor&)>,
              "functions.yaml:1544: aten::_pdist_forward.out is bound to tenon::native::_pdist_forward_out, whose type differs from its schema _pdist_forward.out(Tensor self, float p=2., *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_sample_dirichlet_out, Tensor&(const Tensor&, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1708: aten::_sample_dirichlet.out is bound to tenon::native::_sample_dirichlet_out, whose type differs from its schema _sample_dirichlet.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_softmax_out, Tensor&(const Tensor&, int64_t, bool, Tensor&)>,
              "functions.yaml:1352: aten::_softmax.out is bound to tenon::native::_softmax_out, whose type differs from its schema _softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_standard_gamma_out, Tensor&(const Tensor&, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1703: aten::_standard_gamma.out is bound to tenon::native::_standard_gamma_out, whose type differs from its schema _standard_gamma.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_to_copy_out, Tensor&(const Tensor&, bool, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:741: aten::_to_copy.out is bound to tenon::native::_to_copy_out, whose type differs from its schema _to_copy.out(Tensor self, *, bool non_blocking=False, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_unique2_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, bool, bool, bool, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1325: aten::_unique2.out is bound to tenon::native::_unique2_out, whose type differs from its schema _unique2.out(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::_upsample_bilinear2d_aa_out, Tensor&(const Tensor&, ArrayRef<int64_t>, bool, std::optional<double>, std::optional<double>, Tensor&)>,
              "functions.yaml:1524: aten::_upsample_bilinear2d_aa.out is bound to tenon::native::_upsample_bilinear2d_aa_out, whose type differs from its schema _upsample_bilinear2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::abs_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:7: aten::abs.out is bound to tenon::native::abs_out, whose type differs from its schema abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::acos_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:117: aten::acos.out is bound to tenon::native::acos_out, whose type differs from its schema acos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::acosh_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:147: aten::acosh.out is bound to tenon::native::acosh_out, whose type differs from its schema acosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::adaptive_avg_pool1d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:1156: aten::adaptive_avg_pool1d.out is bound to tenon::native::adaptive_avg_pool1d_out, whose type differs from its schema adaptive_avg_pool1d.out(Tensor self, int[1] output_size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::adaptive_max_pool2d_out, std::tuple<Tensor&, Tensor&>(const Tensor&, ArrayRef<int64_t>, Tensor&, Tensor&)>,
              "functions.yaml:1171: aten::adaptive_max_pool2d.out is bound to tenon::native::adaptive_max_pool2d_out, whose type differs from its schema adaptive_max_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
static_assert(is_kernel<&::tenon::native::add_scalar_out, Tensor&(const Tensor&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:462: aten::add.Scalar_out is bound to tenon::native::add_scalar_out, whose type differs from its schema add.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::add_out, Tensor&(const Tensor&, const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:457: aten::add.out is bound to tenon::native::add_out, whose type differs from its schema add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::addmm_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:1104: aten::addmm.out is bound to tenon::native::addmm_out, whose type differs from its schema addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::alias_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:746: aten::alias_copy.out is bound to tenon::native::alias_copy_out, whose type differs from its schema alias_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::all_all_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:1469: aten::all.all_out is bound to tenon::native::all_all_out, whose type differs from its schema all.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::all_dims_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, Tensor&)>,
              "functions.yaml:1474: aten::all.dims_out is bound to tenon::native::all_dims_out, whose type differs from its schema all.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::all_out, Tensor&(const Tensor&, int64_t, bool, Tensor&)>,
              "functions.yaml:1253: aten::all.out is bound to tenon::native::all_out, whose type differs from its schema all.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::allclose_out, Tensor&(const Tensor&, const Tensor&, double, double, bool, bool, Tensor&)>,
              "custom_ops.yaml:160: aten::allclose.out is bound to tenon::native::allclose_out, whose type differs from its schema allclose.out(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False, bool dummy_param=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::amax_out, Tensor&(const Tensor&, ArrayRef<int64_t>, bool, Tensor&)>,
              "functions.yaml:1193: aten::amax.out is bound to tenon::native::amax_out, whose type differs from its schema amax.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::amin_out, Tensor&(const Tensor&, ArrayRef<int64_t>, bool, Tensor&)>,
              "functions.yaml:1198: aten::amin.out is bound to tenon::native::amin_out, whose type differs from its schema amin.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::angle_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:923: aten::angle.out is bound to tenon::native::angle_out, whose type differs from its schema angle.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::any_all_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:1479: aten::any.all_out is bound to tenon::native::any_all_out, whose type differs from its schema any.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::any_dims_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, Tensor&)>,
              "functions.yaml:1248: aten::any.dims_out is bound to tenon::native::any_dims_out, whose type differs from its schema any.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::any_out, Tensor&(const Tensor&, int64_t, bool, Tensor&)>,
              "functions.yaml:1243: aten::any.out is bound to tenon::native::any_out, whose type differs from its schema any.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::arange_out, Tensor&(const Scalar&, Tensor&)>,
              "functions.yaml:1047: aten::arange.out is bound to tenon::native::arange_out, whose type differs from its schema arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::arange_start_out, Tensor&(const Scalar&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:1022: aten::arange.start_out is bound to tenon::native::arange_start_out, whose type differs from its schema arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::argmax_out, Tensor&(const Tensor&, std::optional<int64_t>, bool, Tensor&)>,
              "functions.yaml:1213: aten::argmax.out is bound to tenon::native::argmax_out, whose type differs from its schema argmax.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::argmin_out, Tensor&(const Tensor&, std::optional<int64_t>, bool, Tensor&)>,
              "functions.yaml:1218: aten::argmin.out is bound to tenon::native::argmin_out, whose type differs from its schema argmin.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::as_strided_copy_out, Tensor&(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, std::optional<int64_t>, Tensor&)>,
              "functions.yaml:846: aten::as_strided_copy.out is bound to tenon::native::as_strided_copy_out, whose type differs from its schema as_strided_copy.out(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::as_strided_scatter_out, Tensor&(const Tensor&, const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, std::optional<int64_t>, Tensor&)>,
              "functions.yaml:851: aten::as_strided_scatter.out is bound to tenon::native::as_strided_scatter_out, whose type differs from its schema as_strided_scatter.out(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::asin_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:112: aten::asin.out is bound to tenon::native::asin_out, whose type differs from its schema asin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::asinh_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:142: aten::asinh.out is bound to tenon::native::asinh_out, whose type differs from its schema asinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::atan_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:122: aten::atan.out is bound to tenon::native::atan_out, whose type differs from its schema atan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::atan2_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:552: aten::atan2.out is bound to tenon::native::atan2_out, whose type differs from its schema atan2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::atanh_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:152: aten::atanh.out is bound to tenon::native::atanh_out, whose type differs from its schema atanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::avg_pool1d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, bool, Tensor&)>,
              "functions.yaml:1146: aten::avg_pool1d.out is bound to tenon::native::avg_pool1d_out, whose type differs from its schema avg_pool1d.out(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, bool count_include_pad=True, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::avg_pool2d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, bool, std::optional<int64_t>, Tensor&)>,
              "functions.yaml:1136: aten::avg_pool2d.out is bound to tenon::native::avg_pool2d_out, whose type differs from its schema avg_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::avg_pool2d_backward_grad_input, Tensor&(const Tensor&, const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, bool, std::optional<int64_t>, Tensor&)>,
              "functions.yaml:1556: aten::avg_pool2d_backward.grad_input is bound to tenon::native::avg_pool2d_backward_grad_input, whose type differs from its schema avg_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::avg_pool3d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, bool, std::optional<int64_t>, Tensor&)>,
              "functions.yaml:1151: aten::avg_pool3d.out is bound to tenon::native::avg_pool3d_out, whose type differs from its schema avg_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bernoulli_tensor_out, Tensor&(const Tensor&, const Tensor&, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1723: aten::bernoulli.Tensor_out is bound to tenon::native::bernoulli_tensor_out, whose type differs from its schema bernoulli.Tensor_out(Tensor self, Tensor p, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bernoulli_float_out, Tensor&(const Tensor&, double, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1718: aten::bernoulli.float_out is bound to tenon::native::bernoulli_float_out, whose type differs from its schema bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bernoulli_out, Tensor&(const Tensor&, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1713: aten::bernoulli.out is bound to tenon::native::bernoulli_out, whose type differs from its schema bernoulli.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bincount_out, Tensor&(const Tensor&, const std::optional<Tensor>&, int64_t, Tensor&)>,
              "functions.yaml:1340: aten::bincount.out is bound to tenon::native::bincount_out, whose type differs from its schema bincount.out(Tensor self, Tensor? weights=None, SymInt minlength=0, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::binomial_out, Tensor&(const Tensor&, const Tensor&, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1698: aten::binomial.out is bound to tenon::native::binomial_out, whose type differs from its schema binomial.out(Tensor count, Tensor prob, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_and_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:597: aten::bitwise_and.Scalar_out is bound to tenon::native::bitwise_and_scalar_out, whose type differs from its schema bitwise_and.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_and_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:592: aten::bitwise_and.Tensor_out is bound to tenon::native::bitwise_and_tensor_out, whose type differs from its schema bitwise_and.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_left_shift_tensor_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:627: aten::bitwise_left_shift.Tensor_Scalar_out is bound to tenon::native::bitwise_left_shift_tensor_scalar_out, whose type differs from its schema bitwise_left_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_left_shift_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:622: aten::bitwise_left_shift.Tensor_out is bound to tenon::native::bitwise_left_shift_tensor_out, whose type differs from its schema bitwise_left_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_not_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:392: aten::bitwise_not.out is bound to tenon::native::bitwise_not_out, whose type differs from its schema bitwise_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_or_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:607: aten::bitwise_or.Scalar_out is bound to tenon::native::bitwise_or_scalar_out, whose type differs from its schema bitwise_or.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_or_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:602: aten::bitwise_or.Tensor_out is bound to tenon::native::bitwise_or_tensor_out, whose type differs from its schema bitwise_or.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_right_shift_tensor_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:637: aten::bitwise_right_shift.Tensor_Scalar_out is bound to tenon::native::bitwise_right_shift_tensor_scalar_out, whose type differs from its schema bitwise_right_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_right_shift_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:632: aten::bitwise_right_shift.Tensor_out is bound to tenon::native::bitwise_right_shift_tensor_out, whose type differs from its schema bitwise_right_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_xor_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:617: aten::bitwise_xor.Scalar_out is bound to tenon::native::bitwise_xor_scalar_out, whose type differs from its schema bitwise_xor.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bitwise_xor_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:612: aten::bitwise_xor.Tensor_out is bound to tenon::native::bitwise_xor_tensor_out, whose type differs from its schema bitwise_xor.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::bmm_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:1099: aten::bmm.out is bound to tenon::native::bmm_out, whose type differs from its schema bmm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::cat_out, Tensor&(TensorList, int64_t, Tensor&)>,
              "functions.yaml:945: aten::cat.out is bound to tenon::native::cat_out, whose type differs from its schema cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::cauchy_out, Tensor&(const Tensor&, double, double, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1688: aten::cauchy.out is bound to tenon::native::cauchy_out, whose type differs from its schema cauchy.out(Tensor self, float median=0., float sigma=1., *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::ceil_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:372: aten::ceil.out is bound to tenon::native::ceil_out, whose type differs from its schema ceil.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::clamp_tensor_out, Tensor&(const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, Tensor&)>,
              "functions.yaml:452: aten::clamp.Tensor_out is bound to tenon::native::clamp_tensor_out, whose type differs from its schema clamp.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::clamp_out, Tensor&(const Tensor&, const std::optional<Scalar>&, const std::optional<Scalar>&, Tensor&)>,
              "functions.yaml:447: aten::clamp.out is bound to tenon::native::clamp_out, whose type differs from its schema clamp.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::clone_out, Tensor&(const Tensor&, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:736: aten::clone.out is bound to tenon::native::clone_out, whose type differs from its schema clone.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::col2im_out, Tensor&(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:1126: aten::col2im.out is bound to tenon::native::col2im_out, whose type differs from its schema col2im.out(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::complex_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:888: aten::complex.out is bound to tenon::native::complex_out, whose type differs from its schema complex.out(Tensor real, Tensor imag, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::conj_physical_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:908: aten::conj_physical.out is bound to tenon::native::conj_physical_out, whose type differs from its schema conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::constant_pad_nd_out, Tensor&(const Tensor&, ArrayRef<int64_t>, const Scalar&, Tensor&)>,
              "functions.yaml:960: aten::constant_pad_nd.out is bound to tenon::native::constant_pad_nd_out, whose type differs from its schema constant_pad_nd.out(Tensor self, SymInt[] pad, Scalar value=0, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::convolution_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, ArrayRef<int64_t>, int64_t, Tensor&)>,
              "functions.yaml:1116: aten::convolution.out is bound to tenon::native::convolution_out, whose type differs from its schema convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::convolution_backward_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, const Tensor&, const Tensor&, std::optional<ArrayRef<int64_t>>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, ArrayRef<int64_t>, int64_t, ArrayRef<bool>, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1121: aten::convolution_backward.out is bound to tenon::native::convolution_backward_out, whose type differs from its schema convolution_backward.out(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::copy_out, Tensor&(const Tensor&, const Tensor&, bool, Tensor&)>,
              "functions.yaml:876: aten::copy.out is bound to tenon::native::copy_out, whose type differs from its schema copy.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::copy_, Tensor&(Tensor&, const Tensor&, bool)>,
              "functions.yaml:731: aten::copy_ is bound to tenon::native::copy_, whose type differs from its schema copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::copysign_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:562: aten::copysign.out is bound to tenon::native::copysign_out, whose type differs from its schema copysign.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::cos_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:102: aten::cos.out is bound to tenon::native::cos_out, whose type differs from its schema cos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::cosh_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:132: aten::cosh.out is bound to tenon::native::cosh_out, whose type differs from its schema cosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::cummax_out, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, Tensor&, Tensor&)>,
              "functions.yaml:1275: aten::cummax.out is bound to tenon::native::cummax_out, whose type differs from its schema cummax.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
static_assert(is_kernel<&::tenon::native::cummin_out, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, Tensor&, Tensor&)>,
              "functions.yaml:1280: aten::cummin.out is bound to tenon::native::cummin_out, whose type differs from its schema cummin.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
static_assert(is_kernel<&::tenon::native::cumprod_out, Tensor&(const Tensor&, int64_t, std::optional<ScalarType>, Tensor&)>,
              "functions.yaml:1265: aten::cumprod.out is bound to tenon::native::cumprod_out, whose type differs from its schema cumprod.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::cumsum_out, Tensor&(const Tensor&, int64_t, std::optional<ScalarType>, Tensor&)>,
              "functions.yaml:1260: aten::cumsum.out is bound to tenon::native::cumsum_out, whose type differs from its schema cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::detach_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:751: aten::detach_copy.out is bound to tenon::native::detach_copy_out, whose type differs from its schema detach_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::diagonal_copy_out, Tensor&(const Tensor&, int64_t, int64_t, int64_t, Tensor&)>,
              "functions.yaml:836: aten::diagonal_copy.out is bound to tenon::native::diagonal_copy_out, whose type differs from its schema diagonal_copy.out(Tensor self, int offset=0, int dim1=0, int dim2=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::diagonal_scatter_out, Tensor&(const Tensor&, const Tensor&, int64_t, int64_t, int64_t, Tensor&)>,
              "functions.yaml:831: aten::diagonal_scatter.out is bound to tenon::native::diagonal_scatter_out, whose type differs from its schema diagonal_scatter.out(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::digamma_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:177: aten::digamma.out is bound to tenon::native::digamma_out, whose type differs from its schema digamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::div_scalar_mode_out, Tensor&(const Tensor&, const Scalar&, std::optional<std::string_view>, Tensor&)>,
              "functions.yaml:507: aten::div.Scalar_mode_out is bound to tenon::native::div_scalar_mode_out, whose type differs from its schema div.Scalar_mode_out(Tensor self, Scalar other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::div_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:497: aten::div.Scalar_out is bound to tenon::native::div_scalar_out, whose type differs from its schema div.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::div_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:492: aten::div.out is bound to tenon::native::div_out, whose type differs from its schema div.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::div_out_mode, Tensor&(const Tensor&, const Tensor&, std::optional<std::string_view>, Tensor&)>,
              "functions.yaml:502: aten::div.out_mode is bound to tenon::native::div_out_mode, whose type differs from its schema div.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::elu_out, Tensor&(const Tensor&, const Scalar&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:417: aten::elu.out is bound to tenon::native::elu_out, whose type differs from its schema elu.out(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::embedding_out, Tensor&(const Tensor&, const Tensor&, int64_t, bool, bool, Tensor&)>,
              "functions.yaml:1389: aten::embedding.out is bound to tenon::native::embedding_out, whose type differs from its schema embedding.out(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::embedding_dense_backward_out, Tensor&(const Tensor&, const Tensor&, int64_t, int64_t, bool, Tensor&)>,
              "functions.yaml:1509: aten::embedding_dense_backward.out is bound to tenon::native::embedding_dense_backward_out, whose type differs from its schema embedding_dense_backward.out(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::empty_out, Tensor&(ArrayRef<int64_t>, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:1062: aten::empty.out is bound to tenon::native::empty_out, whose type differs from its schema empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::empty_strided_out, Tensor&(ArrayRef<int64_t>, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:1067: aten::empty_strided.out is bound to tenon::native::empty_strided_out, whose type differs from its schema empty_strided.out(SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::eq_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:669: aten::eq.Scalar_out is bound to tenon::native::eq_scalar_out, whose type differs from its schema eq.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::eq_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:674: aten::eq.Tensor_out is bound to tenon::native::eq_tensor_out, whose type differs from its schema eq.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
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
              "functions.yaml:791: aten::expand_copy.out is bound to tenon::native::expand_copy_out, whose type differs from its schema expand_copy.out(Tensor self, SymInt[] size, *, bool implicit=False, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::expm1_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:92: aten::expm1.out is bound to tenon::native::expm1_out, whose type differs from its schema expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::exponential_out, Tensor&(const Tensor&, double, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1673: aten::exponential.out is bound to tenon::native::exponential_out, whose type differs from its schema exponential.out(Tensor self, float lambd=1., *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::fill_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:1037: aten::fill.Scalar_out is bound to tenon::native::fill_scalar_out, whose type differs from its schema fill.Scalar_out(Tensor self, Scalar value, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::fill_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:1082: aten::fill.Tensor_out is bound to tenon::native::fill_tensor_out, whose type differs from its schema fill.Tensor_out(Tensor self, Tensor value, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::flip_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:856: aten::flip.out is bound to tenon::native::flip_out, whose type differs from its schema flip.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::floor_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:367: aten::floor.out is bound to tenon::native::floor_out, whose type differs from its schema floor.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::floor_divide_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:512: aten::floor_divide.out is bound to tenon::native::floor_divide_out, whose type differs from its schema floor_divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::fmod_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:522: aten::fmod.Scalar_out is bound to tenon::native::fmod_scalar_out, whose type differs from its schema fmod.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::fmod_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:517: aten::fmod.Tensor_out is bound to tenon::native::fmod_tensor_out, whose type differs from its schema fmod.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::frac_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:387: aten::frac.out is bound to tenon::native::frac_out, whose type differs from its schema frac.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::frexp_tensor_out, std::tuple<Tensor&, Tensor&>(const Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:182: aten::frexp.Tensor_out is bound to tenon::native::frexp_tensor_out, whose type differs from its schema frexp.Tensor_out(Tensor self, *, Tensor(a!) mantissa, Tensor(b!) exponent) -> (Tensor(a!) mantissa, Tensor(b!) exponent)");
static_assert(is_kernel<&::tenon::native::full_out, Tensor&(ArrayRef<int64_t>, const Scalar&, Tensor&)>,
              "functions.yaml:1027: aten::full.out is bound to tenon::native::full_out, whose type differs from its schema full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::full_like_out, Tensor&(const Tensor&, const Scalar&, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:1032: aten::full_like.out is bound to tenon::native::full_like_out, whose type differs from its schema full_like.out(Tensor self, Scalar fill_value, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::gather_out, Tensor&(const Tensor&, int64_t, const Tensor&, bool, Tensor&)>,
              "functions.yaml:1404: aten::gather.out is bound to tenon::native::gather_out, whose type differs from its schema gather.out(Tensor self, int dim, Tensor index, *, bool sparse_grad=False, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::gcd_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:572: aten::gcd.out is bound to tenon::native::gcd_out, whose type differs from its schema gcd.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::ge_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:719: aten::ge.Scalar_out is bound to tenon::native::ge_scalar_out, whose type differs from its schema ge.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::ge_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:724: aten::ge.Tensor_out is bound to tenon::native::ge_tensor_out, whose type differs from its schema ge.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::gelu_out, Tensor&(const Tensor&, std::string_view, Tensor&)>,
              "functions.yaml:407: aten::gelu.out is bound to tenon::native::gelu_out, whose type differs from its schema gelu.out(Tensor self, *, str approximate=\"none\", Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::geometric_out, Tensor&(const Tensor&, double, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1678: aten::geometric.out is bound to tenon::native::geometric_out, whose type differs from its schema geometric.out(Tensor self, float p, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::glu_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:442: aten::glu.out is bound to tenon::native::glu_out, whose type differs from its schema glu.out(Tensor self, int dim=-1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::grid_sampler_2d_out, Tensor&(const Tensor&, const Tensor&, int64_t, int64_t, bool, Tensor&)>,
              "functions.yaml:1529: aten::grid_sampler_2d.out is bound to tenon::native::grid_sampler_2d_out, whose type differs from its schema grid_sampler_2d.out(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::grid_sampler_3d_out, Tensor&(const Tensor&, const Tensor&, int64_t, int64_t, bool, Tensor&)>,
              "functions.yaml:1534: aten::grid_sampler_3d.out is bound to tenon::native::grid_sampler_3d_out, whose type differs from its schema grid_sampler_3d.out(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::gt_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:709: aten::gt.Scalar_out is bound to tenon::native::gt_scalar_out, whose type differs from its schema gt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::gt_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:714: aten::gt.Tensor_out is bound to tenon::native::gt_tensor_out, whose type differs from its schema gt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::hardsigmoid_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:432: aten::hardsigmoid.out is bound to tenon::native::hardsigmoid_out, whose type differs from its schema hardsigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::hardswish_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:437: aten::hardswish.out is bound to tenon::native::hardswish_out, whose type differs from its schema hardswish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::hardtanh_out, Tensor&(const Tensor&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:427: aten::hardtanh.out is bound to tenon::native::hardtanh_out, whose type differs from its schema hardtanh.out(Tensor self, Scalar min_val=-1, Scalar max_val=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::histc_out, Tensor&(const Tensor&, int64_t, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:1345: aten::histc.out is bound to tenon::native::histc_out, whose type differs from its schema histc.out(Tensor self, int bins=100, Scalar min=0, Scalar max=0, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::hypot_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:557: aten::hypot.out is bound to tenon::native::hypot_out, whose type differs from its schema hypot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::i0_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:187: aten::i0.out is bound to tenon::native::i0_out, whose type differs from its schema i0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::igamma_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:287: aten::igamma.out is bound to tenon::native::igamma_out, whose type differs from its schema igamma.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::igammac_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:292: aten::igammac.out is bound to tenon::native::igammac_out, whose type differs from its schema igammac.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::index_tensor_out, Tensor&(const Tensor&, ArrayRef<std::optional<Tensor>>, Tensor&)>,
              "functions.yaml:1409: aten::index.Tensor_out is bound to tenon::native::index_tensor_out, whose type differs from its schema index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::index_put_out, Tensor&(const Tensor&, ArrayRef<std::optional<Tensor>>, const Tensor&, bool, Tensor&)>,
              "functions.yaml:1419: aten::index_put.out is bound to tenon::native::index_put_out, whose type differs from its schema index_put.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::index_put_, Tensor&(Tensor&, ArrayRef<std::optional<Tensor>>, const Tensor&, bool)>,
              "functions.yaml:1424: aten::index_put_ is bound to tenon::native::index_put_, whose type differs from its schema index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::index_select_out, Tensor&(const Tensor&, int64_t, const Tensor&, Tensor&)>,
              "functions.yaml:1414: aten::index_select.out is bound to tenon::native::index_select_out, whose type differs from its schema index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::isinf_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:32: aten::isinf.out is bound to tenon::native::isinf_out, whose type differs from its schema isinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::isnan_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:37: aten::isnan.out is bound to tenon::native::isnan_out, whose type differs from its schema isnan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::kthvalue_values, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, int64_t, bool, Tensor&, Tensor&)>,
              "functions.yaml:1305: aten::kthvalue.values is bound to tenon::native::kthvalue_values, whose type differs from its schema kthvalue.values(Tensor self, SymInt k, int dim=-1, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
static_assert(is_kernel<&::tenon::native::lcm_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:577: aten::lcm.out is bound to tenon::native::lcm_out, whose type differs from its schema lcm.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::le_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:699: aten::le.Scalar_out is bound to tenon::native::le_scalar_out, whose type differs from its schema le.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::le_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:704: aten::le.Tensor_out is bound to tenon::native::le_tensor_out, whose type differs from its schema le.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::leaky_relu_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:422: aten::leaky_relu.out is bound to tenon::native::leaky_relu_out, whose type differs from its schema leaky_relu.out(Tensor self, Scalar negative_slope=0.01, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::lgamma_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:172: aten::lgamma.out is bound to tenon::native::lgamma_out, whose type differs from its schema lgamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::lift_fresh_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:881: aten::lift_fresh_copy.out is bound to tenon::native::lift_fresh_copy_out, whose type differs from its schema lift_fresh_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::linear_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, Tensor&)>,
              "functions.yaml:1109: aten::linear.out is bound to tenon::native::linear_out, whose type differs from its schema linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::linspace_out, Tensor&(const Scalar&, const Scalar&, int64_t, Tensor&)>,
              "functions.yaml:1012: aten::linspace.out is bound to tenon::native::linspace_out, whose type differs from its schema linspace.out(Scalar start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::log_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:67: aten::log.out is bound to tenon::native::log_out, whose type differs from its schema log.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::log10_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:77: aten::log10.out is bound to tenon::native::log10_out, whose type differs from its schema log10.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::log1p_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:82: aten::log1p.out is bound to tenon::native::log1p_out, whose type differs from its schema log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::log2_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:72: aten::log2.out is bound to tenon::native::log2_out, whose type differs from its schema log2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::log_normal_out, Tensor&(const Tensor&, double, double, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1683: aten::log_normal.out is bound to tenon::native::log_normal_out, whose type differs from its schema log_normal.out(Tensor self, float mean=1., float std=2., *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::logcumsumexp_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:1270: aten::logcumsumexp.out is bound to tenon::native::logcumsumexp_out, whose type differs from its schema logcumsumexp.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::logical_and_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:642: aten::logical_and.out is bound to tenon::native::logical_and_out, whose type differs from its schema logical_and.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::logical_not_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:397: aten::logical_not.out is bound to tenon::native::logical_not_out, whose type differs from its schema logical_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::logical_or_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:647: aten::logical_or.out is bound to tenon::native::logical_or_out, whose type differs from its schema logical_or.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::logical_xor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:652: aten::logical_xor.out is bound to tenon::native::logical_xor_out, whose type differs from its schema logical_xor.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::logit_out, Tensor&(const Tensor&, std::optional<double>, Tensor&)>,
              "functions.yaml:362: aten::logit.out is bound to tenon::native::logit_out, whose type differs from its schema logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::logspace_out, Tensor&(const Scalar&, const Scalar&, int64_t, double, Tensor&)>,
              "functions.yaml:1017: aten::logspace.out is bound to tenon::native::logspace_out, whose type differs from its schema logspace.out(Scalar start, Scalar end, int steps, float base=10., *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::lt_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:689: aten::lt.Scalar_out is bound to tenon::native::lt_scalar_out, whose type differs from its schema lt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::lt_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:694: aten::lt.Tensor_out is bound to tenon::native::lt_tensor_out, whose type differs from its schema lt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::masked_fill_scalar_out, Tensor&(const Tensor&, const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:662: aten::masked_fill.Scalar_out is bound to tenon::native::masked_fill_scalar_out, whose type differs from its schema masked_fill.Scalar_out(Tensor self, Tensor mask, Scalar value, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::masked_scatter_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:1434: aten::masked_scatter.out is bound to tenon::native::masked_scatter_out, whose type differs from its schema masked_scatter.out(Tensor self, Tensor mask, Tensor source, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::masked_select_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:1429: aten::masked_select.out is bound to tenon::native::masked_select_out, whose type differs from its schema masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::max_dim_max, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, bool, Tensor&, Tensor&)>,
              "functions.yaml:1223: aten::max.dim_max is bound to tenon::native::max_dim_max, whose type differs from its schema max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values) -> (Tensor(a!) values, Tensor(b!) indices)");
static_assert(is_kernel<&::tenon::native::max_unary_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:1203: aten::max.unary_out is bound to tenon::native::max_unary_out, whose type differs from its schema max.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::max_pool2d_with_indices_out, std::tuple<Tensor&, Tensor&>(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, Tensor&, Tensor&)>,
              "functions.yaml:1131: aten::max_pool2d_with_indices.out is bound to tenon::native::max_pool2d_with_indices_out, whose type differs from its schema max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
static_assert(is_kernel<&::tenon::native::max_pool2d_with_indices_backward_grad_input, Tensor&(const Tensor&, const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, const Tensor&, Tensor&)>,
              "functions.yaml:1551: aten::max_pool2d_with_indices_backward.grad_input is bound to tenon::native::max_pool2d_with_indices_backward_grad_input, whose type differs from its schema max_pool2d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::max_pool3d_with_indices_out, std::tuple<Tensor&, Tensor&>(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, bool, Tensor&, Tensor&)>,
              "functions.yaml:1166: aten::max_pool3d_with_indices.out is bound to tenon::native::max_pool3d_with_indices_out, whose type differs from its schema max_pool3d_with_indices.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
static_assert(is_kernel<&::tenon::native::maximum_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:582: aten::maximum.out is bound to tenon::native::maximum_out, whose type differs from its schema maximum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::mean_dtype_out, Tensor&(const Tensor&, std::optional<ScalarType>, Tensor&)>,
              "functions.yaml:1183: aten::mean.dtype_out is bound to tenon::native::mean_dtype_out, whose type differs from its schema mean.dtype_out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::mean_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, std::optional<ScalarType>, Tensor&)>,
              "functions.yaml:1178: aten::mean.out is bound to tenon::native::mean_out, whose type differs from its schema mean.out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::min_dim_min, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, bool, Tensor&, Tensor&)>,
              "functions.yaml:1484: aten::min.dim_min is bound to tenon::native::min_dim_min, whose type differs from its schema min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!) min_indices) -> (Tensor(a!) values, Tensor(b!) indices)");
static_assert(is_kernel<&::tenon::native::min_unary_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:1208: aten::min.unary_out is bound to tenon::native::min_unary_out, whose type differs from its schema min.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::minimum_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:587: aten::minimum.out is bound to tenon::native::minimum_out, whose type differs from its schema minimum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::mm_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:1094: aten::mm.out is bound to tenon::native::mm_out, whose type differs from its schema mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::mode_values, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, bool, Tensor&, Tensor&)>,
              "functions.yaml:1310: aten::mode.values is bound to tenon::native::mode_values, whose type differs from its schema mode.values(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
static_assert(is_kernel<&::tenon::native::mul_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:487: aten::mul.Scalar_out is bound to tenon::native::mul_scalar_out, whose type differs from its schema mul.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::mul_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:482: aten::mul.out is bound to tenon::native::mul_out, whose type differs from its schema mul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::multinomial_out, Tensor&(const Tensor&, int64_t, bool, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1733: aten::multinomial.out is bound to tenon::native::multinomial_out, whose type differs from its schema multinomial.out(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::narrow_copy_out, Tensor&(const Tensor&, int64_t, int64_t, int64_t, Tensor&)>,
              "functions.yaml:816: aten::narrow_copy.out is bound to tenon::native::narrow_copy_out, whose type differs from its schema narrow_copy.out(Tensor self, int dim, SymInt start, SymInt length, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::native_dropout_out, std::tuple<Tensor&, Tensor&>(const Tensor&, double, std::optional<bool>, Tensor&, Tensor&)>,
              "functions.yaml:1728: aten::native_dropout.out is bound to tenon::native::native_dropout_out, whose type differs from its schema native_dropout.out(Tensor input, float p, bool? train, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
static_assert(is_kernel<&::tenon::native::native_group_norm_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, int64_t, int64_t, int64_t, int64_t, double, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1367: aten::native_group_norm.out is bound to tenon::native::native_group_norm_out, whose type differs from its schema native_group_norm.out(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::native_group_norm_backward_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, int64_t, int64_t, int64_t, ArrayRef<bool>, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1571: aten::native_group_norm_backward.out is bound to tenon::native::native_group_norm_backward_out, whose type differs from its schema native_group_norm_backward.out(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::native_layer_norm_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, ArrayRef<int64_t>, const std::optional<Tensor>&, const std::optional<Tensor>&, double, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1362: aten::native_layer_norm.out is bound to tenon::native::native_layer_norm_out, whose type differs from its schema native_layer_norm.out(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::native_layer_norm_backward_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, const Tensor&, ArrayRef<int64_t>, const Tensor&, const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, ArrayRef<bool>, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1566: aten::native_layer_norm_backward.out is bound to tenon::native::native_layer_norm_backward_out, whose type differs from its schema native_layer_norm_backward.out(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::ne_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:679: aten::ne.Scalar_out is bound to tenon::native::ne_scalar_out, whose type differs from its schema ne.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::ne_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:684: aten::ne.Tensor_out is bound to tenon::native::ne_tensor_out, whose type differs from its schema ne.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::neg_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:12: aten::neg.out is bound to tenon::native::neg_out, whose type differs from its schema neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::nextafter_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:567: aten::nextafter.out is bound to tenon::native::nextafter_out, whose type differs from its schema nextafter.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::nonzero_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:1439: aten::nonzero.out is bound to tenon::native::nonzero_out, whose type differs from its schema nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::nonzero_static_out, Tensor&(const Tensor&, int64_t, int64_t, Tensor&)>,
              "functions.yaml:1444: aten::nonzero_static.out is bound to tenon::native::nonzero_static_out, whose type differs from its schema nonzero_static.out(Tensor self, *, SymInt size, int fill_value=-1, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::normal_tensor_tensor_out, Tensor&(const Tensor&, const Tensor&, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1668: aten::normal.Tensor_Tensor_out is bound to tenon::native::normal_tensor_tensor_out, whose type differs from its schema normal.Tensor_Tensor_out(Tensor mean, Tensor std, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::normal_tensor_float_out, Tensor&(const Tensor&, double, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1658: aten::normal.Tensor_float_out is bound to tenon::native::normal_tensor_float_out, whose type differs from its schema normal.Tensor_float_out(Tensor mean, float std=1., *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::normal_float_tensor_out, Tensor&(double, const Tensor&, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1663: aten::normal.float_Tensor_out is bound to tenon::native::normal_float_tensor_out, whose type differs from its schema normal.float_Tensor_out(float mean, Tensor std, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::normal_float_float_out, Tensor&(double, double, ArrayRef<int64_t>, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1653: aten::normal.float_float_out is bound to tenon::native::normal_float_float_out, whose type differs from its schema normal.float_float_out(float mean, float std, SymInt[] size, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::normal_out, Tensor&(const Tensor&, double, double, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1648: aten::normal.out is bound to tenon::native::normal_out, whose type differs from its schema normal.out(Tensor self, float mean=0., float std=1., *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::ones_out, Tensor&(ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:1052: aten::ones.out is bound to tenon::native::ones_out, whose type differs from its schema ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::permute_copy_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:786: aten::permute_copy.out is bound to tenon::native::permute_copy_out, whose type differs from its schema permute_copy.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::pixel_shuffle_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:866: aten::pixel_shuffle.out is bound to tenon::native::pixel_shuffle_out, whose type differs from its schema pixel_shuffle.out(Tensor self, int upscale_factor, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::pixel_unshuffle_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:871: aten::pixel_unshuffle.out is bound to tenon::native::pixel_unshuffle_out, whose type differs from its schema pixel_unshuffle.out(Tensor self, int downscale_factor, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::poisson_out, Tensor&(const Tensor&, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1693: aten::poisson.out is bound to tenon::native::poisson_out, whose type differs from its schema poisson.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::polar_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:893: aten::polar.out is bound to tenon::native::polar_out, whose type differs from its schema polar.out(Tensor abs, Tensor angle, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::polygamma_out, Tensor&(int64_t, const Tensor&, Tensor&)>,
              "functions.yaml:277: aten::polygamma.out is bound to tenon::native::polygamma_out, whose type differs from its schema polygamma.out(int n, Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::pow_scalar_out, Tensor&(const Scalar&, const Tensor&, Tensor&)>,
              "functions.yaml:547: aten::pow.Scalar_out is bound to tenon::native::pow_scalar_out, whose type differs from its schema pow.Scalar_out(Scalar self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::pow_tensor_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:537: aten::pow.Tensor_Scalar_out is bound to tenon::native::pow_tensor_scalar_out, whose type differs from its schema pow.Tensor_Scalar_out(Tensor self, Scalar exponent, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::pow_tensor_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:542: aten::pow.Tensor_Tensor_out is bound to tenon::native::pow_tensor_tensor_out, whose type differs from its schema pow.Tensor_Tensor_out(Tensor self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::prod_int_out, Tensor&(const Tensor&, int64_t, bool, std::optional<ScalarType>, Tensor&)>,
              "functions.yaml:1494: aten::prod.int_out is bound to tenon::native::prod_int_out, whose type differs from its schema prod.int_out(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::prod_out, Tensor&(const Tensor&, std::optional<ScalarType>, Tensor&)>,
              "functions.yaml:1489: aten::prod.out is bound to tenon::native::prod_out, whose type differs from its schema prod.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::rand_out, Tensor&(ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:1578: aten::rand.out is bound to tenon::native::rand_out, whose type differs from its schema rand.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::rand_like_out, Tensor&(const Tensor&, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:1583: aten::rand_like.out is bound to tenon::native::rand_like_out, whose type differs from its schema rand_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::randint_low_out, Tensor&(int64_t, int64_t, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:1598: aten::randint.low_out is bound to tenon::native::randint_low_out, whose type differs from its schema randint.low_out(SymInt low, SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::randint_out, Tensor&(int64_t, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:1593: aten::randint.out is bound to tenon::native::randint_out, whose type differs from its schema randint.out(SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::randint_like_tensor_out, Tensor&(const Tensor&, const Tensor&, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:1613: aten::randint_like.Tensor_out is bound to tenon::native::randint_like_tensor_out, whose type differs from its schema randint_like.Tensor_out(Tensor self, Tensor high, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::randint_like_low_dtype_out, Tensor&(const Tensor&, int64_t, int64_t, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:1608: aten::randint_like.low_dtype_out is bound to tenon::native::randint_like_low_dtype_out, whose type differs from its schema randint_like.low_dtype_out(Tensor self, SymInt low, SymInt high, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::randint_like_out, Tensor&(const Tensor&, int64_t, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:1603: aten::randint_like.out is bound to tenon::native::randint_like_out, whose type differs from its schema randint_like.out(Tensor self, SymInt high, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::randn_out, Tensor&(ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:1638: aten::randn.out is bound to tenon::native::randn_out, whose type differs from its schema randn.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::randn_like_out, Tensor&(const Tensor&, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:1643: aten::randn_like.out is bound to tenon::native::randn_like_out, whose type differs from its schema randn_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::random_from_out, Tensor&(const Tensor&, int64_t, std::optional<int64_t>, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1623: aten::random.from_out is bound to tenon::native::random_from_out, whose type differs from its schema random.from_out(Tensor self, int from, int? to, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::random_out, Tensor&(const Tensor&, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1618: aten::random.out is bound to tenon::native::random_out, whose type differs from its schema random.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::random_to_out, Tensor&(const Tensor&, int64_t, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1628: aten::random.to_out is bound to tenon::native::random_to_out, whose type differs from its schema random.to_out(Tensor self, int to, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::randperm_out, Tensor&(int64_t, Tensor&)>,
              "functions.yaml:1633: aten::randperm.out is bound to tenon::native::randperm_out, whose type differs from its schema randperm.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::reciprocal_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:57: aten::reciprocal.out is bound to tenon::native::reciprocal_out, whose type differs from its schema reciprocal.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::reflection_pad1d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:980: aten::reflection_pad1d.out is bound to tenon::native::reflection_pad1d_out, whose type differs from its schema reflection_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::reflection_pad2d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:985: aten::reflection_pad2d.out is bound to tenon::native::reflection_pad2d_out, whose type differs from its schema reflection_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::reflection_pad3d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:990: aten::reflection_pad3d.out is bound to tenon::native::reflection_pad3d_out, whose type differs from its schema reflection_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::relu_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:402: aten::relu.out is bound to tenon::native::relu_out, whose type differs from its schema relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::remainder_scalar_out, Tensor&(const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:532: aten::remainder.Scalar_out is bound to tenon::native::remainder_scalar_out, whose type differs from its schema remainder.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::remainder_tensor_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:527: aten::remainder.Tensor_out is bound to tenon::native::remainder_tensor_out, whose type differs from its schema remainder.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::repeat_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:955: aten::repeat.out is bound to tenon::native::repeat_out, whose type differs from its schema repeat.out(Tensor self, SymInt[] repeats, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::repeat_interleave_tensor_out, Tensor&(const Tensor&, std::optional<int64_t>, Tensor&)>,
              "functions.yaml:1087: aten::repeat_interleave.Tensor_out is bound to tenon::native::repeat_interleave_tensor_out, whose type differs from its schema repeat_interleave.Tensor_out(Tensor repeats, *, SymInt? output_size=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::replication_pad1d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:995: aten::replication_pad1d.out is bound to tenon::native::replication_pad1d_out, whose type differs from its schema replication_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::replication_pad2d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:1000: aten::replication_pad2d.out is bound to tenon::native::replication_pad2d_out, whose type differs from its schema replication_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::replication_pad3d_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:1005: aten::replication_pad3d.out is bound to tenon::native::replication_pad3d_out, whose type differs from its schema replication_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::resize_out, Tensor&(const Tensor&, ArrayRef<int64_t>, std::optional<MemoryFormat>, Tensor&)>,
              "functions.yaml:1077: aten::resize.out is bound to tenon::native::resize_out, whose type differs from its schema resize.out(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::resize_, Tensor&(Tensor&, ArrayRef<int64_t>, std::optional<MemoryFormat>)>,
              "functions.yaml:1072: aten::resize_ is bound to tenon::native::resize_, whose type differs from its schema resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::roll_out, Tensor&(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:861: aten::roll.out is bound to tenon::native::roll_out, whose type differs from its schema roll.out(Tensor self, SymInt[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::round_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:377: aten::round.out is bound to tenon::native::round_out, whose type differs from its schema round.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::rsqrt_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:52: aten::rsqrt.out is bound to tenon::native::rsqrt_out, whose type differs from its schema rsqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::rsub_scalar_out, Tensor&(const Tensor&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:477: aten::rsub.Scalar_out is bound to tenon::native::rsub_scalar_out, whose type differs from its schema rsub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::scalar_tensor_out, Tensor&(const Scalar&, Tensor&)>,
              "functions.yaml:1042: aten::scalar_tensor.out is bound to tenon::native::scalar_tensor_out, whose type differs from its schema scalar_tensor.out(Scalar s, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::scatter_reduce_out, Tensor&(const Tensor&, int64_t, const Tensor&, const Tensor&, std::string_view, Tensor&)>,
              "functions.yaml:1459: aten::scatter.reduce_out is bound to tenon::native::scatter_reduce_out, whose type differs from its schema scatter.reduce_out(Tensor self, int dim, Tensor index, Tensor src, *, str reduce, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::scatter_src_out, Tensor&(const Tensor&, int64_t, const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:1449: aten::scatter.src_out is bound to tenon::native::scatter_src_out, whose type differs from its schema scatter.src_out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::scatter_value_out, Tensor&(const Tensor&, int64_t, const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:1454: aten::scatter.value_out is bound to tenon::native::scatter_value_out, whose type differs from its schema scatter.value_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::scatter_value_reduce_out, Tensor&(const Tensor&, int64_t, const Tensor&, const Scalar&, std::string_view, Tensor&)>,
              "functions.yaml:1464: aten::scatter.value_reduce_out is bound to tenon::native::scatter_value_reduce_out, whose type differs from its schema scatter.value_reduce_out(Tensor self, int dim, Tensor index, Scalar value, *, str reduce, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::scatter_add_out, Tensor&(const Tensor&, int64_t, const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:1499: aten::scatter_add.out is bound to tenon::native::scatter_add_out, whose type differs from its schema scatter_add.out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::scatter_reduce_two_out, Tensor&(const Tensor&, int64_t, const Tensor&, const Tensor&, std::string_view, bool, Tensor&)>,
              "functions.yaml:1504: aten::scatter_reduce.two_out is bound to tenon::native::scatter_reduce_two_out, whose type differs from its schema scatter_reduce.two_out(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::searchsorted_scalar_out, Tensor&(const Tensor&, const Scalar&, bool, bool, std::optional<std::string_view>, const std::optional<Tensor>&, Tensor&)>,
              "functions.yaml:1320: aten::searchsorted.Scalar_out is bound to tenon::native::searchsorted_scalar_out, whose type differs from its schema searchsorted.Scalar_out(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::searchsorted_tensor_out, Tensor&(const Tensor&, const Tensor&, bool, bool, std::optional<std::string_view>, const std::optional<Tensor>&, Tensor&)>,
              "functions.yaml:1315: aten::searchsorted.Tensor_out is bound to tenon::native::searchsorted_tensor_out, whose type differs from its schema searchsorted.Tensor_out(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::segment_reduce_out, Tensor&(const Tensor&, std::string_view, const std::optional<Tensor>&, const std::optional<Tensor>&, const std::optional<Tensor>&, int64_t, bool, const std::optional<Scalar>&, Tensor&)>,
              "functions.yaml:1285: aten::segment_reduce.out is bound to tenon::native::segment_reduce_out, whose type differs from its schema segment_reduce.out(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::select_copy_int_out, Tensor&(const Tensor&, int64_t, int64_t, Tensor&)>,
              "functions.yaml:796: aten::select_copy.int_out is bound to tenon::native::select_copy_int_out, whose type differs from its schema select_copy.int_out(Tensor self, int dim, SymInt index, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::select_scatter_out, Tensor&(const Tensor&, const Tensor&, int64_t, int64_t, Tensor&)>,
              "functions.yaml:821: aten::select_scatter.out is bound to tenon::native::select_scatter_out, whose type differs from its schema select_scatter.out(Tensor self, Tensor src, int dim, SymInt index, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sgn_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:22: aten::sgn.out is bound to tenon::native::sgn_out, whose type differs from its schema sgn.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sigmoid_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:357: aten::sigmoid.out is bound to tenon::native::sigmoid_out, whose type differs from its schema sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sign_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:17: aten::sign.out is bound to tenon::native::sign_out, whose type differs from its schema sign.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::signbit_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:27: aten::signbit.out is bound to tenon::native::signbit_out, whose type differs from its schema signbit.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::silu_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:412: aten::silu.out is bound to tenon::native::silu_out, whose type differs from its schema silu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sin_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:97: aten::sin.out is bound to tenon::native::sin_out, whose type differs from its schema sin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sinh_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:127: aten::sinh.out is bound to tenon::native::sinh_out, whose type differs from its schema sinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::slice_copy_tensor_out, Tensor&(const Tensor&, int64_t, std::optional<int64_t>, std::optional<int64_t>, int64_t, Tensor&)>,
              "functions.yaml:801: aten::slice_copy.Tensor_out is bound to tenon::native::slice_copy_tensor_out, whose type differs from its schema slice_copy.Tensor_out(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::slice_scatter_out, Tensor&(const Tensor&, const Tensor&, int64_t, std::optional<int64_t>, std::optional<int64_t>, int64_t, Tensor&)>,
              "functions.yaml:826: aten::slice_scatter.out is bound to tenon::native::slice_scatter_out, whose type differs from its schema slice_scatter.out(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sort_values, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, bool, Tensor&, Tensor&)>,
              "functions.yaml:1290: aten::sort.values is bound to tenon::native::sort_values, whose type differs from its schema sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
static_assert(is_kernel<&::tenon::native::sort_values_stable, std::tuple<Tensor&, Tensor&>(const Tensor&, std::optional<bool>, int64_t, bool, Tensor&, Tensor&)>,
              "functions.yaml:1295: aten::sort.values_stable is bound to tenon::native::sort_values_stable, whose type differs from its schema sort.values_stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
static_assert(is_kernel<&::tenon::native::special_airy_ai_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:262: aten::special_airy_ai.out is bound to tenon::native::special_airy_ai_out, whose type differs from its schema special_airy_ai.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_bessel_j0_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:237: aten::special_bessel_j0.out is bound to tenon::native::special_bessel_j0_out, whose type differs from its schema special_bessel_j0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_bessel_j1_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:242: aten::special_bessel_j1.out is bound to tenon::native::special_bessel_j1_out, whose type differs from its schema special_bessel_j1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_bessel_y0_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:247: aten::special_bessel_y0.out is bound to tenon::native::special_bessel_y0_out, whose type differs from its schema special_bessel_y0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_bessel_y1_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:252: aten::special_bessel_y1.out is bound to tenon::native::special_bessel_y1_out, whose type differs from its schema special_bessel_y1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_chebyshev_polynomial_t_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:297: aten::special_chebyshev_polynomial_t.out is bound to tenon::native::special_chebyshev_polynomial_t_out, whose type differs from its schema special_chebyshev_polynomial_t.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_chebyshev_polynomial_u_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:302: aten::special_chebyshev_polynomial_u.out is bound to tenon::native::special_chebyshev_polynomial_u_out, whose type differs from its schema special_chebyshev_polynomial_u.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_chebyshev_polynomial_v_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:307: aten::special_chebyshev_polynomial_v.out is bound to tenon::native::special_chebyshev_polynomial_v_out, whose type differs from its schema special_chebyshev_polynomial_v.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_chebyshev_polynomial_w_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:312: aten::special_chebyshev_polynomial_w.out is bound to tenon::native::special_chebyshev_polynomial_w_out, whose type differs from its schema special_chebyshev_polynomial_w.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_erfcx_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:267: aten::special_erfcx.out is bound to tenon::native::special_erfcx_out, whose type differs from its schema special_erfcx.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_hermite_polynomial_h_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:337: aten::special_hermite_polynomial_h.out is bound to tenon::native::special_hermite_polynomial_h_out, whose type differs from its schema special_hermite_polynomial_h.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_hermite_polynomial_he_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:342: aten::special_hermite_polynomial_he.out is bound to tenon::native::special_hermite_polynomial_he_out, whose type differs from its schema special_hermite_polynomial_he.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_i0e_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:192: aten::special_i0e.out is bound to tenon::native::special_i0e_out, whose type differs from its schema special_i0e.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_i1_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:197: aten::special_i1.out is bound to tenon::native::special_i1_out, whose type differs from its schema special_i1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_i1e_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:202: aten::special_i1e.out is bound to tenon::native::special_i1e_out, whose type differs from its schema special_i1e.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_laguerre_polynomial_l_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:347: aten::special_laguerre_polynomial_l.out is bound to tenon::native::special_laguerre_polynomial_l_out, whose type differs from its schema special_laguerre_polynomial_l.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_legendre_polynomial_p_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:352: aten::special_legendre_polynomial_p.out is bound to tenon::native::special_legendre_polynomial_p_out, whose type differs from its schema special_legendre_polynomial_p.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_modified_bessel_i0_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:207: aten::special_modified_bessel_i0.out is bound to tenon::native::special_modified_bessel_i0_out, whose type differs from its schema special_modified_bessel_i0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_modified_bessel_i1_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:212: aten::special_modified_bessel_i1.out is bound to tenon::native::special_modified_bessel_i1_out, whose type differs from its schema special_modified_bessel_i1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_modified_bessel_k0_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:217: aten::special_modified_bessel_k0.out is bound to tenon::native::special_modified_bessel_k0_out, whose type differs from its schema special_modified_bessel_k0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_modified_bessel_k1_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:222: aten::special_modified_bessel_k1.out is bound to tenon::native::special_modified_bessel_k1_out, whose type differs from its schema special_modified_bessel_k1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_ndtri_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:272: aten::special_ndtri.out is bound to tenon::native::special_ndtri_out, whose type differs from its schema special_ndtri.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_scaled_modified_bessel_k0_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:227: aten::special_scaled_modified_bessel_k0.out is bound to tenon::native::special_scaled_modified_bessel_k0_out, whose type differs from its schema special_scaled_modified_bessel_k0.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_scaled_modified_bessel_k1_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:232: aten::special_scaled_modified_bessel_k1.out is bound to tenon::native::special_scaled_modified_bessel_k1_out, whose type differs from its schema special_scaled_modified_bessel_k1.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_shifted_chebyshev_polynomial_t_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:317: aten::special_shifted_chebyshev_polynomial_t.out is bound to tenon::native::special_shifted_chebyshev_polynomial_t_out, whose type differs from its schema special_shifted_chebyshev_polynomial_t.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_shifted_chebyshev_polynomial_u_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:322: aten::special_shifted_chebyshev_polynomial_u.out is bound to tenon::native::special_shifted_chebyshev_polynomial_u_out, whose type differs from its schema special_shifted_chebyshev_polynomial_u.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_shifted_chebyshev_polynomial_v_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:327: aten::special_shifted_chebyshev_polynomial_v.out is bound to tenon::native::special_shifted_chebyshev_polynomial_v_out, whose type differs from its schema special_shifted_chebyshev_polynomial_v.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_shifted_chebyshev_polynomial_w_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:332: aten::special_shifted_chebyshev_polynomial_w.out is bound to tenon::native::special_shifted_chebyshev_polynomial_w_out, whose type differs from its schema special_shifted_chebyshev_polynomial_w.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_spherical_bessel_j0_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:257: aten::special_spherical_bessel_j0.out is bound to tenon::native::special_spherical_bessel_j0_out, whose type differs from its schema special_spherical_bessel_j0.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::special_zeta_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:282: aten::special_zeta.out is bound to tenon::native::special_zeta_out, whose type differs from its schema special_zeta.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::split_copy_tensor_out, void(const Tensor&, int64_t, int64_t, TensorList)>,
              "functions.yaml:970: aten::split_copy.Tensor_out is bound to tenon::native::split_copy_tensor_out, whose type differs from its schema split_copy.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, Tensor(a!)[] out) -> ()");
static_assert(is_kernel<&::tenon::native::split_with_sizes_copy_out, void(const Tensor&, ArrayRef<int64_t>, int64_t, TensorList)>,
              "functions.yaml:965: aten::split_with_sizes_copy.out is bound to tenon::native::split_with_sizes_copy_out, whose type differs from its schema split_with_sizes_copy.out(Tensor self, SymInt[] split_sizes, int dim=0, *, Tensor(a!)[] out) -> ()");
static_assert(is_kernel<&::tenon::native::sqrt_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:47: aten::sqrt.out is bound to tenon::native::sqrt_out, whose type differs from its schema sqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::square_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:42: aten::square.out is bound to tenon::native::square_out, whose type differs from its schema square.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::squeeze_copy_dim_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:761: aten::squeeze_copy.dim_out is bound to tenon::native::squeeze_copy_dim_out, whose type differs from its schema squeeze_copy.dim_out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::squeeze_copy_dims_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:766: aten::squeeze_copy.dims_out is bound to tenon::native::squeeze_copy_dims_out, whose type differs from its schema squeeze_copy.dims_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::stack_out, Tensor&(TensorList, int64_t, Tensor&)>,
              "functions.yaml:950: aten::stack.out is bound to tenon::native::stack_out, whose type differs from its schema stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sub_scalar_out, Tensor&(const Tensor&, const Scalar&, const Scalar&, Tensor&)>,
              "functions.yaml:472: aten::sub.Scalar_out is bound to tenon::native::sub_scalar_out, whose type differs from its schema sub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sub_out, Tensor&(const Tensor&, const Tensor&, const Scalar&, Tensor&)>,
              "functions.yaml:467: aten::sub.out is bound to tenon::native::sub_out, whose type differs from its schema sub.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::sum_intlist_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, std::optional<ScalarType>, Tensor&)>,
              "functions.yaml:1188: aten::sum.IntList_out is bound to tenon::native::sum_intlist_out, whose type differs from its schema sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::t_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:776: aten::t_copy.out is bound to tenon::native::t_copy_out, whose type differs from its schema t_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::tan_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:107: aten::tan.out is bound to tenon::native::tan_out, whose type differs from its schema tan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::tanh_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:137: aten::tanh.out is bound to tenon::native::tanh_out, whose type differs from its schema tanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::topk_values, std::tuple<Tensor&, Tensor&>(const Tensor&, int64_t, int64_t, bool, bool, Tensor&, Tensor&)>,
              "functions.yaml:1300: aten::topk.values is bound to tenon::native::topk_values, whose type differs from its schema topk.values(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
static_assert(is_kernel<&::tenon::native::transpose_copy_int_out, Tensor&(const Tensor&, int64_t, int64_t, Tensor&)>,
              "functions.yaml:781: aten::transpose_copy.int_out is bound to tenon::native::transpose_copy_int_out, whose type differs from its schema transpose_copy.int_out(Tensor self, int dim0, int dim1, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::tril_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:806: aten::tril.out is bound to tenon::native::tril_out, whose type differs from its schema tril.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::triu_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:811: aten::triu.out is bound to tenon::native::triu_out, whose type differs from its schema triu.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::trunc_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:382: aten::trunc.out is bound to tenon::native::trunc_out, whose type differs from its schema trunc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::unbind_copy_int_out, void(const Tensor&, int64_t, TensorList)>,
              "functions.yaml:975: aten::unbind_copy.int_out is bound to tenon::native::unbind_copy_int_out, whose type differs from its schema unbind_copy.int_out(Tensor self, int dim=0, *, Tensor(a!)[] out) -> ()");
static_assert(is_kernel<&::tenon::native::unfold_copy_out, Tensor&(const Tensor&, int64_t, int64_t, int64_t, Tensor&)>,
              "functions.yaml:841: aten::unfold_copy.out is bound to tenon::native::unfold_copy_out, whose type differs from its schema unfold_copy.out(Tensor self, int dimension, int size, int step, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::uniform_out, Tensor&(const Tensor&, double, double, std::optional<Generator>, Tensor&)>,
              "functions.yaml:1588: aten::uniform.out is bound to tenon::native::uniform_out, whose type differs from its schema uniform.out(Tensor self, float from=0., float to=1., *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::unique_consecutive_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, bool, bool, std::optional<int64_t>, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1335: aten::unique_consecutive.out is bound to tenon::native::unique_consecutive_out, whose type differs from its schema unique_consecutive.out(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::unique_dim_out, std::tuple<Tensor&, Tensor&, Tensor&>(const Tensor&, int64_t, bool, bool, bool, Tensor&, Tensor&, Tensor&)>,
              "functions.yaml:1330: aten::unique_dim.out is bound to tenon::native::unique_dim_out, whose type differs from its schema unique_dim.out(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
static_assert(is_kernel<&::tenon::native::unsqueeze_copy_out, Tensor&(const Tensor&, int64_t, Tensor&)>,
              "functions.yaml:771: aten::unsqueeze_copy.out is bound to tenon::native::unsqueeze_copy_out, whose type differs from its schema unsqueeze_copy.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::upsample_bilinear2d_vec_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, std::optional<ArrayRef<double>>, Tensor&)>,
              "functions.yaml:1519: aten::upsample_bilinear2d.vec_out is bound to tenon::native::upsample_bilinear2d_vec_out, whose type differs from its schema upsample_bilinear2d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::upsample_nearest2d_vec_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, std::optional<ArrayRef<double>>, Tensor&)>,
              "functions.yaml:1514: aten::upsample_nearest2d.vec_out is bound to tenon::native::upsample_nearest2d_vec_out, whose type differs from its schema upsample_nearest2d.vec_out(Tensor input, SymInt[]? output_size, float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::var_correction_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, const std::optional<Scalar>&, bool, Tensor&)>,
              "functions.yaml:1228: aten::var.correction_out is bound to tenon::native::var_correction_out, whose type differs from its schema var.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::var_out, Tensor&(const Tensor&, std::optional<ArrayRef<int64_t>>, bool, bool, Tensor&)>,
              "functions.yaml:1233: aten::var.out is bound to tenon::native::var_out, whose type differs from its schema var.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::var_mean_correction_out, std::tuple<Tensor&, Tensor&>(const Tensor&, std::optional<ArrayRef<int64_t>>, const std::optional<Scalar>&, bool, Tensor&, Tensor&)>,
              "functions.yaml:1238: aten::var_mean.correction_out is bound to tenon::native::var_mean_correction_out, whose type differs from its schema var_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
static_assert(is_kernel<&::tenon::native::view_as_complex_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:903: aten::view_as_complex_copy.out is bound to tenon::native::view_as_complex_copy_out, whose type differs from its schema view_as_complex_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::view_as_real_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "functions.yaml:898: aten::view_as_real_copy.out is bound to tenon::native::view_as_real_copy_out, whose type differs from its schema view_as_real_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::view_copy_out, Tensor&(const Tensor&, ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:756: aten::view_copy.out is bound to tenon::native::view_copy_out, whose type differs from its schema view_copy.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::where_self_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, Tensor&)>,
              "functions.yaml:657: aten::where.self_out is bound to tenon::native::where_self_out, whose type differs from its schema where.self_out(Tensor condition, Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::zeros_out, Tensor&(ArrayRef<int64_t>, Tensor&)>,
              "functions.yaml:1057: aten::zeros.out is bound to tenon::native::zeros_out, whose type differs from its schema zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_clone_dim_order_out, Tensor&(const Tensor&, bool, std::optional<ArrayRef<int64_t>>, Tensor&)>,
              "custom_ops.yaml:10: dim_order_ops::_clone_dim_order.out is bound to tenon::native::_clone_dim_order_out, whose type differs from its schema _clone_dim_order.out(Tensor self, *, bool non_blocking=False, int[]? dim_order=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_empty_dim_order_out, Tensor&(ArrayRef<int64_t>, std::optional<ArrayRef<int64_t>>, Tensor&)>,
              "custom_ops.yaml:15: dim_order_ops::_empty_dim_order.out is bound to tenon::native::_empty_dim_order_out, whose type differs from its schema _empty_dim_order.out(int[] size, *, int[]? dim_order=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_to_dim_order_copy_out, Tensor&(const Tensor&, bool, std::optional<ArrayRef<int64_t>>, Tensor&)>,
              "custom_ops.yaml:5: dim_order_ops::_to_dim_order_copy.out is bound to tenon::native::_to_dim_order_copy_out, whose type differs from its schema _to_dim_order_copy.out(Tensor self, *, bool non_blocking=False, int[]? dim_order=None, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_d2h_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "custom_ops.yaml:155: et_copy::_d2h_copy.out is bound to tenon::native::_d2h_copy_out, whose type differs from its schema _d2h_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::_h2d_copy_out, Tensor&(const Tensor&, Tensor&)>,
              "custom_ops.yaml:150: et_copy::_h2d_copy.out is bound to tenon::native::_h2d_copy_out, whose type differs from its schema _h2d_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
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
static_assert(is_kernel<&::tenon::native::add_int8_out, Tensor&(const Tensor&, int64_t, double, const Tensor&, int64_t, double, ScalarType, int64_t, double, double, Tensor&)>,
              "custom_ops.yaml:212: tenon::add_int8.out is bound to tenon::native::add_int8_out, whose type differs from its schema add_int8.out(Tensor input, int input_zero, float input_scale, Tensor other, int other_zero, float other_scale, ScalarType dtype, int zero, float low, float high, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::attention_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, const std::optional<Tensor>&, bool, double, Tensor&)>,
              "custom_ops.yaml:237: tenon::attention.out is bound to tenon::native::attention_out, whose type differs from its schema attention.out(Tensor query, Tensor key, Tensor value, Tensor? mask, bool causal, float scale, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::convolution_packed_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, int64_t, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, std::string_view, double, double, Tensor&)>,
              "custom_ops.yaml:177: tenon::convolution.out is bound to tenon::native::convolution_packed_out, whose type differs from its schema convolution.out(Tensor input, Tensor weight, Tensor? bias, Tensor? other, int outputs, int[] kernel, int[] stride, int[] padding, int[] dilation, str activation, float low, float high, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::convolution_depthwise_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, std::string_view, double, double, Tensor&)>,
              "custom_ops.yaml:182: tenon::convolution_depthwise.out is bound to tenon::native::convolution_depthwise_out, whose type differs from its schema convolution_depthwise.out(Tensor input, Tensor weight, Tensor? bias, Tensor? other, int[] kernel, int[] stride, int[] padding, int[] dilation, str activation, float low, float high, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::convolution_depthwise_int8_out, Tensor&(const Tensor&, int64_t, const Tensor&, const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ScalarType, int64_t, double, double, Tensor&)>,
              "custom_ops.yaml:207: tenon::convolution_depthwise_int8.out is bound to tenon::native::convolution_depthwise_int8_out, whose type differs from its schema convolution_depthwise_int8.out(Tensor input, int input_zero, Tensor weight, Tensor scales, Tensor? zeros, Tensor? bias, int[] kernel, int[] stride, int[] padding, int[] dilation, ScalarType dtype, int zero, float low, float high, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::convolution_int8_out, Tensor&(const Tensor&, int64_t, const Tensor&, const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, int64_t, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ScalarType, int64_t, double, double, Tensor&)>,
              "custom_ops.yaml:202: tenon::convolution_int8.out is bound to tenon::native::convolution_int8_out, whose type differs from its schema convolution_int8.out(Tensor input, int input_zero, Tensor weight, Tensor scales, Tensor? zeros, Tensor? bias, int outputs, int[] kernel, int[] stride, int[] padding, int[] dilation, ScalarType dtype, int zero, float low, float high, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::convolution_into_out, Tensor&(const std::optional<Tensor>&, int64_t, int64_t, const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, std::string_view, double, double, Tensor&)>,
              "custom_ops.yaml:222: tenon::convolution_into.out is bound to tenon::native::convolution_into_out, whose type differs from its schema convolution_into.out(Tensor? wide, int channels, int first, Tensor input, Tensor weight, Tensor? bias, int outputs, int[] kernel, int[] stride, int[] padding, int[] dilation, str activation, float low, float high, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::convolution_then_depthwise_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, std::string_view, double, double, const Tensor&, const std::optional<Tensor>&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, std::string_view, double, double, Tensor&)>,
              "custom_ops.yaml:187: tenon::convolution_then_depthwise.out is bound to tenon::native::convolution_then_depthwise_out, whose type differs from its schema convolution_then_depthwise.out(Tensor input, Tensor weight, Tensor? bias, int outputs, int[] kernel, int[] stride, int[] padding, int[] dilation, str activation, float low, float high, Tensor depthwise_weight, Tensor? depthwise_bias, int[] depthwise_kernel, int[] depthwise_stride, int[] depthwise_padding, int[] depthwise_dilation, str depthwise_activation, float depthwise_low, float depthwise_high, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::convolution_winograd_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, int64_t, ArrayRef<int64_t>, std::string_view, double, double, Tensor&)>,
              "custom_ops.yaml:192: tenon::convolution_winograd.out is bound to tenon::native::convolution_winograd_out, whose type differs from its schema convolution_winograd.out(Tensor input, Tensor weight, Tensor? bias, Tensor? other, int outputs, int[] padding, str activation, float low, float high, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::convolution_winograd_into_out, Tensor&(const std::optional<Tensor>&, int64_t, int64_t, const Tensor&, const Tensor&, const std::optional<Tensor>&, int64_t, ArrayRef<int64_t>, std::string_view, double, double, Tensor&)>,
              "custom_ops.yaml:227: tenon::convolution_winograd_into.out is bound to tenon::native::convolution_winograd_into_out, whose type differs from its schema convolution_winograd_into.out(Tensor? wide, int channels, int first, Tensor input, Tensor weight, Tensor? bias, int outputs, int[] padding, str activation, float low, float high, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::linear_packed_out, Tensor&(const Tensor&, const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, int64_t, std::string_view, double, double, Tensor&)>,
              "custom_ops.yaml:167: tenon::linear.out is bound to tenon::native::linear_packed_out, whose type differs from its schema linear.out(Tensor input, Tensor weight, Tensor? bias, Tensor? other, int outputs, str activation, float low, float high, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::linear_groups_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, const std::optional<Tensor>&, int64_t, int64_t, std::string_view, double, double, Tensor&)>,
              "custom_ops.yaml:172: tenon::linear_groups.out is bound to tenon::native::linear_groups_out, whose type differs from its schema linear_groups.out(Tensor input, Tensor weight, Tensor scales, Tensor? zeros, Tensor? bias, Tensor? other, int outputs, int group, str activation, float low, float high, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::linear_int8_out, Tensor&(const Tensor&, int64_t, const Tensor&, const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, int64_t, ScalarType, int64_t, double, double, Tensor&)>,
              "custom_ops.yaml:197: tenon::linear_int8.out is bound to tenon::native::linear_int8_out, whose type differs from its schema linear_int8.out(Tensor input, int input_zero, Tensor weight, Tensor scales, Tensor? zeros, Tensor? bias, int outputs, ScalarType dtype, int zero, float low, float high, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::max_pool_out, Tensor&(const Tensor&, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, Tensor&)>,
              "custom_ops.yaml:232: tenon::max_pool.out is bound to tenon::native::max_pool_out, whose type differs from its schema max_pool.out(Tensor input, int[] kernel, int[] stride, int[] padding, int[] dilation, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::pointwise_out, Tensor&(TensorList, ArrayRef<int64_t>, ArrayRef<double>, Tensor&)>,
              "custom_ops.yaml:252: tenon::pointwise.out is bound to tenon::native::pointwise_out, whose type differs from its schema pointwise.out(Tensor[] inputs, int[] program, float[] constants, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::rms_norm_out, Tensor&(const Tensor&, const std::optional<Tensor>&, double, Tensor&)>,
              "custom_ops.yaml:242: tenon::rms_norm.out is bound to tenon::native::rms_norm_out, whose type differs from its schema rms_norm.out(Tensor input, Tensor? weight, float eps, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::rotary_out, Tensor&(const Tensor&, const Tensor&, const Tensor&, Tensor&)>,
              "custom_ops.yaml:247: tenon::rotary.out is bound to tenon::native::rotary_out, whose type differs from its schema rotary.out(Tensor input, Tensor cos, Tensor sin, *, Tensor(a!) out) -> Tensor(a!)");
static_assert(is_kernel<&::tenon::native::table_int8_out, Tensor&(const Tensor&, const Tensor&, Tensor&)>,
              "custom_ops.yaml:217: tenon::table_int8.out is bound to tenon::native::table_int8_out, whose type differs from its schema table_int8.out(Tensor input, Tensor table, *, Tensor(a!) out) -> Tensor(a!)");

constexpr Kernel rows[] = {
    {"aten::_adaptive_avg_pool2d.out", &boxed<&::tenon::native::_adaptive_avg_pool2d_out>},
    {"aten::_adaptive_avg_pool2d_backward.out", &boxed<&::tenon::native::_adaptive_avg_pool2d_backward_out>},
    {"aten::_adaptive_avg_pool3d.out", &boxed<&::tenon::native::_adaptive_avg_pool3d_out>},
    {"aten::_cdist_forward.out", &boxed<&::tenon::native::_cdist_forward_out>},
    {"aten::_conj_copy.out", &boxed<&::tenon::native::_conj_copy_out>},
    {"aten::_conj_physical.out", &boxed<&::tenon::native::_conj_physical_out>},
    {"aten::_embedding_bag.out", &boxed<&::tenon::native::_embedding_bag_out>},
    {"aten::_embedding_bag_forward_only.out", &boxed<&::tenon::native::_embedding_bag_forward_only_out>},
    {"aten::_fft_c2c.out", &boxed<&::tenon::native::_fft_c2c_out>},
    {"aten::_fft_c2r.out", &boxed<&::tenon::native::_fft_c2r_out>},
    {"aten::_fft_r2c.out", &boxed<&::tenon::native::_fft_r2c_out>},
    {"aten::_log_softmax.out", &boxed<&::tenon::native::_log_softmax_out>},
    {"aten::_native_batch_norm_legit.no_stats_out", &boxed<&::tenon::native::_native_batch_norm_legit_no_stats_out>},
    {"aten::_native_batch_norm_legit.out", &boxed<&::tenon::native::_native_batch_norm_legit_out>},
    {"aten::_native_batch_norm_legit_no_training.out", &boxed<&::tenon::native::_native_batch_norm_legit_no_training_out>},
    {"aten::_pdist_forward.out", &boxed<&::tenon::native::_pdist_forward_out>},
    {"aten::_sample_dirichlet.out", &boxed<&::tenon::native::_sample_dirichlet_out>},
    {"aten::_softmax.out", &boxed<&::tenon::native::_softmax_out>},
    {"aten::_standard_gamma.out", &boxed<&::tenon::native::_standard_gamma_out>},
    {"aten::_to_copy.out", &boxed<&::tenon::native::_to_copy_out>},
    {"aten::_unique2.out", &boxed<&::tenon::native::_unique2_out>},
    {"aten::_upsample_bilinear2d_aa.out", &boxed<&::tenon::native::_upsample_bilinear2d_aa_out>},
    {"aten::abs.out", &boxed<&::tenon::native::abs_out>},
    {"aten::acos.out", &boxed<&::tenon::native::acos_out>},
    {"aten::acosh.out", &boxed<&::tenon::native::acosh_out>},
    {"aten::adaptive_avg_pool1d.out", &boxed<&::tenon::native::adaptive_avg_pool1d_out>},
    {"aten::adaptive_max_pool2d.out", &boxed<&::tenon::native::adaptive_max_pool2d_out>},
    {"aten::add.Scalar_out", &boxed<&::tenon::native::add_scalar_out>},
    {"aten::add.out", &boxed<&::tenon::native::add_out>},
    {"aten::addmm.out", &boxed<&::tenon::native::addmm_out>},
    {"aten::alias_copy.out", &boxed<&::tenon::native::alias_copy_out>},
    {"aten::all.all_out", &boxed<&::tenon::native::all_all_out>},
    {"aten::all.dims_out", &boxed<&::tenon::native::all_dims_out>},
    {"aten::all.out", &boxed<&::tenon::native::all_out>},
    {"aten::allclose.out", &boxed<&::tenon::native::allclose_out>},
    {"aten::amax.out", &boxed<&::tenon::native::amax_out>},
    {"aten::amin.out", &boxed<&::tenon::native::amin_out>},
    {"aten::angle.out", &boxed<&::tenon::native::angle_out>},
    {"aten::any.all_out", &boxed<&::tenon::native::any_all_out>},
    {"aten::any.dims_out", &boxed<&::tenon::native::any_dims_out>},
    {"aten::any.out", &boxed<&::tenon::native::any_out>},
    {"aten::arange.out", &boxed<&::tenon::native::arange_out>},
    {"aten::arange.start_out", &boxed<&::tenon::native::arange_start_out>},
    {"aten::argmax.out", &boxed<&::tenon::native::argmax_out>},
    {"aten::argmin.out", &boxed<&::tenon::native::argmin_out>},
    {"aten::as_strided_copy.out", &boxed<&::tenon::native::as_strided_copy_out>},
    {"aten::as_strided_scatter.out", &boxed<&::tenon::native::as_strided_scatter_out>},
    {"aten::asin.out", &boxed<&::tenon::native::asin_out>},
    {"aten::asinh.out", &boxed<&::tenon::native::asinh_out>},
    {"aten::atan.out", &boxed<&::tenon::native::atan_out>},
    {"aten::atan2.out", &boxed<&::tenon::native::atan2_out>},
    {"aten::atanh.out", &boxed<&::tenon::native::atanh_out>},
    {"aten::avg_pool1d.out", &boxed<&::tenon::native::avg_pool1d_out>},
    {"aten::avg_pool2d.out", &boxed<&::tenon::native::avg_pool2d_out>},
    {"aten::avg_pool2d_backward.grad_input", &boxed<&::tenon::native::avg_pool2d_backward_grad_input>},
    {"aten::avg_pool3d.out", &boxed<&::tenon::native::avg_pool3d_out>},
    {"aten::bernoulli.Tensor_out", &boxed<&::tenon::native::bernoulli_tensor_out>},
    {"aten::bernoulli.float_out", &boxed<&::tenon::native::bernoulli_float_out>},
    {"aten::bernoulli.out", &boxed<&::tenon::native::bernoulli_out>},
    {"aten::bincount.out", &boxed<&::tenon::native::bincount_out>},
    {"aten::binomial.out", &boxed<&::tenon::native::binomial_out>},
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
    {"aten::cauchy.out", &boxed<&::tenon::native::cauchy_out>},
    {"aten::ceil.out", &boxed<&::tenon::native::ceil_out>},
    {"aten::clamp.Tensor_out", &boxed<&::tenon::native::clamp_tensor_out>},
    {"aten::clamp.out", &boxed<&::tenon::native::clamp_out>},
    {"aten::clone.out", &boxed<&::tenon::native::clone_out>},
    {"aten::col2im.out", &boxed<&::tenon::native::col2im_out>},
    {"aten::complex.out", &boxed<&::tenon::native::complex_out>},
    {"aten::conj_physical.out", &boxed<&::tenon::native::conj_physical_out>},
    {"aten::constant_pad_nd.out", &boxed<&::tenon::native::constant_pad_nd_out>},
    {"aten::convolution.out", &boxed<&::tenon::native::convolution_out>},
    {"aten::convolution_backward.out", &boxed<&::tenon::native::convolution_backward_out>},
    {"aten::copy.out", &boxed<&::tenon::native::copy_out>},
    {"aten::copy_", &boxed<&::tenon::native::copy_>},
    {"aten::copysign.out", &boxed<&::tenon::native::copysign_out>},
    {"aten::cos.out", &boxed<&::tenon::native::cos_out>},
    {"aten::cosh.out", &boxed<&::tenon::native::cosh_out>},
    {"aten::cummax.out", &boxed<&::tenon::native::cummax_out>},
    {"aten::cummin.out", &boxed<&::tenon::native::cummin_out>},
    {"aten::cumprod.out", &boxed<&::tenon::native::cumprod_out>},
    {"aten::cumsum.out", &boxed<&::tenon::native::cumsum_out>},
    {"aten::detach_copy.out", &boxed<&::tenon::native::detach_copy_out>},
    {"aten::diagonal_copy.out", &boxed<&::tenon::native::diagonal_copy_out>},
    {"aten::diagonal_scatter.out", &boxed<&::tenon::native::diagonal_scatter_out>},
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
    {"aten::exponential.out", &boxed<&::tenon::native::exponential_out>},
    {"aten::fill.Scalar_out", &boxed<&::tenon::native::fill_scalar_out>},
    {"aten::fill.Tensor_out", &boxed<&::tenon::native::fill_tensor_out>},
    {"aten::flip.out", &boxed<&::tenon::native::flip_out>},
    {"aten::floor.out", &boxed<&::tenon::native::floor_out>},
    {"aten::floor_divide.out", &boxed<&::tenon::native::floor_divide_out>},
    {"aten::fmod.Scalar_out", &boxed<&::tenon::native::fmod_scalar_out>},
    {"aten::fmod.Tensor_out", &boxed<&::tenon::native::fmod_tensor_out>},
    {"aten::frac.out", &boxed<&::tenon::native::frac_out>},
    {"aten::frexp.Tensor_out", &boxed<&::tenon::native::frexp_tensor_out>},
    {"aten::full.out", &boxed<&::tenon::native::full_out>},
    {"aten::full_like.out", &boxed<&::tenon::native::full_like_out>},
    {"aten::gather.out", &boxed<&::tenon::native::gather_out>},
    {"aten::gcd.out", &boxed<&::tenon::native::gcd_out>},
    {"aten::ge.Scalar_out", &boxed<&::tenon::native::ge_scalar_out>},
    {"aten::ge.Tensor_out", &boxed<&::tenon::native::ge_tensor_out>},
    {"aten::gelu.out", &boxed<&::tenon::native::gelu_out>},
    {"aten::geometric.out", &boxed<&::tenon::native::geometric_out>},
    {"aten::glu.out", &boxed<&::tenon::native::glu_out>},
    {"aten::grid_sampler_2d.out", &boxed<&::tenon::native::grid_sampler_2d_out>},
    {"aten::grid_sampler_3d.out", &boxed<&::tenon::native::grid_sampler_3d_out>},
    {"aten::gt.Scalar_out", &boxed<&::tenon::native::gt_scalar_out>},
    {"aten::gt.Tensor_out", &boxed<&::tenon::native::gt_tensor_out>},
    {"aten::hardsigmoid.out", &boxed<&::tenon::native::hardsigmoid_out>},
    {"aten::hardswish.out", &boxed<&::tenon::native::hardswish_out>},
    {"aten::hardtanh.out", &boxed<&::tenon::native::hardtanh_out>},
    {"aten::histc.out", &boxed<&::tenon::native::histc_out>},
    {"aten::hypot.out", &boxed<&::tenon::native::hypot_out>},
    {"aten::i0.out", &boxed<&::tenon::native::i0_out>},
    {"aten::igamma.out", &boxed<&::tenon::native::igamma_out>},
    {"aten::igammac.out", &boxed<&::tenon::native::igammac_out>},
    {"aten::index.Tensor_out", &boxed<&::tenon::native::index_tensor_out>},
    {"aten::index_put.out", &boxed<&::tenon::native::index_put_out>},
    {"aten::index_put_", &boxed<&::tenon::native::index_put_>},
    {"aten::index_select.out", &boxed<&::tenon::native::index_select_out>},
    {"aten::isinf.out", &boxed<&::tenon::native::isinf_out>},
    {"aten::isnan.out", &boxed<&::tenon::native::isnan_out>},
    {"aten::kthvalue.values", &boxed<&::tenon::native::kthvalue_values>},
    {"aten::lcm.out", &boxed<&::tenon::native::lcm_out>},
    {"aten::le.Scalar_out", &boxed<&::tenon::native::le_scalar_out>},
    {"aten::le.Tensor_out", &boxed<&::tenon::native::le_tensor_out>},
    {"aten::leaky_relu.out", &boxed<&::tenon::native::leaky_relu_out>},
    {"aten::lgamma.out", &boxed<&::tenon::native::lgamma_out>},
    {"aten::lift_fresh_copy.out", &boxed<&::tenon::native::lift_fresh_copy_out>},
    {"aten::linear.out", &boxed<&::tenon::native::linear_out>},
    {"aten::linspace.out", &boxed<&::tenon::native::linspace_out>},
    {"aten::log.out", &boxed<&::tenon::native::log_out>},
    {"aten::log10.out", &boxed<&::tenon::native::log10_out>},
    {"aten::log1p.out", &boxed<&::tenon::native::log1p_out>},
    {"aten::log2.out", &boxed<&::tenon::native::log2_out>},
    {"aten::log_normal.out", &boxed<&::tenon::native::log_normal_out>},
    {"aten::logcumsumexp.out", &boxed<&::tenon::native::logcumsumexp_out>},
    {"aten::logical_and.out", &boxed<&::tenon::native::logical_and_out>},
    {"aten::logical_not.out", &boxed<&::tenon::native::logical_not_out>},
    {"aten::logical_or.out", &boxed<&::tenon::native::logical_or_out>},
    {"aten::logical_xor.out", &boxed<&::tenon::native::logical_xor_out>},
    {"aten::logit.out", &boxed<&::tenon::native::logit_out>},
    {"aten::logspace.out", &boxed<&::tenon::native::logspace_out>},
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
    {"aten::mode.values", &boxed<&::tenon::native::mode_values>},
    {"aten::mul.Scalar_out", &boxed<&::tenon::native::mul_scalar_out>},
    {"aten::mul.out", &boxed<&::tenon::native::mul_out>},
    {"aten::multinomial.out", &boxed<&::tenon::native::multinomial_out>},
    {"aten::narrow_copy.out", &boxed<&::tenon::native::narrow_copy_out>},
    {"aten::native_dropout.out", &boxed<&::tenon::native::native_dropout_out>},
    {"aten::native_group_norm.out", &boxed<&::tenon::native::native_group_norm_out>},
    {"aten::native_group_norm_backward.out", &boxed<&::tenon::native::native_group_norm_backward_out>},
    {"aten::native_layer_norm.out", &boxed<&::tenon::native::native_layer_norm_out>},
    {"aten::native_layer_norm_backward.out", &boxed<&::tenon::native::native_layer_norm_backward_out>},
    {"aten::ne.Scalar_out", &boxed<&::tenon::native::ne_scalar_out>},
    {"aten::ne.Tensor_out", &boxed<&::tenon::native::ne_tensor_out>},
    {"aten::neg.out", &boxed<&::tenon::native::neg_out>},
    {"aten::nextafter.out", &boxed<&::tenon::native::nextafter_out>},
    {"aten::nonzero.out", &boxed<&::tenon::native::nonzero_out>},
    {"aten::nonzero_static.out", &boxed<&::tenon::native::nonzero_static_out>},
    {"aten::normal.Tensor_Tensor_out", &boxed<&::tenon::native::normal_tensor_tensor_out>},
    {"aten::normal.Tensor_float_out", &boxed<&::tenon::native::normal_tensor_float_out>},
    {"aten::normal.float_Tensor_out", &boxed<&::tenon::native::normal_float_tensor_out>},
    {"aten::normal.float_float_out", &boxed<&::tenon::native::normal_float_float_out>},
    {"aten::normal.out", &boxed<&::tenon::native::normal_out>},
    {"aten::ones.out", &boxed<&::tenon::native::ones_out>},
    {"aten::permute_copy.out", &boxed<&::tenon::native::permute_copy_out>},
    {"aten::pixel_shuffle.out", &boxed<&::tenon::native::pixel_shuffle_out>},
    {"aten::pixel_unshuffle.out", &boxed<&::tenon::native::pixel_unshuffle_out>},
    {"aten::poisson.out", &boxed<&::tenon::native::poisson_out>},
    {"aten::polar.out", &boxed<&::tenon::native::polar_out>},
    {"aten::polygamma.out", &boxed<&::tenon::native::polygamma_out>},
    {"aten::pow.Scalar_out", &boxed<&::tenon::native::pow_scalar_out>},
    {"aten::pow.Tensor_Scalar_out", &boxed<&::tenon::native::pow_tensor_scalar_out>},
    {"aten::pow.Tensor_Tensor_out", &boxed<&::tenon::native::pow_tensor_tensor_out>},
    {"aten::prod.int_out", &boxed<&::tenon::native::prod_int_out>},
    {"aten::prod.out", &boxed<&::tenon::native::prod_out>},
    {"aten::rand.out", &boxed<&::tenon::native::rand_out>},
    {"aten::rand_like.out", &boxed<&::tenon::native::rand_like_out>},
    {"aten::randint.low_out", &boxed<&::tenon::native::randint_low_out>},
    {"aten::randint.out", &boxed<&::tenon::native::randint_out>},
    {"aten::randint_like.Tensor_out", &boxed<&::tenon::native::randint_like_tensor_out>},
    {"aten::randint_like.low_dtype_out", &boxed<&::tenon::native::randint_like_low_dtype_out>},
    {"aten::randint_like.out", &boxed<&::tenon::native::randint_like_out>},
    {"aten::randn.out", &boxed<&::tenon::native::randn_out>},
    {"aten::randn_like.out", &boxed<&::tenon::native::randn_like_out>},
    {"aten::random.from_out", &boxed<&::tenon::native::random_from_out>},
    {"aten::random.out", &boxed<&::tenon::native::random_out>},
    {"aten::random.to_out", &boxed<&::tenon::native::random_to_out>},
    {"aten::randperm.out", &boxed<&::tenon::native::randperm_out>},
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
    {"aten::resize.out", &boxed<&::tenon::native::resize_out>},
    {"aten::resize_", &boxed<&::tenon::native::resize_>},
    {"aten::roll.out", &boxed<&::tenon::native::roll_out>},
    {"aten::round.out", &boxed<&::tenon::native::round_out>},
    {"aten::rsqrt.out", &boxed<&::tenon::native::rsqrt_out>},
    {"aten::rsub.Scalar_out", &boxed<&::tenon::native::rsub_scalar_out>},
    {"aten::scalar_tensor.out", &boxed<&::tenon::native::scalar_tensor_out>},
    {"aten::scatter.reduce_out", &boxed<&::tenon::native::scatter_reduce_out>},
    {"aten::scatter.src_out", &boxed<&::tenon::native::scatter_src_out>},
    {"aten::scatter.value_out", &boxed<&::tenon::native::scatter_value_out>},
    {"aten::scatter.value_reduce_out", &boxed<&::tenon::native::scatter_value_reduce_out>},
    {"aten::scatter_add.out", &boxed<&::tenon::native::scatter_add_out>},
    {"aten::scatter_reduce.two_out", &boxed<&::tenon::native::scatter_reduce_two_out>},
    {"aten::searchsorted.Scalar_out", &boxed<&::tenon::native::searchsorted_scalar_out>},
    {"aten::searchsorted.Tensor_out", &boxed<&::tenon::native::searchsorted_tensor_out>},
    {"aten::segment_reduce.out", &boxed<&::tenon::native::segment_reduce_out>},
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
    {"aten::sort.values_stable", &boxed<&::tenon::native::sort_values_stable>},
    {"aten::special_airy_ai.out", &boxed<&::tenon::native::special_airy_ai_out>},
    {"aten::special_bessel_j0.out", &boxed<&::tenon::native::special_bessel_j0_out>},
    {"aten::special_bessel_j1.out", &boxed<&::tenon::native::special_bessel_j1_out>},
    {"aten::special_bessel_y0.out", &boxed<&::tenon::native::special_bessel_y0_out>},
    {"aten::special_bessel_y1.out", &boxed<&::tenon::native::special_bessel_y1_out>},
    {"aten::special_chebyshev_polynomial_t.out", &boxed<&::tenon::native::special_chebyshev_polynomial_t_out>},
    {"aten::special_chebyshev_polynomial_u.out", &boxed<&::tenon::native::special_chebyshev_polynomial_u_out>},
    {"aten::special_chebyshev_polynomial_v.out", &boxed<&::tenon::native::special_chebyshev_polynomial_v_out>},
    {"aten::special_chebyshev_polynomial_w.out", &boxed<&::tenon::native::special_chebyshev_polynomial_w_out>},
    {"aten::special_erfcx.out", &boxed<&::tenon::native::special_erfcx_out>},
    {"aten::special_hermite_polynomial_h.out", &boxed<&::tenon::native::special_hermite_polynomial_h_out>},
    {"aten::special_hermite_polynomial_he.out", &boxed<&::tenon::native::special_hermite_polynomial_he_out>},
    {"aten::special_i0e.out", &boxed<&::tenon::native::special_i0e_out>},
    {"aten::special_i1.out", &boxed<&::tenon::native::special_i1_out>},
    {"aten::special_i1e.out", &boxed<&::tenon::native::special_i1e_out>},
    {"aten::special_laguerre_polynomial_l.out", &boxed<&::tenon::native::special_laguerre_polynomial_l_out>},
    {"aten::special_legendre_polynomial_p.out", &boxed<&::tenon::native::special_legendre_polynomial_p_out>},
    {"aten::special_modified_bessel_i0.out", &boxed<&::tenon::native::special_modified_bessel_i0_out>},
    {"aten::special_modified_bessel_i1.out", &boxed<&::tenon::native::special_modified_bessel_i1_out>},
    {"aten::special_modified_bessel_k0.out", &boxed<&::tenon::native::special_modified_bessel_k0_out>},
    {"aten::special_modified_bessel_k1.out", &boxed<&::tenon::native::special_modified_bessel_k1_out>},
    {"aten::special_ndtri.out", &boxed<&::tenon::native::special_ndtri_out>},
    {"aten::special_scaled_modified_bessel_k0.out", &boxed<&::tenon::native::special_scaled_modified_bessel_k0_out>},
    {"aten::special_scaled_modified_bessel_k1.out", &boxed<&::tenon::native::special_scaled_modified_bessel_k1_out>},
    {"aten::special_shifted_chebyshev_polynomial_t.out", &boxed<&::tenon::native::special_shifted_chebyshev_polynomial_t_out>},
    {"aten::special_shifted_chebyshev_polynomial_u.out", &boxed<&::tenon::native::special_shifted_chebyshev_polynomial_u_out>},
    {"aten::special_shifted_chebyshev_polynomial_v.out", &boxed<&::tenon::native::special_shifted_chebyshev_polynomial_v_out>},
    {"aten::special_shifted_chebyshev_polynomial_w.out", &boxed<&::tenon::native::special_shifted_chebyshev_polynomial_w_out>},
    {"aten::special_spherical_bessel_j0.out", &boxed<&::tenon::native::special_spherical_bessel_j0_out>},
    {"aten::special_zeta.out", &boxed<&::tenon::native::special_zeta_out>},
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
    {"aten::uniform.out", &boxed<&::tenon::native::uniform_out>},
    {"aten::unique_consecutive.out", &boxed<&::tenon::native::unique_consecutive_out>},
    {"aten::unique_dim.out", &boxed<&::tenon::native::unique_dim_out>},
    {"aten::unsqueeze_copy.out", &boxed<&::tenon::native::unsqueeze_copy_out>},
    {"aten::upsample_bilinear2d.vec_out", &boxed<&::tenon::native::upsample_bilinear2d_vec_out>},
    {"aten::upsample_nearest2d.vec_out", &boxed<&::tenon::native::upsample_nearest2d_vec_out>},
    {"aten::var.correction_out", &boxed<&::tenon::native::var_correction_out>},
    {"aten::var.out", &boxed<&::tenon::native::var_out>},
    {"aten::var_mean.correction_out", &boxed<&::tenon::native::var_mean_correction_out>},
    {"aten::view_as_complex_copy.out", &boxed<&::tenon::native::view_as_complex_copy_out>},
    {"aten::view_as_real_copy.out", &boxed<&::tenon::native::view_as_real_copy_out>},
    {"aten::view_copy.out", &boxed<&::tenon::native::view_copy_out>},
    {"aten::where.self_out", &boxed<&::tenon::native::where_self_out>},
    {"aten::zeros.out", &boxed<&::tenon::native::zeros_out>},
    {"dim_order_ops::_clone_dim_order.out", &boxed<&::tenon::native::_clone_dim_order_out>},
    {"dim_order_ops::_empty_dim_order.out", &boxed<&::tenon::native::_empty_dim_order_out>},
    {"dim_order_ops::_to_dim_order_copy.out", &boxed<&::tenon::native::_to_dim_order_copy_out>},
    {"et_copy::_d2h_copy.out", &boxed<&::tenon::native::_d2h_copy_out>},
    {"et_copy::_h2d_copy.out", &boxed<&::tenon::native::_h2d_copy_out>},
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
    {"tenon::add_int8.out", &boxed<&::tenon::native::add_int8_out>},
    {"tenon::attention.out", &boxed<&::tenon::native::attention_out>},
    {"tenon::convolution.out", &boxed<&::tenon::native::convolution_packed_out>},
    {"tenon::convolution_depthwise.out", &boxed<&::tenon::native::convolution_depthwise_out>},
    {"tenon::convolution_depthwise_int8.out", &boxed<&::tenon::native::convolution_depthwise_int8_out>},
    {"tenon::convolution_int8.out", &boxed<&::tenon::native::convolution_int8_out>},
    {"tenon::convolution_into.out", &boxed<&::tenon::native::convolution_into_out>},
    {"tenon::convolution_then_depthwise.out", &boxed<&::tenon::native::convolution_then_depthwise_out>},
    {"tenon::convolution_winograd.out", &boxed<&::tenon::native::convolution_winograd_out>},
    {"tenon::convolution_winograd_into.out", &boxed<&::tenon::native::convolution_winograd_into_out>},
    {"tenon::linear.out", &boxed<&::tenon::native::linear_packed_out>},
    {"tenon::linear_groups.out", &boxed<&::tenon::native::linear_groups_out>},
    {"tenon::linear_int8.out", &boxed<&::tenon::native::linear_int8_out>},
    {"tenon::max_pool.out", &boxed<&::tenon::native::max_pool_out>},
    {"tenon::pointwise.out", &boxed<&::tenon::native::pointwise_out>},
    {"tenon::rms_norm.out", &boxed<&::tenon::native::rms_norm_out>},
    {"tenon::rotary.out", &boxed<&::tenon::native::rotary_out>},
    {"tenon::table_int8.out", &boxed<&::tenon::native::table_int8_out>},
};

}  // namespace

KernelTable tenon_kernels{"tenon", rows, /*in_order=*/true};

}  // namespace tenon
