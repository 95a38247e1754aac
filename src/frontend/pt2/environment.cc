#include "frontend/pt2/environment.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace quantc::frontend {

Environment::Environment(const Program& program) {
  for (std::size_t i = 0; i < program.nodes.size(); ++i) {
    for (const NamedArgument& input : program.nodes[i].inputs) {
      if (const auto* tensor = std::get_if<TensorName>(&input.value)) last_read_[tensor->name] = i;
      if (const auto* tensors = std::get_if<std::vector<TensorName>>(&input.value)) {
        for (const TensorName& item : *tensors) last_read_[item.name] = i;
      }
    }
  }
  for (const std::string& output : program.outputs) last_read_[output] = program.nodes.size();
}

const Environment::Entry& Environment::entry(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    throw InputError(fmt::format("reads {}, which no input or earlier node defines", name));
  }
  return found->second;
}

void Environment::insert(const std::string& name, Entry entry) {
  names_of_memory_[entry.memory].push_back(name);
  if (!entries_.emplace(name, std::move(entry)).second) {
    throw InputError(fmt::format("defines {} a second time", name));
  }
}

const Operand& Environment::operand(const std::string& name) const { return entry(name).operand; }

void Environment::define(const std::string& name, Operand operand) {
  const std::int32_t memory = next_++;
  insert(name, {std::move(operand), memory, memory});
}

void Environment::define_alias(const std::string& name, const std::string& of, Operand operand) {
  const Entry& source = entry(of);
  insert(name, {std::move(operand), source.memory, source.tensor});
}

void Environment::define_view(const std::string& name, const std::string& of, Operand operand) {
  insert(name, {std::move(operand), entry(of).memory, next_++});
}

void Environment::change(const std::string& name, const Operand& changed, std::size_t at) {
  const Entry& target = entry(name);
  const std::int32_t tensor = target.tensor;
  for (const std::string& other : names_of_memory_.at(target.memory)) {
    Entry& same_memory = entries_.at(other);
    const auto read = last_read_.find(other);
    if (same_memory.tensor == tensor) {
      same_memory.operand = changed;
    } else if (read != last_read_.end() && read->second > at) {
      throw UnsupportedError(fmt::format(
          "changes {} in place while {}, which may share its memory, is read later; use the form "
          "of this op that is not in place",
          name, other));
    }
  }
}

}  // namespace quantc::frontend
