#include "execute/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.h"

namespace quantc::execute {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void become(const std::vector<std::string>& command,
                         const std::filesystem::path& folder, int output) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  if (::chdir(folder.c_str()) == 0) ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

// Everything until the other end closes; false if the deadline comes first.
bool read_until_end(int fd, Clock::time_point deadline, std::string& output) {
  std::array<char, 4096> chunk;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    pollfd waiting{fd, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(left.count())) <= 0) continue;
    const ssize_t got = ::read(fd, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    output.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command,
                          const std::filesystem::path& folder, std::chrono::seconds timeout) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw InternalError("no pipe for a child process");
  const pid_t child = ::fork();
  if (child < 0) throw InternalError("cannot start a child process");
  if (child == 0) become(command, folder, ends[1]);
  ::close(ends[1]);
  ProcessResult result;
  const bool ended = read_until_end(ends[0], Clock::now() + timeout, result.output);
  ::close(ends[0]);
  if (!ended) ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!ended) {
    throw InputError(command[0] + ": ran for more than " + std::to_string(timeout.count()) + " s");
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (result.exit_code == 127) throw InputError(command[0] + ": cannot be run; is it installed?");
  return result;
}

}  // namespace quantc::execute
