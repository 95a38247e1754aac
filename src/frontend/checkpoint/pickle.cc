#include "frontend/checkpoint/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "base/error.h"
#include "frontend/checkpoint/pickle_globals.h"

namespace quantc::frontend {
namespace {

class Machine {
 public:
  explicit Machine(ByteReader& reader) : reader_(reader) {}

  Pickle run() {
    while (!stopped_) {
      const auto opcode = reader_.read<std::uint8_t>();
      const auto handler = handlers().find(static_cast<char>(opcode));
      if (handler == handlers().end()) {
        damaged_pickle(
            fmt::format("unknown opcode 0x{:02x} at offset {}", opcode, reader_.position() - 1));
      }
      handler->second(*this);
    }
    return std::move(pickle_);
  }

 private:
  using Handler = void (*)(Machine&);

  // ---- Stack ----

  void push(const PickleValue& value) { stack_.push_back(value); }

  PickleValue pop() {
    if (stack_.empty() || (!marks_.empty() && stack_.size() == marks_.back())) {
      damaged_pickle("a value is missing on the stack");
    }
    const PickleValue value = stack_.back();
    stack_.pop_back();
    return value;
  }

  PickleList pop_many(std::size_t count) {
    PickleList items(count);
    for (std::size_t i = count; i-- > 0;) items[i] = pop();
    return items;
  }

  PickleList pop_mark() {
    if (marks_.empty()) damaged_pickle("a mark is missing");
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    PickleList items(first, stack_.end());
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return items;
  }

  PickleValue& top() {
    if (stack_.empty()) damaged_pickle("a value is missing on the stack");
    return stack_.back();
  }

  template <typename T>
  T pop_as(std::string_view what) {
    const PickleValue value = pop();
    const T* typed = value.as<T>();
    if (typed == nullptr) damaged_pickle(fmt::format("expected {}", what));
    return *typed;
  }

  // ---- Opcodes ----

  void push_list(PickleList items) {
    pickle_.lists.push_back(std::move(items));
    push({&pickle_.lists.back()});
  }

  void push_tuple_of(std::size_t count) { push_list(pop_many(count)); }

  void push_dict() { push({&pickle_.dicts.emplace_back()}); }

  void push_text(std::uint64_t size) { push({reader_.text(size)}); }

  // Two's complement, little endian. Only the magic number of old streams needs more than 8 bytes;
  // such a number is kept as its bytes.
  void push_long(std::uint64_t size) {
    if (size > sizeof(std::int64_t)) return push_text(size);
    const auto bytes = reader_.take(size);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bits |= std::uint64_t{std::to_integer<std::uint8_t>(bytes[i])} << (8 * i);
    }
    const std::uint64_t unused = 64 - 8 * size;
    push({size == 0 ? std::int64_t{0} : static_cast<std::int64_t>(bits << unused) >> unused});
  }

  void push_double() {
    auto bits = reader_.read<std::uint64_t>();
    bits = __builtin_bswap64(bits);  // the one big-endian number of the format
    push({std::bit_cast<double>(bits)});
  }

  std::string_view line() {
    std::uint64_t size = 0;
    for (ByteReader ahead = reader_; ahead.read<char>() != '\n';) ++size;
    const std::string_view text = reader_.text(size);
    reader_.skip(1);
    return text;
  }

  void push_global() {
    const std::string_view module = line();
    const std::string_view name = line();
    push({checked_global(module, name)});
  }

  void push_stack_global() {
    const auto name = pop_as<std::string_view>("the name of a global");
    const auto module = pop_as<std::string_view>("the module of a global");
    push({checked_global(module, name)});
  }

  void append(const PickleList& items) {
    auto* const* list = top().as<PickleList*>();
    if (list == nullptr) damaged_pickle("an append to something else than a list");
    (*list)->insert((*list)->end(), items.begin(), items.end());
  }

  void set_items(const PickleList& items) {
    auto* const* dict = top().as<PickleDict*>();
    if (dict == nullptr || items.size() % 2 != 0)
      damaged_pickle("items for something else than a dict");
    for (std::size_t i = 0; i < items.size(); i += 2) {
      (*dict)->emplace_back(items[i], items[i + 1]);
    }
  }

  // The memo can hand the same long list to any number of calls. Honest arguments are written out
  // for each call, so that all of them together have fewer values than the stream has bytes.
  void account_for(const PickleList& arguments) {
    arguments_ += arguments.size();
    if (arguments_ <= reader_.position()) {
      for (const PickleValue& value : arguments) {
        if (value.list() != nullptr) arguments_ += value.list()->size();
      }
    }
    if (arguments_ > reader_.position()) damaged_pickle("calls with the same arguments too often");
  }

  void reduce() {
    const PickleList& arguments = *pop_as<PickleList*>("a tuple of arguments");
    account_for(arguments);
    push(call_global(pop_as<PickleGlobal>("a global to call"), arguments, pickle_));
  }

  void build() {
    const PickleValue state = pop();
    const PickleDict* dict = top().dict();
    if (dict == nullptr) damaged_pickle("a state for something else than a dict");
    if (!pickle_.attributes.emplace(dict, state).second) damaged_pickle("a dict with two states");
  }

  void load_persistent() {
    pickle_.storages.push_back(storage_of(*pop_as<PickleList*>("a persistent id")));
    push({&pickle_.storages.back()});
  }

  // Python numbers the slots from 0 on, one a value; a value takes at least one byte.
  void remember(std::uint64_t slot) {
    if (slot >= reader_.position()) damaged_pickle("a value is remembered too far away");
    if (slot >= memo_.size()) memo_.resize(slot + 1);
    if (!memo_[slot]) ++remembered_;
    memo_[slot] = top();
  }

