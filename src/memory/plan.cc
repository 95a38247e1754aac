#include "memory/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "base/error.h"

namespace quantc::memory {
namespace {

constexpr std::int64_t kAlignment = 64;

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

bool overlap(const Lifetime& a, const Lifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

std::size_t at(lower::BufferId id) { return static_cast<std::size_t>(id); }

std::vector<std::size_t> arena_buffers(const lower::Program& program,
                                       const std::vector<Lifetime>& lives) {
  std::vector<std::size_t> buffers;
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    if (program.buffers[i].space == lower::Space::kArena && lives[i].first >= 0)
      buffers.push_back(i);
  }
  return buffers;
}

std::int64_t live_peak(const lower::Program& program, const std::vector<Lifetime>& lives) {
  std::int64_t peak = 0;
  for (std::int64_t call = 0; call < static_cast<std::int64_t>(program.calls.size()); ++call) {
    std::int64_t live = 0;
    for (const std::size_t i : arena_buffers(program, lives)) {
      if (lives[i].first <= call && call <= lives[i].last)
        live += aligned(program.buffers[i].bytes);
    }
    peak = std::max(peak, live);
  }
  return peak;
}

// The lowest gap between what is placed already and alive at the same time.
std::int64_t first_fit(const lower::Program& program, const std::vector<Lifetime>& lives,
                       const std::vector<std::size_t>& placed, const Plan& plan,
                       std::size_t buffer) {
  std::vector<std::size_t> neighbours;
  for (const std::size_t other : placed) {
    if (overlap(lives[buffer], lives[other])) neighbours.push_back(other);
  }
  std::sort(neighbours.begin(), neighbours.end(),
            [&](std::size_t a, std::size_t b) { return plan.offsets[a] < plan.offsets[b]; });
  std::int64_t offset = 0;
  for (const std::size_t other : neighbours) {
    if (offset + program.buffers[buffer].bytes <= plan.offsets[other]) break;
    offset = std::max(offset, plan.offsets[other] + aligned(program.buffers[other].bytes));
  }
  return offset;
}

using Before = std::function<bool(std::size_t a, std::size_t b)>;

Plan place_in_order(const lower::Program& program, const std::vector<Lifetime>& lives,
                    const Before& before) {
  std::vector<std::size_t> order = arena_buffers(program, lives);
  std::stable_sort(order.begin(), order.end(), before);
  Plan plan;
  plan.offsets.assign(program.buffers.size(), -1);
  std::vector<std::size_t> placed;
  for (const std::size_t buffer : order) {
    plan.offsets[buffer] = first_fit(program, lives, placed, plan, buffer);
    plan.arena_bytes =
        std::max(plan.arena_bytes, plan.offsets[buffer] + aligned(program.buffers[buffer].bytes));
    placed.push_back(buffer);
  }
  return plan;
}

// First fit in several orders; the best wins, the first of equals.
Plan best_plan(const lower::Program& program, const std::vector<Lifetime>& lives) {
  const auto bytes = [&](std::size_t i) { return program.buffers[i].bytes; };
  const auto length = [&](std::size_t i) { return lives[i].last - lives[i].first + 1; };
  const std::array<Before, 4> orders = {
      [&](std::size_t a, std::size_t b) { return bytes(a) > bytes(b); },
      [&](std::size_t a, std::size_t b) { return bytes(a) * length(a) > bytes(b) * length(b); },
      [&](std::size_t a, std::size_t b) { return length(a) > length(b); },
      [&](std::size_t a, std::size_t b) { return lives[a].first < lives[b].first; },
  };
  Plan best;
  for (const Before& order : orders) {
    Plan plan = place_in_order(program, lives, order);
    if (best.offsets.empty() || plan.arena_bytes < best.arena_bytes) best = std::move(plan);
  }
  return best;
}

Plan separate_plan(const lower::Program& program, const std::vector<Lifetime>& lives) {
  std::vector<Lifetime> always(lives);
  for (Lifetime& life : always) {
    if (life.first >= 0) life = {0, static_cast<std::int64_t>(program.calls.size())};
  }
  return place_in_order(program, always, [](std::size_t, std::size_t) { return false; });
}

template <typename... Values>
[[noreturn]] void fail(fmt::format_string<Values...> message, Values&&... values) {
  throw InternalError("memory plan: " + fmt::format(message, std::forward<Values>(values)...));
}

}  // namespace

std::vector<Lifetime> lifetimes(const lower::Program& program) {
  std::vector<Lifetime> lives(program.buffers.size());
  const auto use = [&](lower::BufferId buffer, std::int64_t call) {
    if (buffer < 0) return;
    Lifetime& life = lives[at(buffer)];
    if (life.first < 0) life.first = call;
    life.last = call;
  };
  for (std::size_t i = 0; i < program.calls.size(); ++i) {
    const auto call = static_cast<std::int64_t>(i);
    for (const lower::TensorRef& input : program.calls[i].inputs) use(input.buffer, call);
    use(program.calls[i].scratch, call);
    use(program.calls[i].output.buffer, call);
  }
  return lives;
}

Plan plan_arena(const lower::Program& program, const PlanOptions& options) {
  const std::vector<Lifetime> lives = lifetimes(program);
  Plan plan = options.reuse ? best_plan(program, lives) : separate_plan(program, lives);
  plan.lower_bound = live_peak(program, lives);
  validate(program, plan);
  return plan;
}

void validate(const lower::Program& program, const Plan& plan) {
  if (plan.offsets.size() != program.buffers.size()) {
    fail("{} offsets for {} buffers", plan.offsets.size(), program.buffers.size());
  }
  const std::vector<Lifetime> lives = lifetimes(program);
  const std::vector<std::size_t> buffers = arena_buffers(program, lives);
  std::int64_t highest = 0;
  for (const std::size_t a : buffers) {
    const std::int64_t begin = plan.offsets[a];
    const std::int64_t end = begin + program.buffers[a].bytes;
    if (begin < 0) fail("buffer {} has no place", program.buffers[a].name);
    if (begin % kAlignment != 0) fail("buffer {} is not aligned", program.buffers[a].name);
    highest = std::max(highest, begin + aligned(program.buffers[a].bytes));
    for (const std::size_t b : buffers) {
      const std::int64_t other = plan.offsets[b];
      const std::int64_t other_end = other + program.buffers[b].bytes;
      const bool shares_bytes = std::max(begin, other) < std::min(end, other_end);
      if (a < b && shares_bytes && overlap(lives[a], lives[b])) {
        fail("buffers {} and {} share bytes while both are alive", program.buffers[a].name,
             program.buffers[b].name);
      }
    }
  }
  if (plan.arena_bytes != highest) fail("an arena of {} bytes, not {}", plan.arena_bytes, highest);
  const std::int64_t bound = live_peak(program, lives);
  if (plan.lower_bound != bound) fail("a lower bound of {}, not {}", plan.lower_bound, bound);
}

}  // namespace quantc::memory
