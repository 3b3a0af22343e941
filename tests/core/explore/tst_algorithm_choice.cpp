// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cstdio>

#include "explore/explore.h"
#include "support/fixtures.h"

using namespace p2;

/// A configuration of the paper's appendix that was measured with ring and with tree.
struct Both {
  QString name;
  Workspace workspace;
  double ring = 0;
  double tree = 0;
};

/// Whether the algorithm that is predicted to be the faster one is, of the public tables that force both on the same
/// machine: the paper's.
class TestAlgorithmChoice : public QObject {
  Q_OBJECT

  static std::vector<Both> measured() {
    std::vector<Both> all;
    const auto inner = [](const QString& list) { return list.mid(1, list.size() - 2).toStdString(); };
    for (const QStringList& row : test::csvRows("../../resources/paper/results.csv")) {
      if (row[6].isEmpty() || row[7].isEmpty()) continue;
      Both both{
          row[0] + " " + row[1] + " " + row[3] + " " + row[4] + " " + row[5], {}, row[6].toDouble(), row[7].toDouble()};
      both.workspace.system = test::valueOf(presetSystem(row[0] == "A100" ? "gcp-a100" : "gcp-v100", row[1].toInt()));
      both.workspace.axes = test::valueOf(withReduction(test::valueOf(parseAxes(inner(row[3]))), inner(row[4])));
      both.workspace.matrix = test::valueOf(parseMatrix(row[5].toStdString()));
      all.push_back(std::move(both));
    }
    return all;
  }

  static double singleSeconds(Workspace workspace, const char* model, Algorithm algorithm) {
    workspace.options.cost.model = model;
    workspace.options.cost.algorithm = algorithm;
    ExploreScope scope;
    scope.countOnly = true;
    return test::valueOf(exploreWorkspace(workspace, scope, true))->placements[0].singleSeconds;
  }

 private slots:
  void theChosenOneIsTheFaster_data() {
    QTest::addColumn<QString>("model");
    QTest::newRow("paper") << "paper";
    QTest::newRow("nccl") << "nccl";
  }
  void theChosenOneIsTheFaster() {
    QFETCH(QString, model);
    const std::string name = model.toStdString();
    const std::vector<Both> all = measured();
    QVERIFY(all.size() > 50);
    std::size_t right = 0;
    for (const Both& both : all) {
      const double ring = singleSeconds(both.workspace, name.c_str(), Algorithm::Ring);
      const double tree = singleSeconds(both.workspace, name.c_str(), Algorithm::Tree);
      const double chosen = ring <= tree ? both.ring : both.tree;
      if (chosen <= 1.05 * std::min(both.ring, both.tree)) {
        ++right;
      } else {
        std::printf("%s: measured %.2f s by ring, %.2f s by tree; predicted %.2f and %.2f\n", qPrintable(both.name),
                    both.ring, both.tree, ring, tree);
      }
    }
    std::printf("%s: right or within 5 %% in %zu of %zu\n", name.c_str(), right, all.size());
    QVERIFY(static_cast<double>(right) >= 0.95 * static_cast<double>(all.size()));
  }

  // Public case q01: the same wires with a level between, which has all that the devices below it have.
  void aTreeCostsTheSameThroughALevelBetween() {
    const auto seconds = [](const char* system) {
      Workspace workspace;
      workspace.system = test::valueOf(parseSystem(system));
      workspace.axes = {{"data", 16, true}};
      workspace.options.cost.bytes = Bytes(double(std::int64_t{1} << 30));
      workspace.options.cost.repeat = 1;
      workspace.matrix = test::valueOf(exploreWorkspace(workspace, {}))->placements.at(0).matrix;
      return singleSeconds(workspace, "paper", Algorithm::Tree);
    };
    const double flat = seconds("node:2@12.5GB/s gpu:8@100GB/s");
    QCOMPARE(qRound(flat * 1e4), 859);
    QCOMPARE(seconds("node:2@12.5GB/s cpu:2@100GB/s gpu:4@100GB/s"), flat);
  }
};

QTEST_GUILESS_MAIN(TestAlgorithmChoice)
#include "tst_algorithm_choice.moc"
