#include "npy.h"

#include <cstdio>
#include <cstring>

namespace tenon::runner {

namespace {

struct Row {
  const char* words;
  ScalarType type;
};
constexpr Row kDtypes[] = {
    {"|b1", ScalarType::Bool},   {"|u1", ScalarType::Byte},   {"|i1", ScalarType::Char},
    {"<i2", ScalarType::Short},  {"<i4", ScalarType::Int},    {"<i8", ScalarType::Long},
    {"<u2", ScalarType::UInt16}, {"<u4", ScalarType::UInt32}, {"<u8", ScalarType::UInt64},
    {"<f2", ScalarType::Half},   {"<f4", ScalarType::Float},  {"<f8", ScalarType::Double},
    {"<c8", ScalarType::ComplexFloat}, {"<c16", ScalarType::ComplexDouble},
};

// What stands behind 'key': in the header, which is a Python dict.
std::string field(const std::string& header, const char* key) {
  const size_t at = header.find(std::string("'") + key + "':");
  return at == std::string::npos ? "" : header.substr(at + std::strlen(key) + 3);
}

bool read_shape(const std::string& text, std::vector<SizesType>& sizes) {
  const size_t open = text.find('('), close = text.find(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return false;
  int64_t number = -1;
  for (size_t i = open + 1; i <= close; ++i) {
    const char c = text[i];
    if (c >= '0' && c <= '9') {
      number = (number < 0 ? 0 : number) * 10 + (c - '0');
      if (number > INT32_MAX) return false;
    } else if (c == ',' || c == ')') {
      if (number >= 0) sizes.push_back(static_cast<SizesType>(number));
      number = -1;
    } else if (c != ' ' && c != 'L') {
      return false;
    }
  }
  return sizes.size() <= kTensorDimensionLimit;
}

// The elements as numpy has them, whatever the order of dimensions in memory.
std::vector<uint8_t> in_index_order(const Tensor& tensor) {
  const size_t width = tensor.element_size(), dim = static_cast<size_t>(tensor.dim());
  const uint8_t* data = static_cast<const uint8_t*>(tensor.const_data_ptr());
  std::vector<uint8_t> found;
  found.reserve(tensor.nbytes());
  std::vector<SizesType> at(dim, 0);
  for (ptrdiff_t i = 0; i < tensor.numel(); ++i) {
    ptrdiff_t offset = 0;
    for (size_t d = 0; d < dim; ++d) offset += static_cast<ptrdiff_t>(at[d]) * tensor.strides()[d];
    found.insert(found.end(), data + offset * static_cast<ptrdiff_t>(width),
                 data + (offset + 1) * static_cast<ptrdiff_t>(width));
    for (size_t d = dim; d-- > 0 && ++at[d] == tensor.sizes()[d];) at[d] = 0;
  }
  return found;
}

}  // namespace

bool read_file(const std::string& path, std::vector<uint8_t>& data) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return false;
  uint8_t block[1 << 16];
  size_t count;
  while ((count = std::fread(block, 1, sizeof block, file)) > 0) data.insert(data.end(), block, block + count);
  const bool good = !std::ferror(file);
  std::fclose(file);
  return good;
}

bool read_npy(const std::string& path, Array& array, std::string& why) {
  std::vector<uint8_t> file;
  if (!read_file(path, file)) return why = path + ": cannot be read.", false;
  if (file.size() < 12 || std::memcmp(file.data(), "\x93NUMPY", 6) != 0) {
    return why = path + ": is no .npy file.", false;
  }
  const bool wide = file[6] >= 2;
  const size_t start = wide ? 12 : 10;
  size_t length = file[8] | static_cast<size_t>(file[9]) << 8;
  if (wide) length |= static_cast<size_t>(file[10]) << 16 | static_cast<size_t>(file[11]) << 24;
  if (start + length > file.size()) return why = path + ": its header leads past its end.", false;
  const std::string header(file.begin() + static_cast<ptrdiff_t>(start),
                           file.begin() + static_cast<ptrdiff_t>(start + length));
  const std::string descr = field(header, "descr"), order = field(header, "fortran_order");
  const size_t quote = descr.find('\''), end = descr.find('\'', quote + 1);
  const std::string dtype = quote == std::string::npos ? "" : descr.substr(quote + 1, end - quote - 1);
  const Row* row = nullptr;
  for (const Row& each : kDtypes) {
    if (dtype == each.words) row = &each;
  }
  if (!row) return why = path + ": has the dtype " + dtype + ", which programs do not have.", false;
  if (order.find("False") > 2) return why = path + ": is in Fortran order; save numpy.ascontiguousarray of it.", false;
  array.type = row->type;
  if (!read_shape(field(header, "shape"), array.sizes)) return why = path + ": has a shape that cannot be read.", false;
  ptrdiff_t count;
  if (!count_elements(array.sizes.data(), array.sizes.size(), elementSize(array.type), count)) {
    return why = path + ": is too large.", false;
  }
  array.data.assign(file.begin() + static_cast<ptrdiff_t>(start + length), file.end());
  if (array.data.size() < static_cast<size_t>(count) * elementSize(array.type)) {
    return why = path + ": has fewer elements than its shape says.", false;
  }
  return true;
}

bool write_npy(const std::string& path, const Tensor& tensor, std::string& why) {
  const char* words = nullptr;
  for (const Row& each : kDtypes) {
    if (each.type == tensor.scalar_type()) words = each.words;
  }
  if (!words) return why = std::string("numpy has no ") + toString(tensor.scalar_type()) + ".", false;
  // Of 16 dimensions at most, and as long as a multiple of 64 with the ten bytes before it.
  char header[502];
  int length = std::snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (", words);
  const auto put = [&](const char* format, int value) {
    length += std::snprintf(header + length, sizeof header - static_cast<size_t>(length), format, value);
  };
  for (const SizesType size : tensor.sizes()) put("%d, ", static_cast<int>(size));
  length += std::snprintf(header + length, sizeof header - static_cast<size_t>(length), "), }");
  while ((10 + length + 1) % 64 != 0) header[length++] = ' ';
  header[length++] = '\n';
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) return why = path + ": cannot be written.", false;
  const uint8_t start[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, static_cast<uint8_t>(length & 255),
                           static_cast<uint8_t>(length >> 8)};
  bool good = std::fwrite(start, 1, sizeof start, file) == sizeof start;
  good = good && std::fwrite(header, 1, static_cast<size_t>(length), file) == static_cast<size_t>(length);
  const std::vector<uint8_t> data = in_index_order(tensor);
  good = good && std::fwrite(data.data(), 1, data.size(), file) == data.size();
  good = std::fclose(file) == 0 && good;
  if (!good) why = path + ": cannot be written.";
  return good;
}

}  // namespace tenon::runner
