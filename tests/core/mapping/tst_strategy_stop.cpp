// SPDX-License-Identifier: GPL-3.0-or-later
#include <pthread.h>
#include <time.h>

#include <QTest>
#include <chrono>
#include <functional>
#include <random>
#include <semaphore>
#include <thread>

#include "graphs/bundled_graphs.h"
#include "graphs/strategy_source.h"
#include "mapping/mapped_baselines.h"
#include "support/warnings.h"
#include "tests/core/strategy/dense_net.h"
#include "workspace/strategy_choice.h"

using namespace p2;

namespace {

double secondsOf(clockid_t clock) {
  timespec now{};
  (void)clock_gettime(clock, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

using Work = std::function<bool(std::stop_token)>;  // whether it went through to the end

/// Runs a computation in a thread and stops it once that has computed for so long. Tells for how long it went on: its
/// own time, so that other programs do not count.
struct Stopped {
  bool finished = false;
  double before = 0;  // seconds it took altogether, where it finished
  double after = 0;   // seconds from the request on

  Stopped(const Work& work, double atSeconds) {
    std::stop_source source;
    std::binary_semaphore done{0};
    std::binary_semaphore read{0};
    double end = 0;
    std::thread thread([&] {
      finished = work(source.get_token());
      end = secondsOf(CLOCK_THREAD_CPUTIME_ID);
      done.release();
      read.acquire();  // its clock is read from outside, as long as it lives
    });
    clockid_t clock{};
    (void)pthread_getcpuclockid(thread.native_handle(), &clock);
    while (secondsOf(clock) < atSeconds && !done.try_acquire_for(std::chrono::microseconds(200))) continue;
    const double asked = secondsOf(clock);
    source.request_stop();
    read.release();
    thread.join();
    before = end;
    after = end - asked;
  }
};

bool isCancelled(const Error& error) { return error.kind == ErrorKind::Cancelled; }

template <class Answer>
bool finishes(const Result<Answer>& answer) {
  if (!answer.ok() && !isCancelled(answer.error())) qFatal("%s", answer.error().text().c_str());
  return answer.ok();
}

GraphCostOptions optionsOn(const System& system, StrategyCostModel model) {
  GraphCostOptions options = StrategyChoice{}.options;
  options.devices = system.deviceCount();
  options.model = model;
  options.space.cutoff = 1;
  options.memory.zero = 1;
  return filledIn(options, system);
}

/// What a strategy takes from pricing to baselines.
Work onMeshes(const ComputationGraph& graph, const char* name) {
  return [&graph, name](std::stop_token stop) {
    const System system = test::valueOf(systemFromArgument(name));
    const GraphCostOptions options = optionsOn(system, StrategyCostModel::Hierarchical);
    HierarchicalPrices prices(test::valueOf(validated(system)), {}, stop);
    SimulatedMeshPricer pricer(prices);
    if (!finishes(solveMapped(graph, options, system, pricer, {}, stop))) return false;
    return finishes(mappedBaseline(graph, options, system, pricer, MappedBaseline::Tensor, stop));
  };
}

Work onTables(const ComputationGraph& graph, std::int64_t devices) {
  return [&graph, devices](std::stop_token stop) {
    GraphCostOptions options{.devices = devices, .space = {SpaceKind::Divisors, 1, false}, .memoryBandwidth = 1e12};
    FlatPricer pricer(options.bandwidth);
    const auto problem = strategyProblemFrom(graph, options, pricer, stop);
    if (!finishes(problem)) return false;
    return finishes(solveWithin(*problem, Bytes(600e6), {}, stop));
  };
}

}  // namespace

/// A stop takes effect at once, whatever is being done.
class TestStrategyStop : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    m_gpt2 = test::valueOf(bundledGraph("gpt2-medium"));
    m_dense = test::DenseNet(64).graph();
    m_experts = test::valueOf(graphFromArgument("mixtral-8x7b", {.batch = 256, .sequence = 4096})).graph;
  }
  void init() { test::failOnWarnings(); }

  void stopsTakeEffectAtOnce_data() {
    QTest::addColumn<int>("which");
    QTest::newRow("GPT-2 medium on 64 devices") << 0;
    QTest::newRow("GPT-2 medium on 1,024 devices") << 1;
    QTest::newRow("DenseNet-121 on 16 devices") << 2;
    QTest::newRow("DenseNet-121's tables for 16 devices") << 3;
    QTest::newRow("Mixtral on 256 devices") << 4;
  }
  void stopsTakeEffectAtOnce() {
    QFETCH(int, which);
    const std::vector<Work> all{onMeshes(m_gpt2, "dgx-h100:8"), onMeshes(m_gpt2, "dgx-h100:128"),
                                onMeshes(m_dense, "dgx-h100:2"), onTables(m_dense, 16),
                                onMeshes(m_experts, "dgx-h100:32")};
    const Work& work = all[std::size_t(which)];
    constexpr double kLongest = 1;  // seconds: of what takes longer, the beginning
    const Stopped whole(work, kLongest);
    const double length = std::min(whole.before, kLongest);
    std::mt19937 random(7);
    double longest = 0;
    double when = 0;
    int stopped = 0;
    constexpr int kMoments = 6;
    for (int i = 0; i < kMoments; ++i) {
      // One moment in each part, anywhere in it.
      const double at = length * (i + std::uniform_real_distribution<double>(0, 1)(random)) / kMoments;
      const Stopped one(work, at);
      if (!one.finished) ++stopped;
      if (one.finished || one.after <= longest) continue;
      longest = one.after;
      when = at;
    }
    qInfo("%.0f ms after a stop at %.2f of %.2f s", 1e3 * longest, when, length);
    // On a busy machine later runs may be faster than the first one.
    QVERIFY(stopped > 0);
    // Optimised code is within 100 ms; others are several times slower.
#ifdef __OPTIMIZE__
    constexpr double kMost = 0.1;
#else
    constexpr double kMost = 1;
#endif
    QVERIFY2(longest <= kMost, qPrintable(QString("%1 s after a stop at %2 s").arg(longest).arg(when)));
  }

 private:
  ComputationGraph m_gpt2;
  ComputationGraph m_dense;
  ComputationGraph m_experts;
};

QTEST_APPLESS_MAIN(TestStrategyStop)
#include "tst_strategy_stop.moc"
