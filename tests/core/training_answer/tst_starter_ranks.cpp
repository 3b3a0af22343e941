// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QtTest>
#include <map>

#include "placement/placement.h"
#include "support/warnings.h"
#include "tests/core/training_answer/file_called.h"
#include "training/framework_placements.h"
#include "training_answer/launch_files.h"
#include "workload/axis_names.h"
#include "workload/generate/training_recipe.h"
#include "workspace/workspace.h"

using namespace p2;
using test::fileCalled;

namespace {

/// A starter's assignment of ranks: the host of each, and the GPUs of a host by local rank where they are not 0, 1, …
struct Starts {
  QStringList hosts;
  QList<int> gpus;
  std::map<QString, QList<int>> gpusOn;  // where hosts differ
};

QList<int> numbersIn(const QString& list) {
  QList<int> numbers;
  for (const QString& each : list.split(',', Qt::SkipEmptyParts)) numbers << each.toInt();
  return numbers;
}

/// Assignments of single hosts, in comments.
void readHost(const QString& line, Starts& starts) {
  static const QRegularExpression kOn("^# GPUs by local rank on (\\S+): CUDA_VISIBLE_DEVICES=([\\d,]+)$");
  if (const auto on = kOn.match(line); on.hasMatch()) starts.gpusOn[on.captured(1)] = numbersIn(on.captured(2));
}

/// As mpirun reads its rank file or its hostfile.
Starts readByOpenMpi(const QString& text) {
  static const QRegularExpression kRank("^rank (\\d+)=(\\S+) slot=(\\d+)$");
  static const QRegularExpression kSlots("^(\\S+) slots=(\\d+)$");
  static const QRegularExpression kVisible("local rank: CUDA_VISIBLE_DEVICES=([\\d,]+)");
  Starts starts;
  std::map<int, QString> byRank;
  for (const QString& line : text.split('\n', Qt::SkipEmptyParts)) {
    if (const auto visible = kVisible.match(line); visible.hasMatch()) starts.gpus = numbersIn(visible.captured(1));
    readHost(line, starts);
    if (const auto rank = kRank.match(line); rank.hasMatch()) byRank[rank.captured(1).toInt()] = rank.captured(2);
    if (const auto host = kSlots.match(line); host.hasMatch()) {
      for (int slot = 0; slot < host.captured(2).toInt(); ++slot) starts.hosts << host.captured(1);
    }
  }
  for (const auto& [rank, host] : byRank) {
    if (rank != starts.hosts.size()) return {};
    starts.hosts << host;
  }
  return starts;
}

/// As srun --distribution=arbitrary reads SLURM_HOSTFILE: a line a task.
Starts readBySlurm(const QString& text) {
  static const QRegularExpression kBind("--gpu-bind=map_gpu:([\\d,]+)");
  static const QRegularExpression kTasks("--ntasks=(\\d+)");
  Starts starts;
  int tasks = -1;
  for (const QString& line : text.split('\n', Qt::SkipEmptyParts)) {
    readHost(line, starts);
    if (!line.startsWith('#')) starts.hosts << line;
    if (const auto bind = kBind.match(line); bind.hasMatch()) starts.gpus = numbersIn(bind.captured(1));
    if (const auto count = kTasks.match(line); count.hasMatch()) tasks = count.captured(1).toInt();
  }
  return tasks < 0 || tasks == starts.hosts.size() ? starts : Starts{};
}

/// As torchrun counts: the processes of a node in sequence, nodes by --node-rank.
Starts readByTorchrun(const QString& text) {
  static const QRegularExpression kNode("^# (\\d+) (\\S+)$");
  static const QRegularExpression kProcesses("--nproc-per-node (\\d+)");
  Starts starts;
  const int processes = kProcesses.match(text).captured(1).toInt();
  for (const QString& line : text.split('\n', Qt::SkipEmptyParts)) {
    const auto node = kNode.match(line);
    if (!node.hasMatch()) continue;
    if (node.captured(1).toInt() * processes != starts.hosts.size()) return {};
    for (int process = 0; process < processes; ++process) starts.hosts << node.captured(2);
  }
  return starts;
}

/// The device of each rank: the host's number, and the GPU of the rank's place among those on its host.
QList<int> devicesOf(const Starts& starts, const std::vector<std::string>& hosts, int perHost) {
  QList<int> devices;
  std::map<QString, int> next;
  for (const QString& host : starts.hosts) {
    const auto found = std::find(hosts.begin(), hosts.end(), host.toStdString());
    const int local = next[host]++;
    const auto own = starts.gpusOn.find(host);
    const QList<int>& gpus = own == starts.gpusOn.end() ? starts.gpus : own->second;
    const int gpu = gpus.isEmpty() ? local : gpus.value(local, -1);
    devices << static_cast<int>(found - hosts.begin()) * perHost + gpu;
  }
  return devices;
}

/// Where Megatron-LM's rank is on an axis: tp-cp-dp-pp, tp fastest (megatron/core/parallel_state.py, RankGenerator).
std::int64_t megatronCoordinate(const std::string& axis, const TrainingPlan& plan, std::int64_t rank) {
  if (axis == kTensorAxis) return rank % plan.tensor;
  rank /= plan.tensor;
  if (axis == kContextAxis || axis == kContextRingAxis) return rank % plan.context;
  rank /= plan.context;
  if (axis == kDataAxis) return rank % plan.data;
  return rank / plan.data;
}

}  // namespace

