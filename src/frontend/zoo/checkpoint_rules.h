// What a published checkpoint needs before its keys fit a network: keys of older releases, heads
// that only training uses, older forms of an architecture.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "frontend/checkpoint/state_dict.h"
#include "frontend/zoo/model_table.h"

namespace quantc::frontend {

struct AppliedRule {
  std::string rule;         ///< "renamed .norm.1. to .norm1."
  std::size_t tensors = 0;  ///< That it changed; 0 if it changed the network.
};

struct FittedCheckpoint {
  ModelInfo model;       ///< The network that the checkpoint's version was trained as.
  StateDict state_dict;  ///< With current keys; views on the same file.
  std::vector<AppliedRule> rules;
};

/// Applies the rules of the network's family. InputError if a renamed key exists already or the
/// checkpoint has a version that nobody knows.
FittedCheckpoint fit_checkpoint(const ModelInfo& model, StateDict state_dict);

}  // namespace quantc::frontend
