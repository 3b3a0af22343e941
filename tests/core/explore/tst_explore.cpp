// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "explore/explore.h"
#include "support/fixtures.h"

using namespace p2;

class TestExplore : public QObject {
  Q_OBJECT

  static Workspace workspaceOf(const QStringList& configuration) {
    const auto list = [&](int field) {
      return configuration[field].mid(1, configuration[field].size() - 2).toStdString();
    };
    const std::string preset = configuration[0] == QStringLiteral("A100") ? "gcp-a100:" : "gcp-v100:";
    return test::workspaceOf(preset + configuration[1].toStdString(), list(3), list(4));
  }

 private slots:
  // Every configuration of the paper: the ranking lists each program once, cheapest first, at the price of its flows.
  void rankingEqualsTheSortedEnumeration_data() {
    QTest::addColumn<QStringList>("configuration");
    for (const QStringList& row : test::csvRows(QStringLiteral("paper/paper_configurations.csv"))) {
      QTest::newRow(qPrintable(row.mid(0, 5).join(QLatin1Char(' ')))) << row;
    }
  }
  void rankingEqualsTheSortedEnumeration() {
    QFETCH(QStringList, configuration);
    const Workspace workspace = workspaceOf(configuration);
    const auto exploration = test::valueOf(exploreWorkspace(workspace, {}));
    QCOMPARE(exploration->placementCount, Count(exploration->placements.size()));
    for (const PlacementResult& placement : exploration->placements) {
      QCOMPARE(placement.programCount, Count(placement.programs.size()));
      const Placement placed(workspace.axes, placement.matrix);
      auto enumerated = test::valueOf(enumerateExplicitly(placed, *placement.hierarchy, RuleSet::Paper, 5));
      std::vector<Program> ranked;
      for (std::size_t i = 0; i < placement.programs.size(); ++i) {
        const ProgramResult& result = placement.programs[i];
        ranked.push_back(result.program);
        if (i > 0) QVERIFY(placement.programs[i - 1].seconds <= result.seconds);
        if (i % 6 != 0) continue;
        const ProgramResult priced = test::valueOf(evaluateProgram(workspace, placement.matrix, result.program));
        QVERIFY(std::abs(priced.seconds - result.seconds) <= 1e-9 * priced.seconds);
        for (std::size_t step = 0; step < priced.steps.size(); ++step) {
          QCOMPARE(priced.steps[step].link, result.steps[step].link);
        }
      }
      std::sort(ranked.begin(), ranked.end());
      std::sort(enumerated.begin(), enumerated.end());
      QCOMPARE(ranked, enumerated);
      QCOMPARE(placement.bestSeconds, placement.programs[0].seconds);
    }
  }

  void theBestOverAllPlacementsAreTheFirstOfAll() {
    const Workspace workspace = test::workspaceOf("gcp-a100:4", "8,2,4", "0,2");
    std::vector<double> everything;
    const auto whole = test::valueOf(exploreWorkspace(workspace, {}));
    for (const auto& placement : whole->placements) {
      for (const auto& program : placement.programs) everything.push_back(program.seconds);
    }
    std::sort(everything.begin(), everything.end());
    for (const std::size_t best : {1u, 7u, 60u, 1000u}) {
      ExploreScope scope;
      scope.bestOverall = best;
      std::vector<double> kept;
      const auto ranked = test::valueOf(exploreWorkspace(workspace, scope));
      for (const auto& placement : ranked->placements) {
        for (const auto& program : placement.programs) kept.push_back(program.seconds);
      }
      std::sort(kept.begin(), kept.end());
      QCOMPARE(kept, std::vector<double>(everything.begin(),
                                         everything.begin() + std::ptrdiff_t(std::min(best, everything.size()))));
    }
  }

  void nearlyTheBestAreThoseWithinAShareOfIt() {
    const Workspace workspace = test::workspaceOf("gcp-a100:4", "8,2,4", "0,2");
    const auto whole = test::valueOf(exploreWorkspace(workspace, {}));
    const double best = whole->placements[std::size_t(whole->bestPlacement)].bestSeconds;
    for (const double within : {0.0, 0.5, 3.0}) {
      ExploreScope scope;
      scope.within = within;
      const auto near = test::valueOf(exploreWorkspace(workspace, scope));
      for (std::size_t i = 0; i < whole->placements.size(); ++i) {
        const auto& all = whole->placements[i].programs;
        const auto wanted = std::count_if(all.begin(), all.end(), [&](const ProgramResult& program) {
          return program.seconds <= best * (1 + within);
        });
        QCOMPARE(std::ptrdiff_t(near->placements[i].programs.size()), wanted);
      }
    }
  }

  void theExampleOfTheReadme() {
    const auto exploration = test::valueOf(exploreWorkspace(test::workspaceOf("gcp-a100:4", "8,2,4", "0,2"), {}));
    QCOMPARE(exploration->placements.size(), 5u);
    QCOMPARE(exploration->programCount, Count(235));
    QCOMPARE(exploration->placements[std::size_t(exploration->bestPlacement)].matrix.text(),
             std::string("[[1,8],[2,1],[2,2]]"));
    QCOMPARE(exploration->placements[std::size_t(exploration->defaultPlacement)].matrix.text(),
             std::string("[[4,2],[1,2],[1,4]]"));
  }

  void oneMatrixAlone() {
    const Workspace workspace = test::workspaceOf("gcp-a100:4", "8,2,4", "0,2", "[[2,4],[2,1],[1,4]]");
    const auto exploration = test::valueOf(exploreWorkspace(workspace, {}, true));
    QCOMPARE(exploration->placements.size(), 1u);
    QCOMPARE(exploration->placements[0].matrix, workspace.matrix);
  }

  void tooManyPlacementsAreRefusedWithTheirNumber() {
    const Workspace workspace = test::workspaceOf("a:16 b:16 c:16 d:16", "16,16,16,16", "0");
    ExploreScope scope;
    scope.mostPlacements = 1000;
    const auto refused = exploreWorkspace(workspace, scope);
    QCOMPARE(refused.error().kind, ErrorKind::TooLarge);
    QVERIFY2(QString::fromStdString(refused.error().message)
                 .contains(QString::fromStdString(countMatrices({16, 16, 16, 16}, {16, 16, 16, 16}).toString())),
             refused.error().message.c_str());
  }

  void cancelledWhenAsked() {
    const Workspace workspace = test::workspaceOf("gcp-a100:4", "8,2,4", "0,2");
    std::stop_source source;
    double last = 0;
    const auto stopped = exploreWorkspace(workspace, {}, false, source.get_token(), [&](double done) {
      last = done;
      source.request_stop();
    });
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
    QCOMPARE(last, 0.2);
  }

  // 65 536 devices: more than any list of flows could be walked for 85 placements at once.
  void largeSystems() {
    ExploreScope scope;
    scope.bestOverall = 10;
    const auto exploration =
        test::valueOf(exploreWorkspace(test::workspaceOf("pod:16 rack:16 node:16 gpu:16", "256,256", "0"), scope));
    QCOMPARE(exploration->placements.size(), 85u);
    std::size_t kept = 0;
    for (const auto& placement : exploration->placements) kept += placement.programs.size();
    QCOMPARE(kept, 10u);
    QVERIFY(exploration->placements[std::size_t(exploration->bestPlacement)].speedup() > 1);
  }
};

QTEST_APPLESS_MAIN(TestExplore)
#include "tst_explore.moc"
