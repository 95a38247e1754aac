// What the names of a program stand for while it is imported. A name of PyTorch stands for memory,
// a value of the graph never changes: an in-place op makes a new value, and every name of the
// memory stands for it from then on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/pt2/host_tensor.h"
#include "frontend/pt2/program.h"
#include "ir/graph.h"

namespace quantc::frontend {

/// A tensor of the program: a value of the graph, or one whose elements are known at import.
struct Operand {
  ir::ValueId value = -1;
  std::optional<HostTensor> host = {};
};

class Environment {
 public:
  explicit Environment(const Program& program);

  /// The operand of a name at this point; InputError if nothing defined it.
  const Operand& operand(const std::string& name) const;

  /// True if a node or the program's outputs read the name.
  bool is_read(const std::string& name) const { return last_read_.contains(name); }

  /// `name` gets memory of its own.
  void define(const std::string& name, Operand operand);

  /// `name` is another name for the tensor `of`.
  void define_alias(const std::string& name, const std::string& of, Operand operand);

  /// `name` is, or may be, a view on the memory of `of`: another shape, other strides, a part.
  void define_view(const std::string& name, const std::string& of, Operand operand);

  /// The tensor `name` has another value from node `at` on, under all its names. UnsupportedError
  /// if a view on its memory is read later.
  void change(const std::string& name, const Operand& changed, std::size_t at);

 private:
  struct Entry {
    Operand operand;
    std::int32_t memory = 0;
    std::int32_t tensor = 0;  ///< Names with the same number are the same tensor.
  };

  const Entry& entry(const std::string& name) const;
  void insert(const std::string& name, Entry entry);

  std::map<std::string, Entry> entries_;
  std::map<std::int32_t, std::vector<std::string>> names_of_memory_;
  std::map<std::string, std::size_t> last_read_;  ///< By a node, or by the program's outputs.
  std::int32_t next_ = 0;
};

}  // namespace quantc::frontend
