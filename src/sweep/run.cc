#include "sweep/run.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "sweep/judge.h"
#include "sweep/report.h"

namespace quantc::sweep {
namespace {

struct Job {
  driver::NetworkSource network;
  driver::CompileOptions options;
};

// A network that is being judged in a process of its own, so that a crash or a full memory ends
// that network only, and peak memory is its own.
struct Child {
  const Job* job = nullptr;
  pid_t pid = -1;
  int pipe = -1;
  std::string answer;
};

std::vector<CaseResult> failed_cases(const Job& job, const SweepOptions& options,
                                     const std::string& reason) {
  std::vector<CaseResult> cases = blank_cases(job.network, job.options, options.images);
  for (CaseResult& result : cases) result.reason = reason;
  return cases;
}

std::string judged(const Job& job, const SweepOptions& options) {
  std::vector<CaseResult> cases;
  try {
    cases = judge_model(job.network, job.options, options.images);
  } catch (const std::exception& error) {
    cases = failed_cases(job, options, error.what());
  }
  nlohmann::ordered_json answer = nlohmann::ordered_json::array();
  for (const CaseResult& result : cases) answer.push_back(to_json(result));
  return answer.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t put = ::write(fd, text.data() + at, text.size() - at);
    if (put <= 0) return;
    at += static_cast<std::size_t>(put);
  }
}

Child start(const Job& job, const SweepOptions& options) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw InternalError("no pipe for a sweep case");
  const pid_t pid = ::fork();
  if (pid < 0) throw InternalError("cannot start a process for a sweep case");
  if (pid == 0) {
    write_all(ends[1], judged(job, options));
    ::_exit(0);
  }
  ::close(ends[1]);
  return {&job, pid, ends[0], ""};
}

std::vector<CaseResult> finish(Child& child, const SweepOptions& options) {
  ::close(child.pipe);
  int status = 0;
  rusage usage{};
  ::wait4(child.pid, &status, 0, &usage);
  const auto answer = nlohmann::ordered_json::parse(child.answer, nullptr, false);
  std::vector<CaseResult> cases;
  if (answer.is_array()) {
    for (const auto& entry : answer) cases.push_back(case_from_json(entry));
  } else {
    const std::string cause = WIFSIGNALED(status)
                                  ? std::string("signal ") + ::strsignal(WTERMSIG(status))
                                  : "exit code " + std::to_string(WEXITSTATUS(status));
    cases = failed_cases(*child.job, options, "the process ended with " + cause);
  }
  for (CaseResult& result : cases) result.peak_rss_bytes = usage.ru_maxrss * 1024;
  return cases;
}

class Runner {
 public:
  Runner(const SweepOptions& options, const CaseCallback& on_case)
      : options_(options), on_case_(on_case) {}

  std::vector<CaseResult> run(const std::vector<Job>& jobs) {
    std::size_t next = 0;
    while (next < jobs.size() || !children_.empty()) {
      while (!stop_ && next < jobs.size() &&
             children_.size() < static_cast<std::size_t>(options_.jobs)) {
        children_.push_back(start(jobs[next++], options_));
      }
      if (children_.empty()) break;
      collect();
    }
    return std::move(results_);
  }

 private:
  void collect() {
    std::vector<pollfd> waiting;
    for (const Child& child : children_) waiting.push_back({child.pipe, POLLIN, 0});
    ::poll(waiting.data(), waiting.size(), -1);
    for (std::size_t i = waiting.size(); i-- > 0;) {
      if (waiting[i].revents == 0) continue;
      std::array<char, 4096> chunk;
      const ssize_t got = ::read(children_[i].pipe, chunk.data(), chunk.size());
      if (got > 0) {
        children_[i].answer.append(chunk.data(), static_cast<std::size_t>(got));
        continue;
      }
      take(finish(children_[i], options_));
      children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void take(std::vector<CaseResult> cases) {
    for (CaseResult& result : cases) {
      if (on_case_) on_case_(result);
      if (options_.fail_fast && result.verdict != Verdict::kPass) stop_ = true;
      results_.push_back(std::move(result));
    }
  }

  const SweepOptions& options_;
  const CaseCallback& on_case_;
  std::vector<Child> children_;
  std::vector<CaseResult> results_;
  bool stop_ = false;
};

}  // namespace

std::vector<CaseResult> run_sweep(const SweepOptions& options, const CaseCallback& on_case) {
  std::vector<Job> jobs;
  for (const driver::NetworkSource& network : options.networks) {
    for (const bool mmalib : options.mmalib_paths) {
      Job job{network, options.compile};
      job.options.quantize.target.mmalib = mmalib;
      jobs.push_back(std::move(job));
    }
  }
  return Runner(options, on_case).run(jobs);
}

}  // namespace quantc::sweep
