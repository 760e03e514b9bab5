// Convolutions where each channel is by itself, over rows of images with channels last.
#pragma once

#include "packed.h"

namespace tenon::native {

struct Depthwise : Images {
  const float* input;
  int64_t held;  // rows of an image that are there: row y is in the place of row y - held
  const float *weights, *zeros;
  Results results;
};

// Rows [first, last) of the results, counted through all images.
void convolve_depthwise(const Depthwise& g, int64_t first, int64_t last);

}  // namespace tenon::native
