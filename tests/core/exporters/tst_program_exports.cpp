// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>

#include "export_plans.h"
#include "support/filled.h"
#include "support/warnings.h"

using namespace p2;

namespace {

using GroupList = std::vector<std::vector<std::int64_t>>;

GroupList groupsOf(const PlanStep& step) {
  GroupList groups;
  for (const PlanGroup& group : step.groups) {
    auto& devices = groups.emplace_back();
    for (const Device device : group.devices) devices.push_back(device.value());
  }
  return groups;
}

/// The communicators that splitting by these rows gives, by step.
std::map<int, GroupList> splitBy(const QString& csv) {
  std::map<int, std::map<qint64, std::map<qint64, std::int64_t>>> members;
  const QStringList rows = csv.split('\n', Qt::SkipEmptyParts);
  if (rows.value(0) != "step,collective,rank,colour,key") return {};
  for (const QString& row : rows.mid(1)) {
    const QStringList cells = row.split(',');
    const qint64 colour = cells.value(3).toLongLong();
    auto& step = members[cells.value(0).toInt()];
    if (colour >= 0) step[colour][cells.value(4).toLongLong()] = cells.value(2).toLongLong();
  }
  std::map<int, GroupList> groups;
  for (const auto& [step, colours] : members) {
    for (const auto& [colour, keys] : colours) {
      auto& group = groups[step].emplace_back();
      for (const auto& [key, rank] : keys) group.push_back(rank);
    }
  }
  return groups;
}

/// The number behind a flag, or 0.
std::int64_t degreeIn(const std::string& text, const QString& flag) {
  const auto match = QRegularExpression(flag + "[ =:]+(\\d+)").match(QString::fromStdString(text));
  return match.captured(1).toLongLong();
}

/// Whether a step's groups are consecutive members of the reduction groups, so many each.
bool areBlocks(const Plan& plan, const PlanStep& step, std::int64_t size) {
  GroupList expected;
  for (const DeviceGroup& all : plan.reductionGroups()) {
    for (std::size_t from = 0; from < all.size(); from += std::size_t(size)) {
      auto& block = expected.emplace_back();
      for (std::size_t i = from; i < from + std::size_t(size); ++i) block.push_back(all[i].value());
    }
  }
  GroupList groups = groupsOf(step);
  for (auto& group : groups) std::sort(group.begin(), group.end());
  std::sort(groups.begin(), groups.end());
  std::sort(expected.begin(), expected.end());
  return groups == expected;
}

}  // namespace

