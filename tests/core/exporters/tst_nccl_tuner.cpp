// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <random>

#include "cost/nccl/nccl_channels.h"
#include "cost/simulator.h"
#include "export_plans.h"
#include "support/filled.h"
#include "support/warnings.h"
#include "workspace/presets.h"

using namespace p2;

namespace {

/// A choice as the files name it.
using Choice = std::pair<QString, QString>;  // algorithm, protocol

struct TunerLine {
  Choice choice;
  int channels = 0;
};

Plan ncclPlan(const char* system, const char* axes, const char* matrix, const std::string& program = {},
              const Goal& goal = kAllReduceGoal, double bytes = 1e9) {
  Workspace workspace = test::workspaceOf(system, axes, "0", matrix);
  workspace.options.goal = goal;
  workspace.options.cost = {Algorithm::Auto, Bytes(bytes), 1, "nccl"};
  const SynthesisHierarchy hierarchy(workspace.system, Placement(workspace.axes, workspace.matrix));
  workspace.program = program.empty() ? programText(hierarchy, singleProgram(hierarchy, goal)) : program;
  return test::valueOf(makePlan(workspace));
}

QString nameIn(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::Tree:
      return "tree";
    case Algorithm::Nvls:
      return "nvls";
    case Algorithm::NvlsTree:
      return "nvls_tree";
    case Algorithm::Pat:
      return "pat";
    case Algorithm::CollNet:
      return "collnet_direct";
    default:
      return "ring";
  }
}

/// What the model takes for a step with a working vector of that many bytes.
Choice modelled(const Plan& plan, const PlanStep& step, std::uint64_t bytes) {
  const System& system = plan.workspace().system;
  const auto valid = test::valueOf(validated(system));
  const Topology topology(valid);
  LoweredStep lowered{step.collective, {}};
  for (const PlanGroup& group : step.groups) lowered.groups.push_back(sharesOf(group, plan.cut().chunks));
  CostOptions options = plan.workspace().options.cost;
  options.bytes = Bytes(double(bytes) / workingShare(step.collective, lowered.groups[0]));
  const StepCost cost = simulateStep(topology, lowered, options);
  return {nameIn(cost.algorithm), QString::fromStdString(std::string(nameOf(cost.protocol))).toLower()};
}

/// The rule of NCCL's example plugin: the first line that matches.
std::optional<TunerLine> lineFor(const QStringList& lines, const QString& collective, std::uint64_t bytes, int nodes,
                                 int ranks) {
  for (const QString& line : lines) {
    if (line.startsWith('#') || line.isEmpty()) continue;
    const QStringList cells = line.split(',');
    if (cells.size() != 8) return std::nullopt;
    const bool matches = cells[0] == collective && bytes >= cells[1].toULongLong() && bytes <= cells[2].toULongLong() &&
                         (cells[6] == "-1" || cells[6].toInt() == nodes) &&
                         (cells[7] == "-1" || cells[7].toInt() == ranks);
    if (matches) return TunerLine{{cells[3], cells[4]}, cells[5].toInt()};
  }
  return std::nullopt;
}

std::optional<Choice> chosenBy(const QStringList& lines, const QString& collective, std::uint64_t bytes, int nodes,
                               int ranks) {
  const auto line = lineFor(lines, collective, bytes, nodes, ranks);
  return line ? std::optional(line->choice) : std::nullopt;
}

/// The rule of NCCL's topoGetAlgoInfo(): it drops channels until each of their threads has enough bytes.
int channelsByNccl(const Choice& choice, std::uint64_t bytes, int all, int ranks) {
  if (choice.first.startsWith("nvls")) return 16;
  int threshold = choice.second == "simple" ? 64 : 8;
  if (choice.first == "ring" && choice.second == "ll") threshold *= ranks;
  const int threads = choice.second == "ll128" ? 640 : 512;
  int channels = all;
  while (bytes < std::uint64_t(channels) * std::uint64_t(threads) * std::uint64_t(threshold) && channels >= 2)
    --channels;
  return channels;
}

