// See names.h.
#pragma once

#include <executorch/names.h>
