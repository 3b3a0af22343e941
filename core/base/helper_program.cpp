// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/helper_program.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/child_process.h"

namespace p2::inline base {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kPollMilliseconds = 20;
constexpr std::size_t kMostOutput = std::size_t{1} << 30;

/// The root is excluded: its files belong to another installation.
fs::path helperPath(const std::string& program) {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  for (fs::path folder = self.parent_path(); folder != folder.root_path(); folder = folder.parent_path()) {
    fs::path helper = folder / P2_HELPERS / program;
    if (fs::exists(helper, failed)) return helper;
  }
  return {};
}

Error systemError() { return {std::strerror(errno), {}, ErrorKind::Failed}; }

/// The text as a file that is nowhere: a helper that ends early then leaves no broken pipe.
Result<Descriptor> fileOf(const std::string& text) {
  Descriptor file(::memfd_create("p2", MFD_CLOEXEC));
  if (file.get() < 0) return systemError();
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(file.get(), text.data() + written, text.size() - written);
    if (count < 0 && errno != EINTR) return systemError();
    if (count > 0) written += static_cast<std::size_t>(count);
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

/// Reads the available data of a non-blocking descriptor; returns whether more can come.
bool take(int fd, std::string& text) {
  std::array<char, 1 << 16> block{};
  while (true) {
    const ssize_t count = ::read(fd, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    text.append(block.data(), static_cast<std::size_t>(count));
    if (text.size() > kMostOutput) return false;
  }
}

std::vector<std::string> notesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    const std::string_view line = std::string_view(text).substr(from, to - from);
    if (line.starts_with(kHelperMark)) lines.emplace_back(line.substr(kHelperMark.size()));
    from = to + 1;
  }
  return lines;
}

class HelperRun {
 public:
  HelperRun(const HelperCall& call, ChildProcess& child) : m_call(call), m_child(child) {}

  Result<HelperAnswer> wait(const std::stop_token& stop) {
    const auto end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(m_call.seconds));
    bool open = true;
    while (open || !m_child.ended()) {
      if (stop.stop_requested()) return cancelledError();
      if (Clock::now() > end) {
        return Error{m_call.library + " takes longer than " + std::to_string(static_cast<int>(m_call.seconds)) +
                         " s to read it; it is too large, or damaged",
                     {},
                     ErrorKind::TooLarge};
      }
      open = exchange();
    }
    return answer();
  }

 private:
  bool exchange() {
    std::array<pollfd, 2> ends{
        {{m_outputOpen ? m_child.output() : -1, POLLIN, 0}, {m_errorsOpen ? m_child.errors() : -1, POLLIN, 0}}};
    ::poll(ends.data(), ends.size(), m_outputOpen || m_errorsOpen ? kPollMilliseconds : 1);
    if (m_outputOpen) m_outputOpen = take(m_child.output(), m_answer.output);
    if (m_errorsOpen) m_errorsOpen = take(m_child.errors(), m_errors);
    return m_outputOpen || m_errorsOpen;
  }

  Result<HelperAnswer> answer() {
    const int status = m_child.status();
    m_answer.notes = notesOf(m_errors);
    if (m_answer.output.size() > kMostOutput) return noMemory();
    if (WIFSIGNALED(status)) {
      // Without memory, libraries written in C mostly read where they could not write.
      return Error{m_call.library + " crashed on it (" + ::strsignal(WTERMSIG(status)) +
                       "); it is damaged or far too large, write it again",
                   {},
                   ErrorKind::Failed};
    }
    if (const std::string problem = loaderProblem(m_errors); WEXITSTATUS(status) != 0 && !problem.empty()) {
      return Error{m_call.program + " cannot be loaded: " + problem + "; install the package of that library",
                   {},
                   ErrorKind::Failed};
    }
    const std::string sentence = m_answer.notes.empty() ? m_call.library + " cannot read it" : m_answer.notes.back();
    switch (WEXITSTATUS(status)) {
      case kHelperDone:
        return std::move(m_answer);
      case kHelperRefused:
        return Error{sentence};
      case kHelperTooLarge:
        return Error{sentence, {}, ErrorKind::TooLarge};
      case kHelperNoMemory:
        return noMemory();
      case kHelperFailed:
        return Error{sentence, {}, ErrorKind::Failed};
      default:
        return Error{m_call.library + " gave up on it: " + describeStatus(status), {}, ErrorKind::Failed};
    }
  }

  [[nodiscard]] Error noMemory() const {
    return {m_call.library + " needs over " + std::to_string(m_call.memory >> 20) +
                " MiB of memory to read it; it is " + "too large, or damaged",
            {},
            ErrorKind::TooLarge};
  }

  const HelperCall& m_call;
  ChildProcess& m_child;
  HelperAnswer m_answer;
  std::string m_errors;
  bool m_outputOpen = true;
  bool m_errorsOpen = true;
};

}  // namespace

bool hasHelper(const std::string& program) { return !helperPath(program).empty(); }

Result<HelperAnswer> askHelper(const HelperCall& call, const std::stop_token& stop) {
  const fs::path path = call.package.empty() ? helperPath(call.program) : fs::path(call.program);
  if (path.empty()) {
    return Error{call.program + " is not in " P2_HELPERS "; install P² Explorer again", {}, ErrorKind::Failed};
  }
  P2_TRY_ASSIGN(auto text, call.inputFile >= 0 ? Result<Descriptor>(Descriptor()) : fileOf(call.input));
  Command command;
  command.arguments = call.arguments;
  command.arguments.insert(command.arguments.begin(), path.string());
  command.input = call.inputFile >= 0 ? call.inputFile : text.get();
  command.diesWithParent = true;
  command.mostMemory = call.memory;
  auto started = ChildProcess::start(command);
  if (!started.ok() && !call.package.empty()) {
    return Error{started.error().text() + "; install the package " + call.package, {}, ErrorKind::Failed};
  }
  P2_TRY_ASSIGN(auto child, std::move(started));
  return HelperRun(call, child).wait(stop);
}

}  // namespace p2::inline base
