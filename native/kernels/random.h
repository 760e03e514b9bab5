// Where random numbers come from. Each element of a result has a stream of its own, told by its number, so that it does
// not matter in which order elements are made:
//
//   const Streams streams(out.numel());
//   for (int64_t i = 0; i < out.numel(); ++i) place[i] = streams[i].normal();
#pragma once

#include <tenon/random.h>

namespace tenon::native {

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3. 2011): a counter, mixed.
struct Philox {
  uint32_t words[4];
  Philox() = default;
  Philox(uint64_t low, uint64_t high, uint64_t key);
};

class Stream {
 public:
  Stream(uint64_t seed, uint64_t number) : seed_(seed), number_(number) {}

  uint64_t bits();                     // 64 of them
  double uniform(int digits = 53);     // in [0, 1): one of 2^digits
  double normal();                     // with mean 0 and variance 1
  uint64_t below(uint64_t count);      // any of [0, count); of all numbers if it is 0
  double gamma(double shape);
  double poisson(double rate);
  double binomial(double count, double probability);

 private:
  uint64_t seed_, number_, drawn_ = 0;
  Philox made_;
};

// So many streams, which nobody else has.
class Streams {
 public:
  explicit Streams(int64_t count);
  Stream operator[](int64_t i) const { return {seed_, first_ + static_cast<uint64_t>(i)}; }

 private:
  uint64_t seed_, first_;
};

}  // namespace tenon::native
