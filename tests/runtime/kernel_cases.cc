#include "kernel_cases.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace quantc::runtime {
namespace {

std::size_t bytes_of(const std::string& dtype) {
  static const std::map<std::string, std::size_t> kBytes = {
      {"int8", 1}, {"uint8", 1}, {"int32", 4}, {"float32", 4}};
  return kBytes.at(dtype);
}

CaseTensor read_tensor(std::istream& words, std::istream& file) {
  std::string dtype;
  words >> dtype;
  CaseTensor tensor;
  std::size_t bytes = bytes_of(dtype);
  for (std::int32_t size = 0; words >> size;) {
    tensor.dims.push_back(size);
    bytes *= static_cast<std::size_t>(size);
  }
  tensor.bytes.resize(bytes);
  file.read(tensor.bytes.data(), static_cast<std::streamsize>(bytes));
  if (file.get() != '\n') throw std::runtime_error("a tensor ends early");
  return tensor;
}

std::vector<float> read_floats(std::istream& words) {
  std::vector<float> values;
  for (std::string text; words >> text;) values.push_back(std::strtof(text.c_str(), nullptr));
  return values;
}

std::vector<std::int32_t> read_ints(std::istream& words) {
  std::vector<std::int32_t> values;
  for (std::int32_t value = 0; words >> value;) values.push_back(value);
  return values;
}

// The lines after "case"; false at the end of the case.
bool read_field(Case& row, std::istream& file) {
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error(row.name + ": no end");
  std::istringstream words(line);
  std::string kind;
  std::string key;
  words >> kind >> key;
  if (kind == "word") {
    words >> row.words[key];
  } else if (kind == "int") {
    row.ints[key] = read_ints(words);
  } else if (kind == "float") {
    row.floats[key] = read_floats(words);
  } else if (kind == "tensor") {
    row.tensors[key] = read_tensor(words, file);
  } else if (kind != "end") {
    throw std::runtime_error(row.name + ": unknown field " + kind);
  }
  return kind != "end";
}

}  // namespace

Sizes Case::sizes(const std::string& key) const {
  std::vector<std::int32_t> dims = tensors.at(key).dims;
  dims.resize(4, 1);
  return {dims[0], dims[1], dims[2], dims[3]};
}

std::vector<Case> read_cases(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind;
    Case row;
    words >> kind >> row.kernel >> row.name;
    if (kind != "case") throw std::runtime_error("expected a case, found " + line);
    while (read_field(row, file)) continue;
    cases.push_back(std::move(row));
  }
  return cases;
}

}  // namespace quantc::runtime
