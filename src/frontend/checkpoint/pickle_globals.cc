#include "frontend/checkpoint/pickle_globals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/error.h"

namespace quantc::frontend {
namespace {

struct StorageRow {
  std::string_view name;
  ir::DType dtype;
};

constexpr std::array<StorageRow, 10> kStorages = {{
    {"torch.FloatStorage", ir::DType::kFloat32},
    {"torch.DoubleStorage", ir::DType::kFloat64},
    {"torch.HalfStorage", ir::DType::kFloat16},
    {"torch.BFloat16Storage", ir::DType::kBFloat16},
    {"torch.LongStorage", ir::DType::kInt64},
    {"torch.IntStorage", ir::DType::kInt32},
    {"torch.ShortStorage", ir::DType::kInt16},
    {"torch.CharStorage", ir::DType::kInt8},
    {"torch.ByteStorage", ir::DType::kUInt8},
    {"torch.BoolStorage", ir::DType::kBool},
}};

constexpr std::size_t kMaxKey = 100;  ///< torch.save's keys are numbers.

const StorageRow* find_storage(std::string_view name) {
  const auto* row = std::ranges::find(kStorages, name, &StorageRow::name);
  return row != kStorages.end() ? row : nullptr;
}

const PickleValue& argument(const PickleList& arguments, std::size_t i) {
  if (i >= arguments.size()) damaged_pickle("a call with too few arguments");
  return arguments[i];
}

std::int64_t as_int(const PickleValue& value) {
  const auto* number = value.as<std::int64_t>();
  if (number == nullptr) damaged_pickle("expected an integer");
  return *number;
}

std::vector<std::int64_t> as_ints(const PickleValue& value) {
  if (value.list() == nullptr) damaged_pickle("expected a tuple of integers");
  std::vector<std::int64_t> numbers;
  for (const PickleValue& item : *value.list()) numbers.push_back(as_int(item));
  return numbers;
}

// (storage, offset, sizes, strides, ...); what follows (requires_grad, hooks) does not matter.
PickleValue rebuild_tensor(const PickleList& arguments, Pickle& pickle) {
  const PickleStorage* storage = argument(arguments, 0).storage();
  if (storage == nullptr) damaged_pickle("a tensor without a storage");
  pickle.tensors.push_back({*storage, as_int(argument(arguments, 1)),
                            as_ints(argument(arguments, 2)), as_ints(argument(arguments, 3))});
  return {&pickle.tensors.back()};
}

PickleValue first_argument(const PickleList& arguments, Pickle& /*pickle*/) {
  return argument(arguments, 0);
}

// OrderedDict() or OrderedDict([(key, value), ...]).
PickleValue ordered_dict(const PickleList& arguments, Pickle& pickle) {
  PickleDict& dict = pickle.dicts.emplace_back();
  if (arguments.empty()) return {&dict};
  if (arguments[0].list() == nullptr) damaged_pickle("an OrderedDict of something else than pairs");
  for (const PickleValue& item : *arguments[0].list()) {
    if (item.list() == nullptr || item.list()->size() != 2)
      damaged_pickle("an OrderedDict of no pairs");
    dict.emplace_back(item.list()->at(0), item.list()->at(1));
  }
  return {&dict};
}

struct CallRow {
  std::string_view name;
  PickleValue (*call)(const PickleList& arguments, Pickle& pickle);
};

constexpr std::array<CallRow, 9> kCalls = {{
    {"collections.OrderedDict", ordered_dict},
    {"torch._utils._rebuild_tensor", rebuild_tensor},
    {"torch._utils._rebuild_tensor_v2", rebuild_tensor},
    {"torch._utils._rebuild_parameter", first_argument},
    {"torch._utils._rebuild_parameter_with_state", first_argument},
    {"torch.nn.parameter.Parameter", first_argument},
    {"torch.Size", first_argument},
    {"builtins.set", first_argument},
    {"__builtin__.set", first_argument},
}};

const CallRow* find_call(std::string_view name) {
  const auto* row = std::ranges::find(kCalls, name, &CallRow::name);
  return row != kCalls.end() ? row : nullptr;
}

}  // namespace

void damaged_pickle(std::string_view what) {
  throw InputError(fmt::format("damaged pickle: {}", what));
}

PickleGlobal checked_global(std::string_view module, std::string_view name) {
  const std::string global = fmt::format("{}.{}", module, name);
  if (const StorageRow* row = find_storage(global)) return {row->name};
  if (const CallRow* row = find_call(global)) return {row->name};
  throw InputError(fmt::format(
      "refused: the pickle names {}, which a state_dict does not need; nothing was run. Save "
      "model.state_dict() instead of the model if you trust the file",
      global));
}

PickleValue call_global(const PickleGlobal& global, const PickleList& arguments, Pickle& pickle) {
  const CallRow* row = find_call(global.name);
  if (row == nullptr) damaged_pickle(fmt::format("{} is called", global.name));
  return row->call(arguments, pickle);
}

PickleStorage storage_of(const PickleList& id) {
  const auto* tag = argument(id, 0).as<std::string_view>();
  const auto* type = argument(id, 1).as<PickleGlobal>();
  const auto* key = argument(id, 2).as<std::string_view>();
  if (tag == nullptr || *tag != "storage" || type == nullptr || key == nullptr) {
    damaged_pickle("a persistent id that is no storage");
  }
  if (key->size() > kMaxKey) damaged_pickle("a storage whose key is no number");
  const StorageRow* row = find_storage(type->name);
  if (row == nullptr) damaged_pickle(fmt::format("a storage of class {}", type->name));
  PickleStorage storage{row->dtype, *key, as_int(argument(id, 4)), 0};
  if (id.size() > 5 && id[5].list() != nullptr) {
    storage.first_element = as_int(argument(*id[5].list(), 1));
    storage.elements = as_int(argument(*id[5].list(), 2));
  }
  return storage;
}

}  // namespace quantc::frontend