// Starters read the launch files to the placement of the plan, by readers and a count of ranks that share no code with
// the writers.
class TestStarterRanks : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void everyStarterGivesThePlacement_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<int>("perHost");
    QTest::addColumn<QString>("fixed");
    const auto row = [](const char* name, const char* system, int perHost, const char* fixed) {
      QTest::newRow(name) << system << perHost << fixed;
    };
    const char* nodes = "dgx-h100:4";
    row("tp 2, pp 2", nodes, 8, "tp=2,pp=2,vpp=1,cp=1,microbatch=1,zero=1,recompute=none,sp=yes");
    row("tp 4, cp 2", nodes, 8, "tp=4,pp=1,cp=2,microbatch=1,zero=1,recompute=none,sp=yes");
    row("pp 4", nodes, 8, "tp=1,pp=4,vpp=1,cp=1,microbatch=1,zero=1,recompute=full");
    row("tp 8, pp 2", nodes, 8, "tp=8,pp=2,vpp=1,cp=1,microbatch=1,zero=1,recompute=none,sp=yes");
    row("trays", "gb200-nvl72:2", 4, "tp=2,pp=2,vpp=1,cp=1,microbatch=1,zero=1,recompute=none,sp=yes");
  }
  void everyStarterGivesThePlacement() {
    QFETCH(QString, system);
    QFETCH(int, perHost);
    QFETCH(QString, fixed);
    TrainingQuestion question;
    question.model = resolved(bundledRecipe("llama3-8b").value().model);
    question.system = systemFromArgument(system.toStdString()).value();
    const auto count = static_cast<int>(question.system.deviceCount());
    question.batch = 2 * count;
    question.sequence = 4096;
    question.frameworks = {trainingFrameworkFrom("megatron").value()};
    question.fixed = fixedChoicesFrom(fixed.toStdString()).value();
    question.everyVariant = true;
    question.exhaustive = true;
    question.best = 400;
    const TrainingPlacements placements = trainingPlacements(question.model, question.system);
    const auto answer = planTraining(question, placements.orders, {}, {}, placements.rankFiles);
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
    std::vector<std::string> hosts;
    for (int host = count / perHost; host > 0; --host) hosts.push_back("h" + std::to_string(host));
    int byFile = 0;
    int byTorchrun = 0;
    for (const PlannedConfiguration& planned : answer->configurations) {
      const bool isDefault =
          std::find(planned.orders.begin(), planned.orders.end(), "Megatron-LM") != planned.orders.end();
      if (!planned.needsRankFile() && !isDefault) continue;  // its flags change the count of ranks
      const auto files = launchFiles(question, planned, hosts).value();
      const QList<int> devices =
          devicesOf(readByOpenMpi(QString::fromStdString(fileCalled(files, "openmpi").text)), hosts, perHost);
      QCOMPARE(devices.size(), qsizetype{count});
      QCOMPARE(devicesOf(readBySlurm(QString::fromStdString(fileCalled(files, "slurm").text)), hosts, perHost),
               devices);
      const LaunchFile& torchrun = fileCalled(files, "torchrun");
      if (torchrun.problem.empty()) {
        QCOMPARE(devicesOf(readByTorchrun(QString::fromStdString(torchrun.text)), hosts, perHost), devices);
      }
      byFile += planned.needsRankFile() ? 1 : 0;
      byTorchrun += torchrun.problem.empty() ? 1 : 0;
      const Placement placement(planned.axes, planned.matrix);
      for (int rank = 0; rank < devices.size(); ++rank) {
        const auto at = placement.coordinates(Device(devices[rank]));
        for (std::size_t axis = 0; axis < planned.axes.size(); ++axis) {
          QCOMPARE(at[axis], megatronCoordinate(planned.axes[axis].name, planned.configuration.plan, rank));
        }
      }
    }
    qInfo("%zu plans, %d by rank file, %d by torchrun", answer->configurations.size(), byFile, byTorchrun);
    QVERIFY(byFile > 0 && byTorchrun > 0);
  }
};

QTEST_GUILESS_MAIN(TestStarterRanks)
#include "tst_starter_ranks.moc"
