// The registry of a process, and the functions by which ExecuTorch's sources register kernels in it.
#include <tenon/boxed.h>
#include <tenon/log.h>

namespace tenon {
namespace {

Registry registry;

// register_kernels gives no place for a table, so that a few are kept here. They are for small programs and tests; a
// library has a table of its own.
constexpr size_t places = 16;
KernelTable registered[places] = {
    {"registered", {}}, {"registered", {}}, {"registered", {}}, {"registered", {}},
    {"registered", {}}, {"registered", {}}, {"registered", {}}, {"registered", {}},
    {"registered", {}}, {"registered", {}}, {"registered", {}}, {"registered", {}},
    {"registered", {}}, {"registered", {}}, {"registered", {}}, {"registered", {}},
};
size_t used = 0;

}  // namespace

Registry& global_registry() { return registry; }

Error register_library(KernelTable& table) {
  Message why;
  const Error error = registry.add(table, &why);
  if (error != Error::Ok) ET_LOG(Error, "%s", why.text);
  return error;
}

Error register_kernels(Span<const Kernel> kernels) {
  if (used == places) {
    ET_LOG(Error, "register_kernels was called %zu times before. Make a KernelTable, and add it to global_registry().",
           places);
    return Error::RegistrationExceedingMaxKernels;
  }
  registered[used].rows = kernels;
  const Error error = register_library(registered[used]);
  if (error == Error::Ok) ++used;
  return error;
}

Error register_kernel(const Kernel& kernel) { return register_kernels({&kernel, 1}); }

bool registry_has_op_function(const char* name, Span<const TensorMeta> metas) {
  return get_op_function_from_registry(name, metas).ok();
}

Result<OpFunction> get_op_function_from_registry(const char* name, Span<const TensorMeta> metas) {
  KeyText key;
  if (!key.set(metas)) return Error::InvalidArgument;
  const Kernel* found = registry.find(name, key.text);
  if (!found) found = find(prim_kernels, name, key.text);
  if (!found) return Error::OperatorMissing;
  return found->op_;
}

}  // namespace tenon
