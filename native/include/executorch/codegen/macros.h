// What exports a symbol: nothing, as programs are linked statically; in ATen mode, what torch has for it.
#pragma once

#ifdef USE_ATEN_LIB
#include <c10/macros/Export.h>
#else
#define TORCH_API
#endif
