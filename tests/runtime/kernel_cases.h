// The records that tests/oracle/kernel_oracle.py writes.
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tensors.h"

namespace quantc::runtime {

struct CaseTensor {
  std::vector<std::int32_t> dims;
  std::string bytes;
};

/// A kernel call and the output that is expected of it.
struct Case {
  std::string kernel;
  std::string name;
  std::map<std::string, std::string> words;
  std::map<std::string, std::vector<std::int32_t>> ints;
  std::map<std::string, std::vector<float>> floats;
  std::map<std::string, CaseTensor> tensors;

  const std::string& word(const std::string& key) const { return words.at(key); }
  std::int32_t integer(const std::string& key, std::size_t i = 0) const {
    return ints.at(key).at(i);
  }
  float real(const std::string& key, std::size_t i = 0) const { return floats.at(key).at(i); }

  /// Of a tensor of up to four dimensions; missing ones are 1.
  Sizes sizes(const std::string& key) const;

  template <typename T>
  std::vector<T> values(const std::string& key) const {
    const std::string& bytes = tensors.at(key).bytes;
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }

  /// The tensor `key` in the layout that the word `layout` names.
  template <typename T>
  Tensor<T> placed(const std::string& key, const std::string& layout) const {
    return Tensor<T>(word(layout), sizes(key), values<T>(key));
  }
};

/// std::runtime_error if the file cannot be read or is no list of cases.
std::vector<Case> read_cases(const std::string& path);

}  // namespace quantc::runtime
