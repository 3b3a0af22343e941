// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/serve.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <iostream>

#include "app/runner/active_run.h"
#include "app/runner/backends.h"
#include "base/memory_reserve.h"
#include "base/write_signals.h"

namespace p2::runner {
namespace {

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
    std::cerr << "p2-runner serve speaks to p2 and p2-explorer, not to people; start a run with p2 run\n";
    return 2;
  }
  doNotBlock(STDIN_FILENO);
  doNotBlock(STDOUT_FILENO);
  Server().run();
  return 0;
}

}  // namespace p2::runner
