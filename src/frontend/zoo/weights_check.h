// Whether a checkpoint fits a network, and what differs.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "frontend/zoo/checkpoint_rules.h"

namespace quantc::frontend {

struct MisshapedTensor {
  std::string key;
  ir::Shape expected;
  ir::Shape found;
};

struct WeightsReport {
  std::string format;                         ///< Of the file: "torch.save zip" and so on.
  std::map<std::string, std::size_t> dtypes;  ///< Tensors by element type.
  std::int64_t parameters = 0;                ///< Trained numbers of the network.
  std::vector<AppliedRule> rules;
  std::vector<ExpectedTensor> missing;
  std::vector<ExpectedTensor> unexpected;
  std::vector<MisshapedTensor> misshaped;
  std::string refusal;  ///< What else is wrong, such as a NaN or a version that nobody knows.

  bool fits() const {
    return missing.empty() && unexpected.empty() && misshaped.empty() && refusal.empty();
  }
};

/// Reads the file and compares. InputError if it is no checkpoint.
WeightsReport check_weights(const ModelInfo& model, const std::filesystem::path& file);

}  // namespace quantc::frontend
