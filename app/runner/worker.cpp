// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/worker.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <string_view>

#include "app/runner/backends.h"
#include "app/runner/launch.h"
#include "app/runner/mpi_transport.h"
#include "app/runner/rank_pulse.h"
#include "app/runner/request_feed.h"
#include "app/runner/timing.h"
#include "base/counted.h"
#include "base/units.h"
#include "remote/messages.h"

namespace p2::runner {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kProgressInterval = std::chrono::milliseconds(50);
// float32: vector, spare and start; int64: vector, spare and expected values.
constexpr double kMemoryPerByte = 6;

void send(const Message& message) {
  const std::string line = messageLine(message);
  std::cout.write(line.data(), std::streamsize(line.size())).flush();
}

std::string hostName() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return {name.data(), std::size_t(length)};
}

Bytes availableMemory() {
  std::ifstream info("/proc/meminfo");
  for (std::string key; info >> key;) {
    double kilobytes = 0;
    if (key == "MemAvailable:" && info >> kilobytes) return Bytes(kilobytes * 1024);
  }
  return {};
}

/// Reports a fault as a message of the session and ends all ranks.
void giveUp(const Error& error) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::cerr << kWorkerSays + ("rank " + std::to_string(rank) + " on " + hostName() + ": ") + error.text() + "\n"
            << std::flush;
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/// One rank from its request to its result.
class Worker {
 public:
  explicit Worker(MPI_Comm world) : m_world(world) {
    MPI_Comm_rank(world, &m_rank);
    MPI_Comm_size(world, &m_ranks);
  }

  Result<void> run() {
    P2_TRY(readRequest());
    P2_TRY(checkRequest());
    P2_TRY_ASSIGN(auto transport, makeTransport(m_request.backend, m_world));
    P2_TRY_ASSIGN(auto executor, Executor::prepare(scheduleOf(*m_plan, m_rank, transport->gatherOrder()), *transport));
    return measureAndCheck(executor, *transport);
  }

 private:
  [[nodiscard]] bool isRoot() const { return m_rank == 0; }

  Result<void> readRequest() {
    std::string line;
    if (isRoot()) {
      P2_TRY(checkLauncher());
      P2_TRY_ASSIGN(line, receiveRequest(STDIN_FILENO, STDERR_FILENO));
    }
    auto length = static_cast<std::int64_t>(line.size());
    MPI_Bcast(&length, 1, MPI_INT64_T, 0, m_world);
    line.resize(std::size_t(length));
    MPI_Bcast(line.data(), int(length), MPI_CHAR, 0, m_world);
    P2_TRY_ASSIGN(auto message, messageFrom(line));
    auto* request = std::get_if<RunRequest>(&message);
    if (request == nullptr) return Error{"standard input has a message that is not a request to run"};
    m_request = std::move(*request);
    P2_TRY_ASSIGN(auto plan, planFromJson(m_request.plan).within("plan"));
    m_plan.emplace(std::move(plan));
    return {};
  }

  /// Processes that srun starts without the plugin of their MPI are all alone.
  [[nodiscard]] Result<void> checkLauncher() const {
    const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
    if (m_ranks > 1 || tasks == nullptr || std::string_view(tasks) == "1") return {};
    if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return {};
    return Error{unknownToEachOther(std::string(tasks) + " processes")};
  }

  Result<void> checkRequest() {
    const std::int64_t devices = m_plan->deviceCount();
    if (devices != m_ranks) {
      return Error{"the plan is for " + countedText(devices, "device") + ", and " +
                   countedText(m_ranks, "process", "processes") + (m_ranks == 1 ? " was" : " were") + " started"};
    }
    if (m_request.repeat < 1 || m_request.repeat > kMostRuns || m_request.warmup > kMostRuns) {
      return Error{countedText(m_request.repeat, "repetition") + "; use 1 to " + std::to_string(kMostRuns)};
    }
    P2_TRY(checkPieces());
    const auto cut = VectorCut::of(m_request.bytes, m_plan->cut().chunks);
    if (!cut.ok() || cut->paddedElements() > INT_MAX) {
      return Error{"vectors of " + formatBytes(m_request.bytes) +
                   " have more elements than MPI counts; use up to 8 GB"};
    }
    const VectorCut piece = cut->piece(m_request.pieces);
    m_chunk = std::size_t(piece.chunkElements);
    m_bytes = Bytes(double(m_request.pieces) * double(piece.bytesOf(piece.chunks)));
    return checkMemory();
  }

  Result<void> checkPieces() const {
    if (m_request.pieces < 1 || m_request.pieces > kMostChunks) {
      return Error{countedText(m_request.pieces, "piece") + "; use 1 to " + std::to_string(kMostChunks)};
    }
    int threads = 0;
    MPI_Query_thread(&threads);
    if (m_request.pieces == 1 || m_request.backend != "mpi" || threads == MPI_THREAD_MULTIPLE) return {};
    return Error{mpiLibrary() +
                 " is built without MPI_THREAD_MULTIPLE, which steps that overlap need; run them one after the other"};
  }

