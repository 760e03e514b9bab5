// Arrays in numpy's .npy files, as far as tensors need them: dense, in the order of their dimensions.
#pragma once

#include <tenon/tensor.h>

#include <string>
#include <vector>

namespace tenon::runner {

struct Array {
  ScalarType type = ScalarType::Float;
  std::vector<SizesType> sizes;
  std::vector<uint8_t> data;
};

bool read_file(const std::string& path, std::vector<uint8_t>& data);

// False with a sentence in `why`.
bool read_npy(const std::string& path, Array& array, std::string& why);
bool write_npy(const std::string& path, const Tensor& tensor, std::string& why);

}  // namespace tenon::runner
