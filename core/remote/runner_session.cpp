// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/runner_session.h"

#include <poll.h>
#include <sys/wait.h>

#include <array>
#include <filesystem>

namespace p2::inline remote {
namespace {

constexpr double kPartingPatience = 2;  // seconds
constexpr int kPollMilliseconds = 50;
constexpr std::size_t kMostErrors = 8192;
constexpr std::size_t kMostStray = std::size_t{64} << 10;  // a login banner, not more
constexpr int kSshFailed = 255;
constexpr int kNoSuchCommand = 127;

/// The runner that came with this program is preferred to one of that name in PATH.
std::string localProgram(const std::string& name) {
  std::error_code unknown;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  if (unknown || name.find('/') != std::string::npos) return name;
  for (const auto& folder : {here, here.parent_path() / "runner"}) {
    if (std::filesystem::is_regular_file(folder / name, unknown)) return (folder / name).string();
  }
  return name;
}

/// In single quotes: the remote side hands the words to the user's shell.
std::string shellQuoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string lastLine(const std::string& text) {
  std::size_t end = text.find_last_not_of(" \r\n\t");
  if (end == std::string::npos) return {};
  const std::size_t start = text.find_last_of('\n', end);
  return text.substr(start == std::string::npos ? 0 : start + 1, end - (start == std::string::npos ? -1 : start));
}

double secondsSince(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

/// What ssh's own words mean and what to do about it.
std::string sshSentence(const std::string& host, const std::string& errors) {
  struct Meaning {
    const char* words;
    const char* sentence;
  };
  constexpr std::array kMeanings{
      Meaning{"IDENTIFICATION HAS CHANGED",
              "its host key has changed; if that is expected, remove the old one with ssh-keygen -R"},
      Meaning{"Host key verification failed", "its host key is not known; connect once with ssh and accept it"},
      Meaning{"Permission denied", "it refuses your keys; load the right one with ssh-add, or set it up for this host"},
      Meaning{"Could not resolve", "there is no host of that name; check it in the target's settings"},
      Meaning{"Connection refused", "nothing answers at its ssh port; check the host and that sshd runs there"},
      Meaning{"timed out", "it does not answer; check that it is up and reachable"},
  };
  for (const Meaning& meaning : kMeanings) {
    if (errors.find(meaning.words) != std::string::npos) return "ssh cannot reach " + host + ": " + meaning.sentence;
  }
  const std::string line = lastLine(errors);
  return "ssh cannot reach " + host + (line.empty() ? std::string("; try it by hand") : ": " + line);
}

}  // namespace

std::vector<std::string> runnerCommand(const Target& target) {
  if (target.host.empty()) return {localProgram(target.runner), "serve"};
  // Without a terminal no question can be answered, so ssh must not ask any.
  std::vector<std::string> command{"ssh", "-T", "-o", "BatchMode=yes"};
  command.insert(command.end(), target.sshArguments.begin(), target.sshArguments.end());
  command.insert(command.end(), {"--", target.host, shellQuoted(target.runner) + " serve"});
  return command;
}

RunnerSession::RunnerSession(Target target, const Patience& patience, ChildProcess child)
    : m_target(std::move(target)),
      m_patience(patience),
      m_child(std::move(child)),
      m_channel(m_child.output(), m_child.input()),
      m_heard(Clock::now()),
      m_spoke(Clock::now()) {}

RunnerSession::~RunnerSession() {
  m_child.closeInput();
  if (m_child.id() > 0 && !m_child.waitFor(m_open ? kPartingPatience : 0)) m_child.terminate(kPartingPatience);
}

Result<RunnerSession> RunnerSession::open(const Target& target, std::stop_token stop, const Patience& patience) {
  P2_TRY(validated(target));
  const std::vector<std::string> command = runnerCommand(target);
  auto child = ChildProcess::start({command, {}, -1, false});
  if (!child.ok()) {
    return Error{command[0] + " cannot be started: " + child.error().message +
                     (target.host.empty() ? "; install the runner or set its path" : "; install an ssh client"),
                 {},
                 ErrorKind::Failed};
  }
  RunnerSession session(target, patience, std::move(child).value());
  P2_TRY(session.greet(stop));
  return session;
}

Result<void> RunnerSession::greet(const std::stop_token& stop) {
  const auto start = Clock::now();
  m_channel.send(Hello{kProtocol, P2_VERSION, {}});
  while (secondsSince(start) < m_patience.greeting) {
    if (stop.stop_requested()) return cancelledError();
    P2_TRY_ASSIGN(auto message, receive());
    if (!message.has_value()) continue;
    if (const auto* hello = std::get_if<Hello>(&*message)) {
      if (hello->protocol != kProtocol) {
        return broken("the runner on " + place() + " is of another version (" + hello->version + ", this is " +
                      P2_VERSION + "); install the same one on both sides");
      }
      m_hello = *hello;
      m_greeted = true;
    } else if (const auto* capabilities = std::get_if<Capabilities>(&*message); capabilities && m_greeted) {
      m_capabilities = *capabilities;
      return {};
    }
  }
  return broken("the runner on " + place() + " did not answer within " + std::to_string(int(m_patience.greeting)) +
                " s; check " + (m_target.host.empty() ? "the program" : "the connection"));
}

void RunnerSession::wait() {
  if (secondsSince(m_spoke) > kHeartbeat) {
    m_channel.send(Alive{});
    m_spoke = Clock::now();
  }
  std::array<pollfd, 3> fds{pollfd{m_channel.input(), POLLIN, 0}, pollfd{m_child.errors(), POLLIN, 0},
                            pollfd{m_channel.hasToWrite() ? m_channel.output() : -1, POLLOUT, 0}};
  ::poll(fds.data(), fds.size(), kPollMilliseconds);
  m_channel.write();
  readErrors();
}

void RunnerSession::readErrors() {
  readAvailable(m_child.errors(), m_errors);
  if (m_errors.size() > kMostErrors) m_errors.erase(0, m_errors.size() - kMostErrors);
}

Result<std::optional<Message>> RunnerSession::receive() {
  if (const auto line = m_channel.nextLine()) return decode(*line);
  if (m_channel.overflown()) return broken("the runner on " + place() + " sent a line that does not end");
  if (m_channel.closed()) return ended();
  wait();
  m_channel.read();
  if (const auto line = m_channel.nextLine()) return decode(*line);
  if (m_greeted && secondsSince(m_heard) > m_patience.silence) {
    return broken("nothing has come from " + place() + " for " + std::to_string(int(m_patience.silence)) +
                  " s; the connection is lost");
  }
  return std::optional<Message>();
}

Result<std::optional<Message>> RunnerSession::decode(const std::string& line) {
  auto message = messageFrom(line);
  if (message.ok()) {
    m_heard = Clock::now();
    return std::optional<Message>(std::move(message).value());
  }
  m_strayBytes += line.size() + 1;
  // A login shell may greet before the runner does.
  if (!m_greeted && m_strayBytes <= kMostStray) return std::optional<Message>();
  return broken("what answers on " + place() + " is not a runner: " + message.error().message);
}

Error RunnerSession::broken(const std::string& what) {
  m_open = false;
  return {what, {}, ErrorKind::Failed};
}

Error RunnerSession::ended() {
  m_child.waitFor(kPartingPatience);
  readErrors();
  const int status = m_child.ended() ? m_child.status() : 0;
  const bool remote = !m_target.host.empty();
  if (remote && WIFEXITED(status) && WEXITSTATUS(status) == kSshFailed) {
    return broken(sshSentence(m_target.host, m_errors));
  }
  // The shell's status for a program that it does not find is the loader's for a library that it does not find.
  if (const std::string problem = loaderProblem(m_errors); !problem.empty()) {
    return broken("the runner on " + place() + " cannot be loaded: " + problem +
                  "; install the missing library there (Open MPI for libmpi), or a runner built for that system");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoSuchCommand) {
    return broken("there is no " + m_target.runner + " on " + place() + "; install it there or set its path");
  }
  const std::string line = lastLine(m_errors);
  const std::string what = m_child.ended() ? describeStatus(status) : "has stopped answering but has not ended";
  return broken("the runner on " + place() + " " + what + (line.empty() ? "" : ": " + line));
}

Result<RunResult> RunnerSession::run(RunRequest request, const RunObserver& observer, std::stop_token stop) {
  request.id = ++m_lastRun;
  request.launch = m_target.launch;
  m_channel.send(request);
  const Clock::time_point began = Clock::now();
  std::optional<Clock::time_point> cancelled;
  while (true) {
    if (stop.stop_requested() && !cancelled) {
      m_channel.send(CancelRun{request.id});
      cancelled = Clock::now();
    }
    if (cancelled && secondsSince(*cancelled) > m_patience.cancelling) {
      m_open = false;
      return cancelledError();
    }
    // The runner keeps the limit; one that only goes on saying that it lives does not.
    if (!cancelled && secondsSince(began) > request.timeLimit + m_patience.silence) {
      return broken("the runner on " + place() + " goes on " + std::to_string(int(m_patience.silence)) +
                    " s after the limit of " + std::to_string(int(request.timeLimit)) +
                    " s; the connection is given up");
    }
    auto message = receive();
    if (!message.ok()) return cancelled ? cancelledError() : message.error();
    if (!message->has_value()) continue;
    if (const auto* progress = std::get_if<RunProgress>(&**message)) {
      if (observer.progress && progress->id == request.id) observer.progress(*progress);
    } else if (const auto* log = std::get_if<RunLog>(&**message)) {
      if (observer.log && log->id == request.id) observer.log(log->text);
    } else if (const auto* failed = std::get_if<RunFailed>(&**message)) {
      if (failed->id == 0) return broken("the runner on " + place() + " has given up: " + failed->message);
      if (failed->id != request.id) continue;
      if (failed->cancelled) return cancelledError();
      return Error{failed->message, {}, ErrorKind::Failed};
    } else if (auto* finished = std::get_if<RunFinished>(&**message)) {
      if (finished->id == request.id) return cancelled ? Result<RunResult>(cancelledError()) : finished->result;
    }
  }
}

}  // namespace p2::inline remote
