// The generator of random numbers, and those that are drawn until one fits.
#include "random.h"

#include <atomic>
#include <cmath>

namespace tenon {

namespace {

// What was used of a seed is counted; a new seed begins anew.
std::atomic<uint64_t> seed{0}, used{0};

}  // namespace

void seed_random(uint64_t value) {
  seed = value;
  used = 0;
}

namespace native {

Philox::Philox(uint64_t low, uint64_t high, uint64_t key)
    : words{static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32), static_cast<uint32_t>(high),
            static_cast<uint32_t>(high >> 32)} {
  uint32_t keys[] = {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t one = uint64_t{0xD2511F53} * words[0], other = uint64_t{0xCD9E8D57} * words[2];
    words[0] = static_cast<uint32_t>(other >> 32) ^ words[1] ^ keys[0];
    words[2] = static_cast<uint32_t>(one >> 32) ^ words[3] ^ keys[1];
    words[1] = static_cast<uint32_t>(other);
    words[3] = static_cast<uint32_t>(one);
    keys[0] += 0x9E3779B9, keys[1] += 0xBB67AE85;
  }
}

Streams::Streams(int64_t count) : seed_(seed), first_(used.fetch_add(static_cast<uint64_t>(count))) {}

uint64_t Stream::bits() {
  if (drawn_ % 2 == 0) made_ = Philox(number_, drawn_ / 2, seed_);
  const uint32_t* half = made_.words + 2 * (drawn_++ % 2);
  return half[0] | uint64_t{half[1]} << 32;
}

double Stream::uniform(int digits) { return std::ldexp(static_cast<double>(bits() >> (64 - digits)), -digits); }

double Stream::normal() {
  const double radius = std::sqrt(-2 * std::log1p(-uniform()));
  return radius * std::cos(2 * 3.14159265358979323846 * uniform());
}

uint64_t Stream::below(uint64_t count) {
  if (count == 0) return bits();
  const uint64_t surplus = (UINT64_MAX % count + 1) % count;  // 2^64 modulo count: they would come up once too often
  for (;;) {
    const uint64_t found = bits();
    if (found <= UINT64_MAX - surplus) return found % count;
  }
}

// Marsaglia, Tsang: A simple method for generating gamma variables. 2000.
double Stream::gamma(double shape) {
  const double boost = shape < 1 ? std::pow(1 - uniform(), 1 / shape) : 1;
  const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal(), root = 1 + c * x, v = root * root * root;
    if (v > 0 && std::log1p(-uniform()) < x * x / 2 + d * (1 - v + std::log(v))) return boost * d * v;
  }
}

// Few by the times between events; many by Hörmann: The transformed rejection method for generating Poisson random
// variables. 1993 (PTRS).
double Stream::poisson(double rate) {
  if (rate < 10) {
    double count = 0;
    for (double time = -std::log1p(-uniform()); time < rate; time -= std::log1p(-uniform())) ++count;
    return count;
  }
  const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b, most = 0.9277 - 3.6224 / (b - 2);
  const double scale = std::log(1.1239 + 1.1328 / (b - 3.4));
  for (;;) {
    const double u = uniform() - 0.5, v = 1 - uniform(), near = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / near + b) * u + rate + 0.43);
    if (near >= 0.07 && v <= most) return k;
    if (k < 0 || (near < 0.013 && v > near)) continue;
    const double height = k * std::log(rate) - rate - std::lgamma(k + 1);
    if (std::log(v) + scale - std::log(a / (near * near) + b) <= height) return k;
  }
}

// Few by the trials between successes; many by Hörmann: The generation of binomial random variates. 1993 (BTRS).
double Stream::binomial(double count, double probability) {
  if (probability > 0.5) return count - binomial(count, 1 - probability);
  if (probability <= 0 || count <= 0) return 0;
  if (count * probability < 10) {
    double found = 0;
    const double rate = std::log1p(-probability);
    for (double trial = 0;; ++found) {
      trial += std::fmax(std::ceil(std::log1p(-uniform()) / rate), 1);
      if (trial > count) return found;
    }
  }
  const double spread = std::sqrt(count * probability * (1 - probability)), odds = probability / (1 - probability);
  const double b = 1.15 + 2.53 * spread, a = -0.0873 + 0.0248 * b + 0.01 * probability, most = 0.92 - 4.2 / b;
  const double scale = (2.83 + 5.1 / b) * spread, top = std::floor((count + 1) * probability);
  const double height = std::lgamma(top + 1) + std::lgamma(count - top + 1);
  for (;;) {
    const double u = uniform() - 0.5, v = 1 - uniform(), near = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / near + b) * u + count * probability + 0.5);
    if (near >= 0.07 && v <= most) return k;
    if (k < 0 || k > count) continue;
    const double below = height - std::lgamma(k + 1) - std::lgamma(count - k + 1) + (k - top) * std::log(odds);
    if (std::log(v * scale / (a / (near * near) + b)) <= below) return k;
  }
}

}  // namespace native
}  // namespace tenon