  void recall(std::uint64_t slot) {
    if (slot >= memo_.size() || !memo_[slot]) {
      damaged_pickle("a value is recalled that was not remembered");
    }
    push(*memo_[slot]);
  }

  void discard() {
    if (!marks_.empty() && marks_.back() == stack_.size()) {
      marks_.pop_back();
    } else {
      pop();
    }
  }

  void stop() {
    pickle_.root = pop();
    stopped_ = true;
  }

  template <typename T>
  T number() {
    return reader_.read<T>();
  }

  // Opcodes by their byte, in the groups of Python's pickletools.
  static const std::map<char, Handler>& handlers() {
    static const std::map<char, Handler> kTable = {
        // Frame of the stream.
        {'\x80', [](Machine& m) { m.reader_.skip(1); }},
        {'\x95', [](Machine& m) { m.reader_.skip(8); }},
        {'.', [](Machine& m) { m.stop(); }},
        // Constants and numbers.
        {'N', [](Machine& m) { m.push({}); }},
        {'\x88', [](Machine& m) { m.push({true}); }},
        {'\x89', [](Machine& m) { m.push({false}); }},
        {'J', [](Machine& m) { m.push({std::int64_t{m.number<std::int32_t>()}}); }},
        {'K', [](Machine& m) { m.push({std::int64_t{m.number<std::uint8_t>()}}); }},
        {'M', [](Machine& m) { m.push({std::int64_t{m.number<std::uint16_t>()}}); }},
        {'\x8a', [](Machine& m) { m.push_long(m.number<std::uint8_t>()); }},
        {'\x8b', [](Machine& m) { m.push_long(m.number<std::uint32_t>()); }},
        {'G', [](Machine& m) { m.push_double(); }},
        // Text and bytes.
        {'X', [](Machine& m) { m.push_text(m.number<std::uint32_t>()); }},
        {'\x8c', [](Machine& m) { m.push_text(m.number<std::uint8_t>()); }},
        {'\x8d', [](Machine& m) { m.push_text(m.number<std::uint64_t>()); }},
        {'U', [](Machine& m) { m.push_text(m.number<std::uint8_t>()); }},
        {'T', [](Machine& m) { m.push_text(m.number<std::uint32_t>()); }},
        {'C', [](Machine& m) { m.push_text(m.number<std::uint8_t>()); }},
        {'B', [](Machine& m) { m.push_text(m.number<std::uint32_t>()); }},
        // Containers.
        {'(', [](Machine& m) { m.marks_.push_back(m.stack_.size()); }},
        {')', [](Machine& m) { m.push_list({}); }},
        {']', [](Machine& m) { m.push_list({}); }},
        {'\x8f', [](Machine& m) { m.push_list({}); }},
        {'}', [](Machine& m) { m.push_dict(); }},
        {'t', [](Machine& m) { m.push_list(m.pop_mark()); }},
        {'l', [](Machine& m) { m.push_list(m.pop_mark()); }},
        {'\x85', [](Machine& m) { m.push_tuple_of(1); }},
        {'\x86', [](Machine& m) { m.push_tuple_of(2); }},
        {'\x87', [](Machine& m) { m.push_tuple_of(3); }},
        {'a', [](Machine& m) { m.append(m.pop_many(1)); }},
        {'e', [](Machine& m) { m.append(m.pop_mark()); }},
        {'\x90', [](Machine& m) { m.append(m.pop_mark()); }},
        {'s', [](Machine& m) { m.set_items(m.pop_many(2)); }},
        {'u', [](Machine& m) { m.set_items(m.pop_mark()); }},
        {'0', [](Machine& m) { m.discard(); }},
        // Memo.
        {'q', [](Machine& m) { m.remember(m.number<std::uint8_t>()); }},
        {'r', [](Machine& m) { m.remember(m.number<std::uint32_t>()); }},
        {'\x94', [](Machine& m) { m.remember(m.remembered_); }},
        {'h', [](Machine& m) { m.recall(m.number<std::uint8_t>()); }},
        {'j', [](Machine& m) { m.recall(m.number<std::uint32_t>()); }},
        // Objects.
        {'c', [](Machine& m) { m.push_global(); }},
        {'\x93', [](Machine& m) { m.push_stack_global(); }},
        {'R', [](Machine& m) { m.reduce(); }},
        {'\x81', [](Machine& m) { m.reduce(); }},
        {'b', [](Machine& m) { m.build(); }},
        {'Q', [](Machine& m) { m.load_persistent(); }},
    };
    return kTable;
  }

  ByteReader& reader_;
  Pickle pickle_;
  PickleList stack_;
  std::vector<std::size_t> marks_;
  std::vector<std::optional<PickleValue>> memo_;
  std::uint64_t remembered_ = 0;  ///< Slots that hold a value.
  std::uint64_t arguments_ = 0;   ///< Of all calls.
  bool stopped_ = false;
};

}  // namespace

Pickle read_pickle(ByteReader& reader) { return Machine(reader).run(); }

const PickleValue* find(const PickleDict& dict, std::string_view key) {
  // The last one wins, as in Python.
  const auto item = std::find_if(dict.rbegin(), dict.rend(), [&](const auto& entry) {
    const auto* name = entry.first.template as<std::string_view>();
    return name != nullptr && *name == key;
  });
  return item != dict.rend() ? &item->second : nullptr;
}

}  // namespace quantc::frontend
