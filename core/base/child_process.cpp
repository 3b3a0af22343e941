// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "base/sanitizers.h"
#include "base/write_signals.h"

namespace p2::inline base {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPollInterval = std::chrono::milliseconds(5);

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Result<Pipe> makePipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return Error{std::strerror(errno), {}, ErrorKind::Failed};
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

void doNotBlock(const Descriptor& fd) { ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK); }

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environmentWith(const std::vector<std::pair<std::string, std::string>>& more) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    bool replaced = false;
    for (const auto& [name, value] : more) replaced = replaced || text.starts_with(name + "=");
    if (!replaced) all.emplace_back(text);
  }
  for (const auto& [name, value] : more) all.push_back(name + "=" + value);
  return all;
}

/// In the child, between fork and exec: only calls that are safe there.
void limitMemory([[maybe_unused]] std::size_t bytes) {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
// Sanitizers lay their shadow over terabytes of addresses.
#ifndef P2_SANITIZED
  const rlimit most{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &most);
#endif
}

/// As limitMemory().
[[noreturn]] void becomeProgram(const Command& command, int parent, int input, int output, int errors, int failure,
                                char* const* arguments, char* const* environment) {
  ::setpgid(0, 0);
  if (command.diesWithParent) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(1);
  }
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  restoreWriteSignals();
  if (command.mostMemory > 0) limitMemory(command.mostMemory);
  ::execvpe(arguments[0], arguments, environment);
  const int code = errno;
  [[maybe_unused]] const ssize_t reported = ::write(failure, &code, sizeof code);
  ::_exit(127);
}

}  // namespace

void Descriptor::reset() {
  if (m_fd >= 0) ::close(m_fd);
  m_fd = -1;
}

Result<ChildProcess> ChildProcess::start(const Command& command) {
  // A child that ends while it is written to is no reason to end as well.
  ignoreWriteSignals();
  auto input = makePipe();
  auto output = makePipe();
  auto errors = makePipe();
  auto failure = makePipe();
  for (const auto* pipe : {&input, &output, &errors, &failure}) {
    if (!pipe->ok()) return pipe->error();
  }
  std::vector<std::string> arguments = command.arguments;
  std::vector<std::string> environment = environmentWith(command.environment);
  const std::vector<char*> argumentList = pointersTo(arguments);
  const std::vector<char*> environmentList = pointersTo(environment);
  const int parent = ::getpid();
  const int child = ::fork();
  if (child < 0) return Error{std::strerror(errno), command.arguments[0], ErrorKind::Failed};
  if (child == 0) {
    becomeProgram(command, parent, command.input >= 0 ? command.input : input->read.get(), output->write.get(),
                  errors->write.get(), failure->write.get(), argumentList.data(), environmentList.data());
  }
  ::setpgid(child, child);
  failure.value().write.reset();
  int code = 0;
  if (::read(failure->read.get(), &code, sizeof code) == sizeof code) {
    ::waitpid(child, nullptr, 0);
    return Error{std::strerror(code), command.arguments[0], ErrorKind::Failed};
  }
  if (command.input >= 0) input.value().write.reset();
  if (command.input < 0) doNotBlock(input->write);
  doNotBlock(output->read);
  doNotBlock(errors->read);
  return ChildProcess(child, std::move(input.value().write), std::move(output.value().read),
                      std::move(errors.value().read));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : m_id(std::exchange(other.m_id, -1)),
      m_status(other.m_status),
      m_ended(std::exchange(other.m_ended, true)),
      m_input(std::move(other.m_input)),
      m_output(std::move(other.m_output)),
      m_errors(std::move(other.m_errors)) {}

ChildProcess::~ChildProcess() {
  if (m_ended) return;
  signal(SIGKILL);
  waitFor(1);
}

bool ChildProcess::ended() {
  if (!m_ended) m_ended = ::waitpid(m_id, &m_status, WNOHANG) == m_id;
  return m_ended;
}

bool ChildProcess::waitFor(double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (!ended() && Clock::now() < end) std::this_thread::sleep_for(kPollInterval);
  return ended();
}

void ChildProcess::signal(int number) {
  if (m_id > 0) ::kill(-m_id, number);
}

void ChildProcess::terminate(double patience) {
  if (ended()) return;
  signal(SIGTERM);
  // A stopped child receives the signal only then, and may have children of its own to end.
  signal(SIGCONT);
  if (waitFor(patience)) return;
  signal(SIGKILL);
  waitFor(patience);
}

std::string loaderProblem(std::string_view errors) {
  struct Words {
    std::string_view words;
    bool keep;  ///< as part of the sentence
  };
  constexpr std::array kWords{Words{"error while loading shared libraries: ", false},
                              Words{"Error loading shared library ", false}, Words{"symbol lookup error: ", false},
                              Words{"relocation error: ", false}, Words{"Error relocating ", true}};
  constexpr std::string_view kVersion = "' not found (required by ";
  constexpr std::size_t kMost = 300;  // bytes
  std::string found;
  for (std::size_t from = 0; from < errors.size();) {
    const std::size_t to = std::min(errors.find('\n', from), errors.size());
    const std::string_view line = errors.substr(from, to - from);
    from = to + 1;
    for (const Words& each : kWords) {
      const std::size_t at = line.find(each.words);
      if (at != std::string_view::npos) found = line.substr(each.keep ? at : at + each.words.size());
    }
    // "p2-runner: /lib/libc.so.6: version `GLIBC_2.38' not found (required by p2-runner)"
    const std::size_t name = line.find(": ");
    if (line.find(kVersion) != std::string_view::npos && name != std::string_view::npos) found = line.substr(name + 2);
  }
  while (!found.empty() && (found.back() == '\r' || found.back() == ' ')) found.pop_back();
  return found.size() <= kMost ? found : found.substr(0, kMost) + " …";
}

std::string describeStatus(int status) {
  if (WIFSIGNALED(status)) {
    return "was killed by signal " + std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) + ")";
  }
  return "ended with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace p2::inline base