/// The rule of NCCLX's tuner: the first filter that matches.
std::optional<Choice> chosenBy(const QJsonArray& rules, const QString& collective, std::uint64_t bytes, int nodes,
                               int ranks) {
  static const QRegularExpression kRange("^([\\[(])(\\d*),(\\d*)([\\])])$");
  for (const QJsonValue& rule : rules) {
    const QJsonObject filter = rule["filter"].toObject();
    const auto range = kRange.match(filter["bytesPerRank"].toString());
    if (!range.hasMatch()) return std::nullopt;
    const std::uint64_t part = bytes / std::uint64_t(ranks);
    const std::uint64_t from = range.captured(2).toULongLong();
    const bool above = range.captured(1) == "[" ? part >= from : part > from;
    const bool below =
        range.captured(3).isEmpty() ||
        (range.captured(4) == "]" ? part <= range.captured(3).toULongLong() : part < range.captured(3).toULongLong());
    if (filter["collective"].toString() == collective && above && below && filter["nNodes"].toInt() == nodes &&
        filter["nLocalRanks"].toInt() == ranks / nodes) {
      return Choice{rule["config"]["algorithm"].toString(), rule["config"]["protocol"].toString()};
    }
  }
  return std::nullopt;
}

}  // namespace

/// Files for the tuners of NCCL and NCCLX, read by the rules of their readers.
class TestNcclTuner : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void everySizeGetsTheModelsChoice_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("program");
    QTest::addColumn<QList<int>>("nodes");
    QTest::addColumn<QList<int>>("channels");
    // 24 is what public logs have for one node of either ("24 coll channels"); 4 for a device of each node.
    QTest::newRow("H100") << "dgx-h100:4"
                          << "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather"
                          << QList<int>{1, 4, 1} << QList<int>{24, 4, 24};
    QTest::newRow("A100, by chains")
        << "dgx-a100:4"
        << "node:InsideGroup:Reduce; node:Master(root):AllReduce; node:InsideGroup:Broadcast" << QList<int>{1, 4, 1}
        << QList<int>{24, 4, 24};
  }
  void everySizeGetsTheModelsChoice() {
    QFETCH(QString, system);
    QFETCH(QString, program);
    QFETCH(QList<int>, nodes);
    QFETCH(QList<int>, channels);
    const Plan plan = ncclPlan(qPrintable(system), "32", "[[4,8]]", program.toStdString());
    const QStringList lines = QString::fromStdString(test::valueOf(exportPlan(plan, "nccl-tuner"))).split('\n');
    for (const QString& line : test::filled(lines)) QVERIFY2(line.size() < 255, qPrintable(line));
    const auto json =
        QJsonDocument::fromJson(QByteArray::fromStdString(test::valueOf(exportPlan(plan, "ncclx-tuner"))));
    const QJsonArray rules = json["rules"].toArray();
    QVERIFY(!rules.isEmpty());
    std::mt19937_64 dice(7);
    std::set<Choice> seen;
    for (int step = 0; step < int(plan.steps().size()); ++step) {
      const PlanStep& lowered = plan.steps()[std::size_t(step)];
      const int ranks = int(lowered.groups[0].devices.size());
      const QString name = QString::fromStdString(std::string(nameOf(lowered.collective))).toLower();
      int missed = 0;
      for (int i = 0; i < 200; ++i) {
        const auto bytes = std::uint64_t(std::exp2(std::uniform_real_distribution<double>(8, 34)(dice)));
        const Choice expected = modelled(plan, lowered, bytes);
        seen.insert(expected);
        const auto chosen = chosenBy(lines, name, bytes, nodes[step], ranks);
        const auto byRules = chosenBy(rules, name, bytes, nodes[step], ranks);
        QVERIFY(chosen && byRules);
        QCOMPARE(lineFor(lines, name, bytes, nodes[step], ranks)->channels,
                 channelsByNccl(*chosen, bytes, channels[step], ranks));
        // Crossovers are found within 0.2 %, and NCCLX counts whole bytes of a part.
        missed += *chosen != expected || *byRules != expected;
      }
      QVERIFY2(missed <= 2, qPrintable(QString::number(missed)));
      QVERIFY(chosenBy(lines, name, 0, nodes[step], ranks) &&
              chosenBy(lines, name, std::uint64_t(1) << 40, nodes[step], ranks));
      QVERIFY(!chosenBy(lines, name, 1024, nodes[step], ranks + 1));
    }
    QVERIFY(seen.size() > 2);
    // The single AllReduce of all 32 is there for comparison.
    QVERIFY(chosenBy(lines, "allreduce", 1 << 20, 4, 32));
  }

  // What public logs of NCCL print: "24 coll channels, 16 nvls channels" and the channels of single collectives.
  void channelsAreThoseOfPublicLogs_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<Algorithm>("algorithm");
    QTest::addColumn<Protocol>("protocol");
    QTest::addColumn<quint64>("bytes");
    QTest::addColumn<int>("channels");
    QTest::newRow("H100, ring, Simple") << "dgx-h100:1" << 8 << Algorithm::Ring << Protocol::Simple << (1ULL << 30)
                                        << 24;
    QTest::newRow("H100, ring, LL, 1 MiB")
        << "dgx-h100:1" << 8 << Algorithm::Ring << Protocol::LL << (1ULL << 20) << 24;
    QTest::newRow("H100, ring, LL, 4 KiB") << "dgx-h100:1" << 8 << Algorithm::Ring << Protocol::LL << (4ULL << 10) << 1;
    QTest::newRow("H100, NVLS, 2 MiB") << "dgx-h100:1" << 8 << Algorithm::Nvls << Protocol::Simple << (2ULL << 20)
                                       << 16;
    QTest::newRow("two nodes of H100") << "dgx-h100:2" << 16 << Algorithm::Ring << Protocol::Simple << (1ULL << 30)
                                       << 16;
    QTest::newRow("A100") << "dgx-a100:1" << 8 << Algorithm::Ring << Protocol::Simple << (1ULL << 30) << 24;
    QTest::newRow("two nodes of A100") << "dgx-a100:2" << 16 << Algorithm::Ring << Protocol::Simple << (1ULL << 30)
                                       << 16;
    QTest::newRow("MI300X") << "mi300x:1" << 8 << Algorithm::Ring << Protocol::Simple << (1ULL << 30) << 0;
  }
  void channelsAreThoseOfPublicLogs() {
    QFETCH(QString, system);
    QFETCH(int, ranks);
    QFETCH(Algorithm, algorithm);
    QFETCH(Protocol, protocol);
    QFETCH(quint64, bytes);
    QFETCH(int, channels);
    const auto valid = test::valueOf(validated(test::valueOf(parseSystem(system.toStdString()))));
    DeviceGroup group;
    for (int i = 0; i < ranks; ++i) group.push_back(Device(i));
    QCOMPARE(ncclChannels(Topology(valid), group, algorithm, protocol).at(bytes), std::int64_t(channels));
  }

  void variablesSayTheChoiceOfThePlannedSize() {
    const Plan plan = ncclPlan("dgx-h100:4", "32", "[[4,8]]");
    const Choice expected = modelled(plan, plan.steps()[0], 1000000000);
    QCOMPARE(QString::fromStdString(test::valueOf(exportPlan(plan, "nccl-env"))),
             "export NCCL_ALGO=\"allreduce:" + QString(expected.first).remove('_') +
                 "\" NCCL_PROTO=\"allreduce:" + expected.second + "\"\n");
  }

  void whatHasNoChoiceIsRefused() {
    const Plan paper = test::planOf("dgx-h100:4", "32", "0", "[[4,8]]");
    for (const char* format : {"nccl-tuner", "ncclx-tuner", "nccl-env"}) {
      QVERIFY(exportPlan(paper, format).error().text().find("plan it with the nccl model") != std::string::npos);
      const Plan exchange = ncclPlan("dgx-h100:4", "32", "[[4,8]]", {}, kAllToAllGoal);
      QVERIFY(exportPlan(exchange, format).error().text().find("sends and receives") != std::string::npos);
    }
  }
};

QTEST_APPLESS_MAIN(TestNcclTuner)
#include "tst_nccl_tuner.moc"
