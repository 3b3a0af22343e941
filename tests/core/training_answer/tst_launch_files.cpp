// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>
#include <map>

#include "base/units.h"
#include "placement/placement.h"
#include "support/warnings.h"
#include "training/framework_placements.h"
#include "training_answer/launch_files.h"
#include "workload/axis_names.h"
#include "workload/generate/training_recipe.h"
#include "workspace/workspace.h"

using namespace p2;

namespace {

/// A starter's assignment of ranks: the host of each, and the GPUs of a host by local rank where they are not 0, 1, …
struct Starts {
  QStringList hosts;
  QList<int> gpus;
  std::map<QString, QList<int>> gpusOn;  // where hosts differ
};

const LaunchFile& fileCalled(const std::vector<LaunchFile>& files, std::string_view name) {
  for (const LaunchFile& each : files) {
    if (each.name == name) return each;
  }
  qFatal("no such file");
}

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
class TestLaunchFiles : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void aReportIsOnTheStep() {
    TrainingQuestion question;
    question.model = resolved(bundledRecipe("llama3-8b").value().model);
    question.system = systemFromArgument("dgx-h100:4").value();
    question.batch = 128;
    question.sequence = 8192;
    question.frameworks = {trainingFrameworkFrom("megatron").value()};
    question.fixed = fixedChoicesFrom("tp=2,pp=2").value();
    const TrainingPlacements placements = trainingPlacements(question.model, question.system);
    const auto answer = planTraining(question, placements.orders);
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
    const PlannedConfiguration& planned = answer->configurations.front();
    const auto files = launchFiles(question, planned).value();
    const std::string& report = fileCalled(files, "report").text;
    for (const std::string& part : {std::string("32 devices"), std::string("128 sequences of 8192 tokens"),
                                    describe(planned.configuration), formatSeconds(planned.estimate.seconds),
                                    formatPercent(planned.estimate.mfu), formatBytes(Bytes(planned.memory.total())),
                                    std::string("Where the time goes"), std::string("computation at the peak")}) {
      QVERIFY2(report.find(part) != std::string::npos, (part + "\n" + report).c_str());
    }
  }

  /// Without a rank file there are still the flags, the workload and the report.
  void onlyTheRankFileMayBeMissing() {
    TrainingQuestion question;
    question.model = resolved(bundledRecipe("llama3-8b").value().model);
    question.system = systemFromArgument("dgx-h100:2").value();
    question.batch = 64;
    question.frameworks = {trainingFrameworkFrom("megatron").value()};
    question.fixed = fixedChoicesFrom("tp=2,pp=2").value();
    const TrainingPlacements placements = trainingPlacements(question.model, question.system);
    const auto answer = planTraining(question, placements.orders);
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
    PlannedConfiguration planned = answer->configurations.front();
    const auto whole = launchFiles(question, planned).value();
    planned.orders.clear();
    planned.axes.front().name = "x";
    const auto files = launchFiles(question, planned).value();
    QCOMPARE(files.size(), whole.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
      const bool starts = files[i].name == "openmpi" || files[i].name == "slurm" || files[i].name == "torchrun";
      QCOMPARE(!files[i].problem.empty(), starts);
      if (files[i].name == "flags" || files[i].name == "workload") QCOMPARE(files[i].text, whole[i].text);
      if (starts) QCOMPARE(files[i].text, "# Megatron-Core has no order of ranks for the axes of the plan\n");
    }
  }

