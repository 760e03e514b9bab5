// No chains: any program is interpreted. A build of some models replaces this.
#include "pointwise.h"

namespace tenon::native::pointwise_programs {

const Known known = {{}, &interpret};

}  // namespace tenon::native::pointwise_programs
