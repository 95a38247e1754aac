// A pickle machine that never executes anything: it builds plain values, tensors among them, and
// knows a closed list of opcodes and of globals. An unknown global is refused by name.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/byte_reader.h"
#include "ir/dtype.h"

namespace quantc::frontend {

struct PickleValue;
using PickleList = std::vector<PickleValue>;
using PickleDict = std::vector<std::pair<PickleValue, PickleValue>>;

/// A name from the allow-list, for example "collections.OrderedDict".
struct PickleGlobal {
  std::string_view name;
};

/// Where a storage's elements are, before the archive is asked for them.
struct PickleStorage {
  ir::DType dtype = ir::DType::kFloat32;
  std::string_view key;
  std::int64_t elements = 0;       ///< At least so many follow the first one.
  std::int64_t first_element = 0;  ///< Of a view on another storage (old streams only).
};

/// A view on a storage; strides and offset in elements.
struct PickleTensor {
  PickleStorage storage;
  std::int64_t offset = 0;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
};

/// One value, small: the memo may recall it any number of times. What it points to is owned by the
/// Pickle, so that cycles and depth do no harm; text is a view on the bytes that were read.
struct PickleValue {
  std::variant<std::monostate, bool, std::int64_t, double, std::string_view, PickleGlobal,
               PickleStorage*, PickleTensor*, PickleList*, PickleDict*>
      data;

  template <typename T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
  const PickleStorage* storage() const { return pointee<PickleStorage>(); }
  const PickleTensor* tensor() const { return pointee<PickleTensor>(); }
  const PickleList* list() const { return pointee<PickleList>(); }  ///< A list, a tuple or a set.
  const PickleDict* dict() const { return pointee<PickleDict>(); }

 private:
  template <typename T>
  const T* pointee() const {
    const auto* pointer = as<T*>();
    return pointer != nullptr ? *pointer : nullptr;
  }
};

struct Pickle {
  PickleValue root;
  std::deque<PickleStorage> storages;
  std::deque<PickleTensor> tensors;
  std::deque<PickleList> lists;
  std::deque<PickleDict> dicts;
  /// The attributes that a BUILD gave to a dict: state_dict's `_metadata`.
  std::map<const PickleDict*, PickleValue> attributes;
};

/// Reads one pickle and leaves `reader` behind it. Time and memory are linear in the bytes read.
/// InputError on an unknown opcode or global, on damage, and on sizes that the bytes do not hold.
Pickle read_pickle(ByteReader& reader);

/// The value of a string key, or nullptr.
const PickleValue* find(const PickleDict& dict, std::string_view key);

}  // namespace quantc::frontend