  void scriptsGiveTheArgumentsThatAShellReads_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QString>("fixed");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("layers of experts") << "deepseek-v3"
                                       << "megatron"
                                       << "tp=2,pp=4,vpp=1,ep=8"
                                       << QStringList{"pretrain_gpt.py", "([0]*3+[1]*58)", "sigmoid"};
    QTest::newRow("a layout of stages") << "llama3-8b"
                                        << "megatron"
                                        << "tp=1,pp=2,vpp=1,layers=15+17" << QStringList{"Et*15|t*17L"};
    QTest::newRow("flags of TorchTitan") << "llama3-8b"
                                         << "torchtitan"
                                         << "tp=2,pp=1"
                                         << QStringList{"torchtitan.train", "activation-checkpoint:none"};
    QTest::newRow("a file of DeepSpeed") << "llama3-8b"
                                         << "deepspeed"
                                         << "tp=1,pp=1" << QStringList{"YOUR_SCRIPT", "ds_config.json"};
  }
  /// bash runs the script with a torchrun that prints its arguments.
  void scriptsGiveTheArgumentsThatAShellReads() {
    QFETCH(QString, model);
    QFETCH(QString, framework);
    QFETCH(QString, fixed);
    QFETCH(QStringList, expected);
    TrainingQuestion question;
    question.model = resolved(bundledRecipe(model.toStdString()).value().model);
    question.system = systemFromArgument("gcp-a3ultra:64").value();
    question.batch = 4096;
    question.sequence = 4096;
    question.frameworks = {trainingFrameworkFrom(framework.toStdString()).value()};
    question.fixed = fixedChoicesFrom(fixed.toStdString()).value();
    const auto answer = planTraining(question, trainingPlacements(question.model, question.system).orders);
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
    const PlannedConfiguration& planned = answer->configurations.front();
    const auto files = launchFiles(question, planned).value();
    QTemporaryDir folder;
    QProcess bash;
    bash.setWorkingDirectory(folder.path());
    const QString script = QString::fromStdString(fileCalled(files, "torchrun").text);
    bash.start("bash", {"-euc", "NODE_RANK=3; torchrun() { printf '%s\\n' \"$@\"; }\n" + script});
    QVERIFY(bash.waitForFinished());
    QCOMPARE(bash.readAllStandardError(), QByteArray());
    const QStringList arguments = QString::fromUtf8(bash.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
    for (const QString& each : expected) QVERIFY2(arguments.contains(each), qPrintable(each + "\n" + script));
    if (framework == "deepspeed") {
      const QByteArray config = QString::fromStdString(fileCalled(files, "config").text).toUtf8();
      QFile written(folder.filePath("ds_config.json"));
      QVERIFY(written.open(QIODevice::ReadOnly));
      QCOMPARE(written.readAll(), config);
      QVERIFY(QJsonDocument::fromJson(config).isObject());
    }
  }

  /// Megatron does not start on Hopper with tensor parallelism and another number of queues.
  void environmentOfMegatron_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QString>("fixed");
    QTest::addColumn<QString>("line");
    const QString one = "export CUDA_DEVICE_MAX_CONNECTIONS=1\n";
    QTest::newRow("tp on H100") << "llama3-8b"
                                << "dgx-h100:2"
                                << "megatron"
                                << "tp=2,pp=1,cp=1" << one;
    QTest::newRow("cp on A100") << "llama3-8b"
                                << "dgx-a100:2"
                                << "megatron"
                                << "tp=1,pp=2,cp=2" << one;
    QTest::newRow("tp on B200") << "llama3-8b"
                                << "dgx-b200:2"
                                << "megatron"
                                << "tp=2,pp=1,cp=1"
                                << "";
    QTest::newRow("neither") << "llama3-8b"
                             << "dgx-h100:2"
                             << "megatron"
                             << "tp=1,pp=2,cp=1"
                             << "";
    QTest::newRow("experts") << "mixtral-8x7b"
                             << "dgx-h100:8"
                             << "megatron"
                             << "tp=2,pp=1,ep=8,ep_overlap=yes"
                             << "export CUDA_DEVICE_MAX_CONNECTIONS=32\n";
    QTest::newRow("TorchTitan") << "llama3-8b"
                                << "dgx-h100:2"
                                << "torchtitan"
                                << "tp=2,pp=1,cp=1"
                                << "";
  }
  void environmentOfMegatron() {
    QFETCH(QString, model);
    QFETCH(QString, system);
    QFETCH(QString, framework);
    QFETCH(QString, fixed);
    QFETCH(QString, line);
    TrainingQuestion question;
    question.model = resolved(bundledRecipe(model.toStdString()).value().model);
    question.system = systemFromArgument(system.toStdString()).value();
    question.batch = 256;
    question.sequence = 4096;
    question.listsLarge = true;
    question.frameworks = {trainingFrameworkFrom(framework.toStdString()).value()};
    question.fixed = fixedChoicesFrom(fixed.toStdString()).value();
    const auto answer = planTraining(question, trainingPlacements(question.model, question.system).orders);
    QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message.c_str());
    const auto& listed = answer->configurations.empty() ? answer->large : answer->configurations;
    const auto files = launchFiles(question, listed.front()).value();
    const QString script = QString::fromStdString(fileCalled(files, "torchrun").text);
    QCOMPARE(script.contains("CUDA_DEVICE_MAX_CONNECTIONS"), !line.isEmpty());
    QVERIFY2(script.contains(line), qPrintable(script));
    QCOMPARE(QString::fromStdString(fileCalled(files, "flags").about).contains("CUDA_DEVICE_MAX_CONNECTIONS"),
             !line.isEmpty());
  }

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

QTEST_GUILESS_MAIN(TestLaunchFiles)
#include "tst_launch_files.moc"
