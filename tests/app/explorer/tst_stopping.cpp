// SPDX-License-Identifier: GPL-3.0-or-later
#include <pthread.h>

#include <QTemporaryDir>
#include <QTest>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

#include "cost/calibration/library_calibration.h"
#include "explore/composition.h"
#include "explore/sweep.h"
#include "explore/sweep_map.h"
#include "exporters/exporters.h"
#include "lesson/lesson_validator.h"
#include "plan/plan.h"
#include "step/other_axes.h"
#include "step/step_pricer.h"
#include "support/fixtures.h"
#include "text/text_file.h"
#include "views/accuracy/model_quality.h"
#include "views/common/graph_layout.h"
#include "views/compare/compared_run.h"
#include "views/lesson/lesson_shelf.h"
#include "views/literal/literal_run.h"
#include "views/present/run_files.h"
#include "views/program/composing.h"
#include "views/shell/document_file.h"
#include "views/stage/replay.h"
#include "views/strategy/strategy_loading.h"
#include "views/system/load_survey.h"
#include "workload/import/import.h"
#include "workload/sources.h"

using namespace p2;
using namespace p2::views;

namespace {

using Work = std::function<void(std::stop_token)>;

/// What is told to stop may say so; any other error would end it before it did any work.
template <class Answer>
void expectAnswer(const Answer& answer) {
  if constexpr (requires { answer.error().kind; }) {
    if (!answer.ok() && answer.error().kind != ErrorKind::Cancelled) qFatal("%s", answer.error().text().c_str());
  }
}

/// Of a processor, after a job was told to stop: a tenth is promised, and a machine may be half as fast. Sanitizers are
/// slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kMostSeconds = 2;
#else
constexpr double kMostSeconds = 0.2;
#endif
constexpr int kRuns = 4;  // of each job; P2_STOPPING_RUNS asks for more
constexpr int kMostRuns = 40;

double secondsOf(clockid_t clock) {
  timespec time{};
  if (::clock_gettime(clock, &time) != 0) return 0;
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Work on a thread of its own, which is told to stop after a while if it has not ended by then.
struct StoppedRun {
  double begun = 0;  ///< seconds until it was told or had ended
  /// Processor seconds of its own that it then went on for; nothing if it had ended.
  std::optional<double> after;
};

StoppedRun stoppedAfter(const Work& work, double seconds) {
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
  double atEnd = 0;
  std::stop_source stop;
  StoppedRun run;
  const double begin = secondsOf(CLOCK_MONOTONIC);
  std::thread thread([&] {
    work(stop.get_token());
    atEnd = secondsOf(CLOCK_THREAD_CPUTIME_ID);
    const std::lock_guard lock(mutex);
    ended = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return ended; });
    run.begun = secondsOf(CLOCK_MONOTONIC) - begin;
    clockid_t clock{};
    if (!ended && ::pthread_getcpuclockid(thread.native_handle(), &clock) == 0) run.after = -secondsOf(clock);
  }
  stop.request_stop();
  thread.join();
  if (run.after) *run.after += atEnd;
  return run;
}

std::shared_ptr<const Exploration> explored(Workspace workspace) {
  workspace.matrix = rowMajorMatrix(workspace.system, workspace.axes);
  ExploreScope scope;
  scope.programsPerPlacement = 10;
  return test::valueOf(exploreWorkspace(workspace, scope, true));
}

/// 65,536 devices in closed form, 4,096 and 1,024 whose links are listed one by one.
Workspace uniform() { return test::workspaceOf("pod:16 rack:16 node:16 gpu:16", "64,32,32", "0,2"); }
Workspace listed() { return test::workspaceOf("dgx-h100:512", "64,64", "0"); }
Workspace torus() { return test::workspaceOf("tpu-v4:256", "64,64", "0"); }

Work exploring(Workspace workspace, bool limits = false, bool overlap = false) {
  workspace.options.cost.overlap = overlap;
  return [workspace, limits](const std::stop_token& stop) {
    ExploreScope scope;
    scope.limits = limits;
    expectAnswer(exploreWorkspace(workspace, scope, false, stop));
  };
}

Work sweeping(const Workspace& workspace, SweepOver over) {
  const SweepRange range = test::valueOf(defaultRange(workspace.system, over, {}));
  return [=](const std::stop_token& stop) { expectAnswer(sweep(workspace, range, false, stop)); };
}

std::string repeated(const std::string& head, const std::string& each, std::size_t times, const std::string& tail) {
  std::string text = head;
  text.reserve(head.size() + times * each.size() + tail.size());
  for (std::size_t i = 0; i < times; ++i) text += each;
  return text + tail;
}

/// A list in another format with its entries so often that it has about so many bytes: what stands in the outermost
/// brackets of JSON, the lines behind the second of anything else.
std::string enlarged(const std::string& text, std::size_t bytes) {
  const bool isJson = text[0] == '{';
  const std::size_t from = isJson ? text.find("[\n") + 1 : text.find('\n', text.find('\n') + 1) + 1;
  const std::size_t to = isJson ? text.rfind(']') : text.size();
  const std::string entries = text.substr(from, to - from);
  const std::size_t times = bytes / entries.size();
  std::string head = text.substr(0, from);
  // SimAI's second line counts those that follow.
  if (const std::size_t line = head.find('\n') + 1;
      !isJson && head.find_first_not_of("0123456789\n", line) == head.npos) {
    head = head.substr(0, line) + std::to_string(std::stoul(head.substr(line)) * times) + "\n";
  }
  return repeated(head, isJson ? entries + "," : entries, times - 1, entries + text.substr(to));
}

}  // namespace

