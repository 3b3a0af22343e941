// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace p2::inline base {

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : m_fd(fd) {}
  Descriptor(Descriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(m_fd, other.m_fd);
    return *this;
  }
  ~Descriptor() { reset(); }
  [[nodiscard]] int get() const { return m_fd; }
  void reset();

 private:
  int m_fd;
};

/// A program and its arguments, never seen by a shell.
struct Command {
  std::vector<std::string> arguments;                            ///< the program first, looked up in PATH
  std::vector<std::pair<std::string, std::string>> environment;  ///< in addition to the inherited one
  int input = -1;                                                ///< its standard input; −1 for a pipe from here
  bool diesWithParent = false;                                   ///< SIGTERM when the thread that started it ends
  std::size_t mostMemory = 0;  ///< bytes of address space; 0 without a limit. A limited program leaves no core file
};

/// A running child in a process group of its own. The destructor kills all of the group.
class ChildProcess {
 public:
  /// Calls ignoreWriteSignals(): writing to a child that has ended fails.
  /// Errors: the program cannot be started, with the system's reason.
  [[nodiscard]] static Result<ChildProcess> start(const Command& command);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  // This side's ends of the pipes, not blocking.
  [[nodiscard]] int input() const { return m_input.get(); }
  [[nodiscard]] int output() const { return m_output.get(); }
  [[nodiscard]] int errors() const { return m_errors.get(); }
  void closeInput() { m_input.reset(); }
  [[nodiscard]] int id() const { return m_id; }

  /// Whether it has ended; from then on `status` is as waitpid() gives it.
  [[nodiscard]] bool ended();
  [[nodiscard]] int status() const { return m_status; }
  /// Waits for its end, at most this number of seconds.
  bool waitFor(double seconds);
  /// Sends a signal to the whole group.
  void signal(int number);
  /// SIGTERM, then SIGKILL if it still runs after this number of seconds.
  void terminate(double patience);

 private:
  ChildProcess(int id, Descriptor input, Descriptor output, Descriptor errors)
      : m_id(id), m_input(std::move(input)), m_output(std::move(output)), m_errors(std::move(errors)) {}

  int m_id;
  int m_status = 0;
  bool m_ended = false;
  Descriptor m_input;
  Descriptor m_output;
  Descriptor m_errors;
};

/// The loader's message about a program that it could not start, as in "libmpi.so.40: cannot open shared object file:
/// No such file or directory": the last such line on the program's standard error, without the program's name. Empty if
/// there is none. Recognises the messages of glibc and musl.
[[nodiscard]] std::string loaderProblem(std::string_view errors);

/// "ended with status 3", "was killed by signal 9 (Killed)": what waitpid() says, in words.
[[nodiscard]] std::string describeStatus(int status);

}  // namespace p2::inline base
