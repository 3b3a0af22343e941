// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/serve.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

#include "app/runner/backends.h"
#include "app/runner/launch.h"
#include "app/runner/rank_pulse.h"
#include "app/runner/request_feed.h"
#include "base/child_process.h"
#include "base/memory_reserve.h"
#include "base/write_signals.h"
#include "plan/verify.h"
#include "remote/channel.h"
#include "remote/launch_command.h"

namespace p2::runner {
namespace {

/// One run: its launcher and the messages of its ranks.
class ActiveRun {
 public:
  /// Checks the request and starts its workers. Errors: an invalid request, or no such launcher.
  [[nodiscard]] static Result<ActiveRun> start(RunRequest request);

  [[nodiscard]] int id() const { return m_request.id; }
  [[nodiscard]] int output() const { return m_launcher.output(); }
  [[nodiscard]] int errors() const { return m_launcher.errors(); }
  /// Forwards the workers' messages. True when the run is over and its last message is sent.
  bool advance(Channel& channel);
  /// Ends the workers and reports it.
  void cancel(Channel& channel);

 private:
  using Clock = std::chrono::steady_clock;

  ActiveRun(RunRequest request, ChildProcess launcher, std::int64_t ranks);
  void pass(const std::string& line, Channel& channel);
  void passErrors(Channel& channel);
  /// Handles a line that is for the runner alone: a sign of life, or a request for the next block. False for others.
  bool hear(const std::string& line);
  void note(const std::string& line, Channel& channel);
  [[nodiscard]] std::optional<std::string> failure();