/// Every kind of job on something large, told to stop at any moment.
class TestStopping : public QObject {
  Q_OBJECT

 private slots:
  void endsSoon_data();
  void endsSoon();

 private:
  QTemporaryDir m_folder;
};

Q_DECLARE_METATYPE(std::function<Work()>)

void TestStopping::endsSoon_data() {
  QTest::addColumn<std::function<Work()>>("prepared");
  const auto row = [](const char* name, std::function<Work()> prepared) { QTest::newRow(name) << std::move(prepared); };
  row("explore", [] { return exploring(uniform()); });
  row("explore listed", [] { return exploring(listed()); });
  row("explore torus", [] { return exploring(torus()); });
  row("explore whole", [] { return exploring(test::workspaceOf("dgx-h100:512", "4096", "0"), true); });
  row("explore v100", [] { return exploring(test::workspaceOf("gcp-v100:512", "4,1024", "1"), true); });
  row("explore small", [] { return exploring(test::workspaceOf("dgx-h100:8", "8,8", "0"), true); });
  row("explore many levels",
      [] { return exploring(test::workspaceOf("a:2 b:3 c:2 d:4 e:2 f:5", "24,20", "0"), true, true); });
  row("explore limits", [] { return exploring(listed(), true); });
  row("explore overlap", [] { return exploring(listed(), false, true); });
  row("sweep bytes", [] { return sweeping(listed(), SweepOver::Bytes); });
  row("sweep nodes", [] { return sweeping(listed(), SweepOver::Nodes); });
  row("sweep map", []() -> Work {
    const SweepRange range = test::valueOf(defaultRange(listed().system, SweepOver::Bytes, {}));
    return [range](const std::stop_token& stop) { expectAnswer(sweepMap(listed(), range, stop)); };
  });
  row("guide", []() -> Work {
    const auto exploration = explored(uniform());
    return [exploration](const std::stop_token& stop) { expectAnswer(guideOf(*exploration, 0, stop)); };
  });
  for (const auto& [name, workspace] : {std::pair("compose", uniform()), std::pair("compose listed", listed())}) {
    row(name, [workspace = workspace]() -> Work {
      const auto exploration = explored(workspace);
      const auto guide = test::valueOf(guideOf(*exploration, 0));
      const Program program = exploration->placements[0].programs.back().program;
      return [=](const std::stop_token& stop) { expectAnswer(makeComposing({exploration, 0, guide, program}, stop)); };
    });
  }
  for (const auto& [name, workspace] :
       {std::pair("replay", uniform()), std::pair("replay listed", listed()), std::pair("replay torus", torus())}) {
    row(name, [workspace = workspace]() -> Work {
      const auto exploration = explored(workspace);
      const Program program = exploration->placements[0].programs.back().program;
      return [=](const std::stop_token& stop) { expectAnswer(makeReplay(*exploration, 0, program, stop)); };
    });
  }
  row("compare", []() -> Work {
    const auto exploration = explored(listed());
    const auto replay = test::valueOf(makeReplay(*exploration, 0, exploration->placements[0].programs.back().program));
    return [replay](const std::stop_token& stop) { expectAnswer(comparedRun(replay, stop)); };
  });
  for (const auto& [name, workspace] : {std::pair("loads", listed()), std::pair("loads torus", torus())}) {
    row(name, [workspace = workspace]() -> Work {
      const auto exploration = explored(workspace);
      const Program program = exploration->placements[0].programs.back().program;
      return [=](const std::stop_token& stop) { expectAnswer(surveyLoads({exploration, 0, program, {}}, stop)); };
    });
  }
  row("step", []() -> Work {
    StepQuestion question;
    question.workload = test::valueOf(workloadFromArgument("llama3-405b")).workload;
    question.system = test::valueOf(parseSystem("pod:8@14.6TB/s rack:128@800GB/s node:2@400GB/s gpu:8@450GB/s"));
    return [question](const std::stop_token& stop) { expectAnswer(rankSteps(question, stop)); };
  });
  row("step listed", []() -> Work {
    StepQuestion question;
    question.workload = test::valueOf(workloadFromArgument("llama3-405b", {{{"dp", "32"}}, {}})).workload;
    question.system = listed().system;
    return [question](const std::stop_token& stop) { expectAnswer(rankSteps(question, stop)); };
  });
  row("other axes", []() -> Work {
    return [](const std::stop_token& stop) {
      expectAnswer(otherAxes(test::workspaceOf("dgx-h100:512", "16,16,16", "0"), stop));
    };
  });
  for (const char* model : {"paper", "nccl"}) {
    row(qPrintable(QStringLiteral("calibrate ") + model), [model]() -> Work {
      std::string csv = "axes,reduce,matrix,program,step,repeat,bytes,seconds\n";
      for (int i = 0; i < 1000; ++i) {
        csv += "256 4,0,\"[[128,2],[1,4]]\",,,1," + std::to_string(1000 + 100000 * i) + ",0.00" +
               std::to_string(1 + i) + "\n";
      }
      const auto measurements = test::valueOf(measuredTimesFromCsv(csv));
      const System system = test::valueOf(parseSystem("dgx-h100:128"));
      return [=](const std::stop_token& stop) {
        expectAnswer(calibrateUnder(model, system, measurements, HoldOut::Auto, 5, stop));
      };
    });
  }
  row("quality", []() -> Work {
    return [](const std::stop_token& stop) { expectAnswer(modelQuality(listed().system, false, stop, {})); };
  });
  row("strategy", []() -> Work {
    Workspace workspace = listed();
    workspace.strategy.graph = "llama3-8b";
    workspace.strategy.options.model = StrategyCostModel::Hierarchical;
    StrategyQuestion question = questionOf(workspace);
    return [question](const std::stop_token& stop) { expectAnswer(loadStrategy(question, stop)); };
  });
  row("lessons", []() -> Work { return [](const std::stop_token& stop) { expectAnswer(bundledShelf(stop)); }; });
  row("lesson page", []() -> Work {
    std::string text = test::valueOf(readTextFile(P2_RESOURCES "/lessons/02-allreduce.json"));
    return [text](const std::stop_token& stop) { expectAnswer(lessonProblems(text, stop)); };
  });
  row("layout", []() -> Work {
    GraphShape shape;
    for (std::size_t i = 0; i < 1500; ++i) {
      shape.nodes.emplace_back(100, 40);
      if (i > 0) shape.edges.push_back({i - 1, i});
      if (i > 20) shape.edges.push_back({i - 1 - i % 19, i});
    }
    return [shape](const std::stop_token& stop) { expectAnswer(layoutGraph(shape, 1.5, stop)); };
  });
  row("read document", [this]() -> Work {
    const std::string path = m_folder.filePath("large.json").toStdString();
    std::string text = workspaceToJson(uniform());
    text.insert(text.find('{') + 1, repeated("\"mine\": [", "{\"a\": [1, 2.5, \"x\"]}, ", 300'000, "0], "));
    (void)writeTextFile(path, text);
    return [path](const std::stop_token& stop) { expectAnswer(readDocument(QString::fromStdString(path), stop)); };
  });
  for (const auto& [name, workspace] : {std::pair("plan", uniform()), std::pair("plan torus", torus())}) {
    row(name, [workspace = workspace]() mutable -> Work {
      workspace.matrix = rowMajorMatrix(workspace.system, workspace.axes);
      workspace.program = "root:InsideGroup:AllReduce";
      return [workspace](const std::stop_token& stop) { expectAnswer(makePlan(workspace, stop)); };
    });
  }
  for (const char* name : {"aicb_stages.csv", "simai_moe.txt", "kineto_mesh.json", "chakra_graph.json", "stg.json"}) {
    row(qPrintable(QStringLiteral("import ") + name), [this, name]() -> Work {
      const std::string path = m_folder.filePath(name).toStdString();
      (void)writeTextFile(
          path, enlarged(test::valueOf(readTextFile(std::string(P2_TEST_DATA "/workload/") + name)), 30'000'000));
      return [path](const std::stop_token& stop) { (void)importWorkload(std::vector{path}, stop); };
    });
  }
}

void TestStopping::endsSoon() {
  QFETCH(std::function<Work()>, prepared);
  const Work work = prepared();
  const int runs = qEnvironmentVariableIntValue("P2_STOPPING_RUNS");
  std::mt19937 random(1);
  double most = 1.5, slowest = 0, at = 0;
  int stopped = 0;
  // On a busy machine a job may end before each of a few moments.
  for (int i = 0; i < (runs > 0 ? runs : kRuns) || (stopped == 0 && i < kMostRuns); ++i) {
    const double wait = most * std::pow(10, -3 * std::uniform_real_distribution(0.0, 1.0)(random));
    const StoppedRun run = stoppedAfter(work, wait);
    if (!run.after) most = run.begun;
    if (!run.after) continue;
    ++stopped;
    if (*run.after > slowest) {
      slowest = *run.after;
      at = wait;
    }
  }
  qInfo("%d stopped, slowest %.0f ms after %.0f ms", stopped, slowest * 1000, at * 1000);
  QVERIFY(stopped > 0);
  QVERIFY2(slowest < kMostSeconds, qPrintable(QString::number(slowest)));
}

QTEST_MAIN(TestStopping)
#include "tst_stopping.moc"