  Result<void> checkMemory() const {
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(m_world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    int ranksHere = 1;
    MPI_Comm_size(host, &ranksHere);
    MPI_Comm_free(&host);
    const Bytes needed = kMemoryPerByte * m_bytes * ranksHere;
    const Bytes available = availableMemory();
    const int ample = needed <= available ? 1 : 0;
    int all = 1;
    MPI_Allreduce(&ample, &all, 1, MPI_INT, MPI_MIN, m_world);
    if (all != 0) return {};
    return Error{countedText(ranksHere, "rank") + " with vectors of " + formatBytes(m_bytes) + " need " +
                 formatBytes(needed) + " of memory on " + hostName() + ", which has " + formatBytes(available) +
                 "; ask for fewer bytes"};
  }

  Result<void> measureAndCheck(Executor& executor, Transport& transport) {
    const TimingTask what{m_world, m_chunk, m_request.repeat, m_request.warmup, m_request.pieces, giveUp};
    report("starting", 0, 0);
    const auto observe = [this](int repetition, StepId step) { reportNowAndThen(repetition, step); };
    P2_TRY_ASSIGN(const auto timings, measure(executor, transport, what, observe));
    report("checking", m_request.repeat, 0);
    std::int64_t wrong = 0;
    for (const Element element : {Element::Float32, Element::Int64}) {
      P2_TRY_ASSIGN(const auto found, countWrongElements(executor, transport, what, element));
      wrong += found;
    }
    finish(timings, wrong, transport.library());
    return {};
  }

  void reportNowAndThen(int repetition, StepId step) {
    if (!isRoot() || Clock::now() - m_reported < kProgressInterval) return;
    report(repetition < 0 ? "warming up" : "running", std::max(0, repetition), int(step.value()) + 1);
  }

  void report(const char* phase, int repetition, int step) {
    if (!isRoot()) return;
    m_reported = Clock::now();
    send(RunProgress{m_request.id, phase, repetition, m_request.repeat, step, int(m_plan->steps().size())});
  }

  std::vector<std::string> hostsOfAll() const {
    std::array<char, MPI_MAX_PROCESSOR_NAME> own{};
    hostName().copy(own.data(), own.size() - 1);
    std::vector<char> all(isRoot() ? own.size() * std::size_t(m_ranks) : 0);
    MPI_Gather(own.data(), int(own.size()), MPI_CHAR, all.data(), int(own.size()), MPI_CHAR, 0, m_world);
    std::vector<std::string> hosts;
    for (std::size_t at = 0; at < all.size(); at += own.size()) hosts.emplace_back(all.data() + at);
    return hosts;
  }

  void finish(const Timings& timings, std::int64_t wrong, const std::string& library) {
    RunResult result{m_request.backend,
                     library,
                     P2_VERSION,
                     planHash(m_request.plan),
                     hostsOfAll(),
                     m_bytes,
                     m_request.repeat,
                     wrong,
                     {},
                     {},
                     m_request.pieces};
    if (!isRoot()) return;
    result.seconds = spreadOf(timings.whole);
    for (std::size_t i = 0; i < m_plan->steps().size(); ++i) {
      const Spread seconds = timings.steps.empty() ? Spread{} : spreadOf(timings.steps[i]);
      result.steps.push_back(stepRun(m_plan->steps()[i], seconds));
    }
    send(RunFinished{m_request.id, std::move(result)});
  }

  [[nodiscard]] StepRun stepRun(const PlanStep& step, const Spread& seconds) const {
    const LoweredGroup group = sharesOf(step.groups[0], m_plan->cut().chunks);
    StepRun run{std::string(nameOf(step.collective)),
                std::int64_t(group.devices.size()),
                m_bytes * workingShare(step.collective, group),
                seconds,
                0,
                0};
    if (seconds.median <= 0) return run;
    run.algorithmBandwidth = run.bytes.value() / seconds.median;
    run.busBandwidth =
        run.algorithmBandwidth * flowFactor(step.collective, traitsOf(step.collective).shape, run.members);
    return run;
  }

  MPI_Comm m_world;
  int m_rank = 0;
  int m_ranks = 1;
  RunRequest m_request;
  std::optional<Plan> m_plan;
  std::size_t m_chunk = 1;
  Bytes m_bytes;
  Clock::time_point m_reported;
};

}  // namespace

int runWorker(int argc, char** argv, int threads) {
  // A launcher that is killed takes its ranks with it, on every host.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() == 1) return 1;
  const SignsOfLife alive;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, threads, &provided);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  Result<void> done;
  try {
    done = Worker(MPI_COMM_WORLD).run();
  } catch (const std::bad_alloc&) {
    done = Error{"there is not enough memory; ask for fewer bytes"};
  }
  if (!done.ok()) giveUp(done.error());
  MPI_Finalize();
  return 0;
}

}  // namespace p2::runner