class TestProgramExports : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void splittingGivesTheGroups() {
    bool someLeftOut = false;
    for (const char* axes : {"8", "data=4,tensor=2"}) {
      for (const Plan& plan : test::plansOfPrograms("node:2 gpu:4", axes, "0", "all")) {
        const auto split = splitBy(QString::fromStdString(test::valueOf(exportPlan(plan, "comm-split"))));
        QCOMPARE(split.size(), plan.steps().size());
        for (std::size_t step = 0; step < plan.steps().size(); ++step) {
          const GroupList& groups = split.at(int(step) + 1);
          QVERIFY2(groups == groupsOf(plan.steps()[step]), plan.workspace().program.c_str());
          std::size_t members = 0;
          for (const auto& group : groups) members += group.size();
          someLeftOut = someLeftOut || members < 8;
        }
      }
    }
    QVERIFY(someLeftOut);
  }

  // Flags are given for the programs that hybrid sharding is, and for these alone.
  void flagsAreThoseOfTheProgram() {
    int hybrid = 0;
    int whole = 0;
    int none = 0;
    for (const Plan& plan : test::plansOfPrograms("node:4 gpu:2", "8", "0", "paper")) {
      const std::string text = test::valueOf(exportPlan(plan, "degrees"));
      const std::int64_t shard = degreeIn(text, "shard_degree");
      const std::int64_t copies = degreeIn(text, "replicate_degree");
      const std::string& program = plan.workspace().program;
      if (text.starts_with("# none")) {
        ++none;
        QCOMPARE(shard, 0);
        continue;
      }
      QCOMPARE(shard * copies, 8);
      if (shard == 1 || copies == 1) {
        ++whole;
        for (const PlanStep& step : test::filled(plan.steps())) QVERIFY2(areBlocks(plan, step, 8), program.c_str());
        continue;
      }
      ++hybrid;
      QCOMPARE(degreeIn(text, "num-distributed-optimizer-instances"), copies);
      QCOMPARE(degreeIn(text, "\"mics_shard_size\""), shard);
      QCOMPARE(degreeIn(text, "\"zero_hpz_partition_size\""), shard == 2 ? 2 : 0);
      QCOMPARE(plan.steps().size(), std::size_t{3});
      QVERIFY2(areBlocks(plan, plan.steps()[0], shard) && areBlocks(plan, plan.steps()[2], shard), program.c_str());
    }
    QCOMPARE(hybrid, 1);
    QCOMPARE(whole, 2);
    QVERIFY(none > 10);
  }

  /// Flags of data parallelism would make another job of a reduction over the tensor axis.
  void flagsAreOfDataParallelismAlone() {
    const auto text = [](const char* axes, const char* reduce, const char* matrix) {
      return test::valueOf(exportPlan(test::planOf("node:4 gpu:8", axes, reduce, matrix), "degrees"));
    };
    QVERIFY(text("data=4,tensor=8", "data", "[[4,1],[1,8]]").find("replicate_degree=4") != std::string::npos);
    QVERIFY(text("replicas=4,tensor=8", "replicas", "[[4,1],[1,8]]").find("replicate_degree=4") != std::string::npos);
    QVERIFY(text("data=4,context=8", "data,context", "[[4,1],[1,8]]").find("replicate_degree=32") != std::string::npos);
    for (const char* axis : {"tensor", "expert", "pipeline"}) {
      const std::string axes = "data=4," + std::string(axis) + "=8";
      const std::string flags = text(axes.c_str(), axis, "[[4,1],[1,8]]");
      QVERIFY2(flags.starts_with("# none"), flags.c_str());
    }
    QVERIFY(text("data=2,context=16", "context", "[[2,1],[2,8]]").find("data_parallel") == std::string::npos);
  }

  /// The flags shard what the document's training shards, though the program is one AllReduce of its gradients.
  void flagsShardAsTheTrainingDoes() {
    Workspace workspace = test::planOf("node:4 gpu:8", "data=4,tensor=8", "data", "[[4,1],[1,8]]").workspace();
    const auto flags = [&](const char* format = "degrees") {
      return test::valueOf(exportPlan(test::valueOf(makePlan(workspace)), format));
    };
    QVERIFY(flags().find("without --use-distributed-optimizer") != std::string::npos);
    const auto train = [&](std::int64_t scatters, std::int64_t gathers) {
      workspace.workload = Workload{"step", workspace.axes, {}, {}, {}};
      workspace.workload->collectives = {{"gradients", {"data"}, CommunicationKind::ReduceScatter, 1 << 20, scatters},
                                         {"weights", {"data"}, CommunicationKind::AllGather, 1 << 19, gathers},
                                         {"activations", {"tensor"}, CommunicationKind::AllGather, 1 << 19, 80}};
    };
    train(2, 2);
    QVERIFY2(flags().starts_with("# Data parallel over 4 ranks, ZeRO 1: ") &&
                 flags().find("megatron: --use-distributed-optimizer\n") != std::string::npos &&
                 flags().find("{\"stage\": 1}") != std::string::npos,
             flags().c_str());
    train(2, 4);
    QVERIFY2(flags().find("data_parallel_shard_degree=4 ") != std::string::npos, flags().c_str());
    QVERIFY2(flags("text").find("AllGather over tensor, 80 × 524 kB") != std::string::npos, flags("text").c_str());
    workspace.workload->training = TrainedStep{};
    workspace.workload->training->plan.zero = 2;
    QVERIFY2(flags().find("{\"stage\": 2}") != std::string::npos, flags().c_str());
    workspace.planned = PlannedReduction{};
    workspace.planned->plan.choices = "tp=8,zero=1,microbatch=1";
    QVERIFY2(flags().find("{\"stage\": 1}") != std::string::npos, flags().c_str());
  }

  void contextsSayTheirSizes() {
    const auto text = [](const char* matrix) {
      return test::valueOf(exportPlan(test::planOf("node:4 gpu:8", "data=2,context=16", "context", matrix), "degrees"));
    };
    QVERIFY(text("[[1,2],[4,4]]").find("--hierarchical-context-parallel-sizes 4 4\n") != std::string::npos);
    QVERIFY(text("[[2,1],[2,8]]").find("--hierarchical-context-parallel-sizes 8 2\n") != std::string::npos);
    QVERIFY(test::valueOf(
                exportPlan(test::planOf("node:4 gpu:8", "data=4,context=8", "context", "[[4,1],[1,8]]"), "degrees"))
                .find("hierarchical") == std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestProgramExports)
#include "tst_program_exports.moc"
