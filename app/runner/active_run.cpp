// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/active_run.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/runner/backends.h"
#include "app/runner/launch.h"
#include "plan/verify.h"
#include "remote/launch_command.h"

namespace p2::runner {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr std::size_t kMostSaid = std::size_t{64} << 10;
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

}  // namespace

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
  if (m_said.size() < kMostSaid) m_said += line + '\n';
  if (line.find_first_not_of(" \t\r") != std::string::npos) m_lastSaid = line.substr(0, kMostQuoted);
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
           (m_lastSaid.empty() ? "" : "; " + m_request.launch.launcher + " said last: " + m_lastSaid);
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
        RunFailed{id(), launchFailure(m_request.launch, m_launcher.status(), m_said + m_errorLines.rest()), false});
  }
  return true;
}

void ActiveRun::cancel(Channel& channel) {
  m_launcher.terminate(kPatience);
  channel.send(RunFailed{id(), "cancelled", true});
}

}  // namespace p2::runner
