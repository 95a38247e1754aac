#include "frontend/checkpoint/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "base/error.h"
#include "frontend/checkpoint/pickle_globals.h"

namespace quantc::frontend {
namespace {

[[noreturn]] void damaged(std::string_view what) {
  throw InputError(fmt::format("damaged pickle: {}", what));
}

class Machine {
 public:
  explicit Machine(ByteReader& reader) : reader_(reader) {}

  Pickle run() {
    while (!stopped_) {
      const auto opcode = reader_.read<std::uint8_t>();
      const auto handler = handlers().find(static_cast<char>(opcode));
      if (handler == handlers().end()) {
        damaged(
            fmt::format("unknown opcode 0x{:02x} at offset {}", opcode, reader_.position() - 1));
      }
      handler->second(*this);
    }
    return std::move(pickle_);
  }

 private:
  using Handler = void (*)(Machine&);

  // ---- Stack ----

  void push(PickleValue value) { stack_.push_back(std::move(value)); }

  PickleValue pop() {
    if (stack_.empty() || (!marks_.empty() && stack_.size() == marks_.back())) {
      damaged("a value is missing on the stack");
    }
    PickleValue value = std::move(stack_.back());
    stack_.pop_back();
    return value;
  }

  PickleList pop_mark() {
    if (marks_.empty()) damaged("a mark is missing");
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    PickleList items(std::make_move_iterator(first), std::make_move_iterator(stack_.end()));
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return items;
  }

  PickleValue& top() {
    if (stack_.empty()) damaged("a value is missing on the stack");
    return stack_.back();
  }

  template <typename T>
  T pop_as(std::string_view what) {
    PickleValue value = pop();
    T* typed = std::get_if<T>(&value.data);
    if (typed == nullptr) damaged(fmt::format("expected {}", what));
    return std::move(*typed);
  }

  // ---- Opcodes ----

  void push_list(PickleList items) {
    pickle_.lists.push_back(std::move(items));
    push({&pickle_.lists.back()});
  }

  void push_tuple_of(std::size_t count) {
    PickleList items(count);
    for (std::size_t i = count; i-- > 0;) items[i] = pop();
    push_list(std::move(items));
  }

  void push_dict() { push({&pickle_.dicts.emplace_back()}); }

  void push_text(std::uint64_t size) { push({std::string(reader_.text(size))}); }

  // Two's complement, little endian. Only the magic number of old streams needs more than 8 bytes;
  // such a number is kept as its bytes.
  void push_long(std::uint64_t size) {
    const auto bytes = reader_.take(size);
    if (size > sizeof(std::int64_t)) {
      return push({std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())});
    }
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
    const auto name = pop_as<std::string>("the name of a global");
    const auto module = pop_as<std::string>("the module of a global");
    push({checked_global(module, name)});
  }

  void append(PickleList items) {
    auto* const* list = std::get_if<PickleList*>(&top().data);
    if (list == nullptr) damaged("an append to something else than a list");
    std::move(items.begin(), items.end(), std::back_inserter(**list));
  }

  void set_items(PickleList items) {
    auto* const* dict = std::get_if<PickleDict*>(&top().data);
    if (dict == nullptr || items.size() % 2 != 0) damaged("items for something else than a dict");
    for (std::size_t i = 0; i < items.size(); i += 2) {
      (*dict)->emplace_back(std::move(items[i]), std::move(items[i + 1]));
    }
  }

  void reduce() {
    auto* arguments = pop_as<PickleList*>("a tuple of arguments");
    push(call_global(pop_as<PickleGlobal>("a global to call"), *arguments, pickle_));
  }

  void build() {
    PickleValue state = pop();
    const PickleDict* dict = top().dict();
    if (dict == nullptr) damaged("a state for something else than a dict");
    pickle_.attributes.emplace_back(dict, std::move(state));
  }

  void load_persistent() { push({storage_of(*pop_as<PickleList*>("a persistent id"))}); }

  void remember(std::uint64_t slot) { memo_[slot] = top(); }

  void recall(std::uint64_t slot) {
    const auto known = memo_.find(slot);
    if (known == memo_.end()) damaged("a value is recalled that was not remembered");
    push(known->second);
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

  PickleList pop_one() {
    PickleList items;
    items.push_back(pop());
    return items;
  }

  PickleList pop_pair() {
    PickleList items(2);
    items[1] = pop();
    items[0] = pop();
    return items;
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
        {'a', [](Machine& m) { m.append(m.pop_one()); }},
        {'e', [](Machine& m) { m.append(m.pop_mark()); }},
        {'\x90', [](Machine& m) { m.append(m.pop_mark()); }},
        {'s', [](Machine& m) { m.set_items(m.pop_pair()); }},
        {'u', [](Machine& m) { m.set_items(m.pop_mark()); }},
        {'0', [](Machine& m) { m.discard(); }},
        // Memo.
        {'q', [](Machine& m) { m.remember(m.number<std::uint8_t>()); }},
        {'r', [](Machine& m) { m.remember(m.number<std::uint32_t>()); }},
        {'\x94', [](Machine& m) { m.remember(m.memo_.size()); }},
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
  std::map<std::uint64_t, PickleValue> memo_;
  bool stopped_ = false;
};

}  // namespace

Pickle read_pickle(ByteReader& reader) { return Machine(reader).run(); }

const PickleValue* find(const PickleDict& dict, std::string_view key) {
  // The last one wins, as in Python.
  for (auto item = dict.rbegin(); item != dict.rend(); ++item) {
    const auto* name = item->first.as<std::string>();
    if (name != nullptr && *name == key) return &item->second;
  }
  return nullptr;
}

}  // namespace quantc::frontend
