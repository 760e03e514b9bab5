// Prints which dtypes promote to which, and floats of 16 bits as others, for test_headers.py to compare with torch.
#include <cstdio>
#include <tenon/dtype.h>

using namespace tenon;

int main() {
  for (int a = 0; a < 30; ++a) {
    for (int b = 0; b < 30; ++b) {
      std::printf("%d ", static_cast<int>(promoteTypes(static_cast<ScalarType>(a), static_cast<ScalarType>(b))));
    }
  }
  std::puts("");
  for (unsigned i = 0; i < 65536; ++i) {
    const Half half(static_cast<uint16_t>(i), Half::from_bits());
    const BFloat16 brain(static_cast<uint16_t>(i), BFloat16::from_bits());
    const float a = half, b = brain;
    std::printf("%08x %08x %04x %04x\n", bits::of(a), bits::of(b), Half(a).x, BFloat16(b).x);
  }
  for (unsigned i = 0; i < 65536; ++i) {
    const float value = bits::to_float(i * 65537u + 12345u);
    std::printf("%04x %04x\n", Half(value).x, BFloat16(value).x);
  }
}
