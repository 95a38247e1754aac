// A pickle machine that never executes anything: it builds plain values, tensors among them, and
// knows a closed list of opcodes and of globals. An unknown global is refused by name.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/byte_reader.h"
#include "ir/dtype.h"
#include "ir/tensor.h"

namespace quantc::frontend {

struct PickleValue;
using PickleList = std::vector<PickleValue>;
using PickleDict = std::vector<std::pair<PickleValue, PickleValue>>;

/// A name from the allow-list, for example "collections.OrderedDict".
struct PickleGlobal {
  std::string name;
};

/// Where a storage's elements are, before the archive is asked for them.
struct PickleStorage {
  ir::DType dtype = ir::DType::kFloat32;
  std::string key;
  std::int64_t elements = 0;
  std::int64_t first_element = 0;  ///< Of a view on another storage (old streams only).
};

/// A view on a storage; strides and offset in elements.
struct PickleTensor {
  PickleStorage storage;
  std::int64_t offset = 0;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
};

/// One value. Containers are owned by the Pickle, so that cycles and depth do no harm.
struct PickleValue {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, PickleGlobal, PickleStorage,
               PickleTensor, PickleList*, PickleDict*>
      data;

  template <typename T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
  const PickleDict* dict() const {
    const auto* pointer = as<PickleDict*>();
    return pointer != nullptr ? *pointer : nullptr;
  }
  const PickleList* list() const {  ///< A list, a tuple or a set.
    const auto* pointer = as<PickleList*>();
    return pointer != nullptr ? *pointer : nullptr;
  }
};

struct Pickle {
  PickleValue root;
  std::deque<PickleList> lists;
  std::deque<PickleDict> dicts;
  /// The attributes that a BUILD gave to a dict: state_dict's `_metadata`.
  std::vector<std::pair<const PickleDict*, PickleValue>> attributes;
};

/// Reads one pickle and leaves `reader` behind it. InputError on an unknown opcode or global, on
/// damage, and on sizes that the bytes do not hold.
Pickle read_pickle(ByteReader& reader);

/// The value of a string key, or nullptr.
const PickleValue* find(const PickleDict& dict, std::string_view key);

}  // namespace quantc::frontend