  RunRequest m_request;
  ChildProcess m_launcher;
  LineBuffer m_lines;
  LineBuffer m_errorLines;
  std::string m_stated;  // other output, on either stream: the beginning
  std::string m_lastLine;
  std::size_t m_logged = 0;
  RequestFeed m_feed;
  bool m_asked = false;  // a rank, for the request
  RankPulse m_pulse;
  std::optional<RunFinished> m_finished;
  Clock::time_point m_started;
};

constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr std::size_t kMostKept = std::size_t{64} << 10;
constexpr std::size_t kMostLogged = 1000;  // lines
constexpr std::size_t kMostQuoted = 300;
constexpr double kPatience = 3;  // seconds between asking the launcher to end and ending it

Result<std::int64_t> ranksOf(const RunRequest& request) {
  if (std::find(std::begin(kBackends), std::end(kBackends), request.backend) == std::end(kBackends)) {
    return Error{"\"" + request.backend + "\" is not a backend; use mpi or nccl"};
  }
  P2_TRY_ASSIGN(const auto plan, planFromJson(request.plan).within("plan"));
  // Ranks that disagree about counts would wait for each other for ever.
  P2_TRY(verify(plan).within("plan"));
  return plan.deviceCount();
}

ActiveRun::ActiveRun(RunRequest request, ChildProcess launcher, std::int64_t ranks)
    : m_request(std::move(request)),
      m_launcher(std::move(launcher)),
      m_lines(kMostMessage),
      m_errorLines(kLongestLine),
      m_feed(messageLine(m_request)),
      m_pulse(ranks),
      m_started(Clock::now()) {}

Result<ActiveRun> ActiveRun::start(RunRequest request) {
  if (auto target = validated(Target{"target", {}, "p2-runner", {}, request.launch}); !target.ok()) {
    return target.error();
  }
  P2_TRY_ASSIGN(const auto ranks, ranksOf(request));
  const RunnerProgram runner{std::filesystem::read_symlink("/proc/self/exe").string(), request.pieces > 1,
                             ::geteuid() == 0};
  P2_TRY_ASSIGN(const auto command, launchCommand(request.launch, ranks, runner));
  auto launcher = ChildProcess::start(command);
  if (!launcher.ok()) {
    return Error{"there is no " + request.launch.launcher + " on this target (" + launcher.error().message +
                     "); install Open MPI, or choose another launcher",
                 {},
                 ErrorKind::Failed};
  }
  return ActiveRun(std::move(request), std::move(launcher).value(), ranks);
}

void ActiveRun::pass(const std::string& line, Channel& channel) {
  const auto message = messageFrom(line);
  if (!message.ok()) {
    if (hear(line)) return;
    // Newer launchers write errors of their arguments here.
    note(line.substr(0, kLongestLine), channel);
  } else if (const auto* progress = std::get_if<RunProgress>(&*message); progress && progress->id == id()) {
    // The request has arrived; not before, for the end of the input might overtake its last block.
    m_launcher.closeInput();
    channel.send(*progress);
  } else if (const auto* finished = std::get_if<RunFinished>(&*message); finished && finished->id == id()) {
    m_finished = *finished;
  }
}

void ActiveRun::passErrors(Channel& channel) {
  std::string bytes;
  readAvailable(m_launcher.errors(), bytes);
  m_errorLines.append(bytes);
  while (const auto line = m_errorLines.next()) {
    if (!hear(*line)) note(*line, channel);
  }
}

bool ActiveRun::hear(const std::string& line) {
  if (m_pulse.hear(line, Clock::now())) return true;
  const auto block = m_feed.askedFor(line);
  if (!block) return false;
  m_asked = true;
  // A launcher that takes nothing more has ended, which is noticed elsewhere.
  [[maybe_unused]] const ssize_t taken = ::write(m_launcher.input(), block->data(), block->size());
  return true;
}

void ActiveRun::note(const std::string& line, Channel& channel) {
  if (m_stated.size() < kMostKept) m_stated += line + '\n';
  if (line.find_first_not_of(" \t\r") != std::string::npos) m_lastLine = line.substr(0, kMostQuoted);
  if (m_logged++ < kMostLogged) channel.send(RunLog{id(), line});
}

std::optional<std::string> ActiveRun::failure() {
  if (m_lines.overflown()) return "a rank wrote a line that does not end";
  if (m_finished) return std::nullopt;
  const Clock::time_point now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - m_started).count();
  if (seconds > m_request.timeLimit) {
    const std::string limit = std::to_string(std::int64_t(m_request.timeLimit)) + " s";
    if (m_asked || m_pulse.hasBegun()) {
      return "the run was not over after " + limit + " and was ended; allow it more time or fewer bytes";
    }
    return "no rank had started after " + limit + ", and the run was ended; allow it more time" +
           (m_lastLine.empty() ? "" : "; " + m_request.launch.launcher + " said last: " + m_lastLine);
  }
  return m_pulse.failure(now, m_request.launch.launcher);
}

bool ActiveRun::advance(Channel& channel) {
  const bool over = m_launcher.ended();
  std::string bytes;
  while (readAvailable(m_launcher.output(), bytes) && over && !bytes.empty()) {
    m_lines.append(bytes);
    bytes.clear();
  }
  m_lines.append(bytes);
  while (const auto line = m_lines.next()) pass(*line, channel);
  passErrors(channel);
  if (const auto sentence = failure()) {
    m_launcher.terminate(kPatience);
    channel.send(RunFailed{id(), *sentence, false});
    return true;
  }
  if (!over) return false;
  if (m_finished && m_launcher.status() == 0) {
    channel.send(*m_finished);
  } else {
    channel.send(
        RunFailed{id(), launchFailure(m_request.launch, m_launcher.status(), m_stated + m_errorLines.rest()), false});
  }
  return true;
}

void ActiveRun::cancel(Channel& channel) {
  m_launcher.terminate(kPatience);
  channel.send(RunFailed{id(), "cancelled", true});
}

using Clock = std::chrono::steady_clock;
constexpr int kPollMilliseconds = 20;

double secondsSince(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

void doNotBlock(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

class Server {
 public:
  Server() : m_channel(STDIN_FILENO, STDOUT_FILENO), m_heard(Clock::now()), m_spoke(m_heard) {}

  void run() {
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    m_channel.send(Hello{kProtocol, P2_VERSION, host.data()});
    m_channel.send(capabilitiesHere());
    while (!m_channel.closed() && !m_channel.broken()) {
      wait();
      m_channel.read();
      while (const auto line = m_channel.nextLine()) take(*line);
      if (m_channel.overflown()) {
        refuseLongMessage();
        break;
      }
      // Ending a run may take long; messages that arrived meanwhile have been read by now.
      if (isDeserted()) break;
      if (m_run && m_run->advance(m_channel)) m_run.reset();
      m_channel.write();
    }
    if (m_run) m_run->cancel(m_channel);
  }

 private:
  /// A silent client is gone, so its run must end. A client without a run may be busy
  /// with the next plan.
  [[nodiscard]] bool isDeserted() const { return secondsSince(m_heard) > (m_run ? kSilence : kIdleSilence); }

  void refuseLongMessage() {
    m_channel.send(RunFailed{0, "a message has over 64 MiB; run a plan with fewer devices or steps", false});
    m_channel.write();
  }

  void wait() {
    if (secondsSince(m_spoke) > kHeartbeat) {
      m_channel.send(Alive{});
      m_spoke = Clock::now();
    }
    std::array<pollfd, 4> fds{pollfd{m_channel.input(), POLLIN, 0}, pollfd{m_run ? m_run->output() : -1, POLLIN, 0},
                              pollfd{m_run ? m_run->errors() : -1, POLLIN, 0},
                              pollfd{m_channel.hasToWrite() ? m_channel.output() : -1, POLLOUT, 0}};
    ::poll(fds.data(), fds.size(), kPollMilliseconds);
  }

  void take(const std::string& line) {
    m_heard = Clock::now();
    auto message = messageFrom(line);
    if (!message.ok()) {
      // The session ends at this message, and with it the run in progress.
      m_channel.send(RunFailed{0, message.error().text(), false});
    } else if (auto* request = std::get_if<RunRequest>(&message.value())) {
      start(std::move(*request));
    } else if (const auto* cancel = std::get_if<CancelRun>(&*message); cancel && m_run && cancel->id == m_run->id()) {
      m_run->cancel(m_channel);
      m_run.reset();
    }
  }

  void start(RunRequest request) {
    const int id = request.id;
    if (m_run) {
      m_channel.send(RunFailed{id, "another run is going on in this session; wait for it or cancel it", false});
      return;
    }
    auto run = ActiveRun::start(std::move(request));
    if (run.ok()) {
      m_run.emplace(std::move(run).value());
    } else {
      m_channel.send(RunFailed{id, run.error().text(), false});
    }
  }

  Channel m_channel;
  std::optional<ActiveRun> m_run;
  Clock::time_point m_heard;
  Clock::time_point m_spoke;
};

}  // namespace

int serve() {
  ignoreWriteSignals();
  keepMemoryReserve();
  if (::isatty(STDIN_FILENO) != 0) {
    std::cerr << "p2-runner serve is started by p2 and p2-explorer; start a run with p2 run\n";
    return 2;
  }
  doNotBlock(STDIN_FILENO);
  doNotBlock(STDOUT_FILENO);
  Server().run();
  return 0;
}

}  // namespace p2::runner
