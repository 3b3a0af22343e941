// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <set>

#include "support/fixtures.h"
#include "support/reach.h"
#include "synthesis/execution.h"

using namespace p2;

// Theorem 3.2 of the paper: (d) ≥ (c) ≥ (b) ≥ (a). With one reduction axis and the paper's rules (d) indeed includes
// all others, and (b) includes (a). (c) ≥ (b) holds for programs without Master only: in the row order a factor that
// is not reduced over can come below the slice, and Master then picks the first device along that axis too. With
// several reduction axes (d) joins the factors of a hardware level, which (b) and (c) can tell apart.
class TestExpressiveness : public QObject {
  Q_OBJECT

  using Lowered = std::vector<std::pair<Collective, std::vector<DeviceGroup>>>;

  static std::set<Lowered> loweredPrograms(const System& system, const Placement& placement, HierarchyKind kind,
                                           RuleSet rules, int limit, bool withMaster = true) {
    const SynthesisHierarchy hierarchy(system, placement, kind);
    std::set<Lowered> all;
    for (const Program& program : test::valueOf(enumerateExplicitly(placement, hierarchy, rules, limit))) {
      Lowered lowered;
      bool master = false;
      for (const Instruction& instruction : program) {
        lowered.push_back({instruction.collective, hierarchy.groups(instruction.pattern)});
        master = master || instruction.pattern.master;
      }
      if (withMaster || !master) all.insert(std::move(lowered));
    }
    return all;
  }

  static std::ptrdiff_t missing(const std::set<Lowered>& from, const std::set<Lowered>& programs) {
    return std::count_if(programs.begin(), programs.end(), [&](const Lowered& p) { return !from.contains(p); });
  }

 private slots:
  void oneReductionAxis() {
    int placements = 0;
    for (const auto& sizes : test::hierarchiesUpTo(test::reach(24, 16), 4)) {
      const System system = test::systemOf(sizes);
      for (const std::int64_t reduced : divisorsOf(system.deviceCount())) {
        if (reduced == 1) continue;
        const std::vector<Axis> axes{{"r", reduced, true}, {"o", system.deviceCount() / reduced, false}};
        for (const bool reducedFirst : {true, false}) {
          const std::vector<Axis> ordered = reducedFirst ? axes : std::vector<Axis>{axes[1], axes[0]};
          MatrixEnumerator enumerator(sizesOf(ordered), system.counts());
          while (enumerator.next()) {
            ++placements;
            checkOneAxis(system, Placement(ordered, enumerator.matrix()));
          }
        }
      }
    }
    QVERIFY(placements > test::reach(400, 300));
  }

  // The counterexample to (c) ≥ (b): 8 of (b)'s 47 programs, all with Master, are not among (c)'s 39.
  void masterPicksAlongOtherAxesInRowOrder() {
    const Workspace workspace = test::workspaceOf("a:2 b:2 c:2", "4,2", "0");
    const Placement placement(workspace.axes, test::valueOf(parseMatrix("[[1,2,2],[2,1,1]]")));
    const auto b = loweredPrograms(workspace.system, placement, HierarchyKind::ColumnBased, RuleSet::Paper, 4);
    const auto c = loweredPrograms(workspace.system, placement, HierarchyKind::RowBased, RuleSet::Paper, 4);
    QCOMPARE(b.size(), 47u);
    QCOMPARE(c.size(), 39u);
    QCOMPARE(missing(c, b), 8);
  }

  // The counterexample to (d) ≥ (c) with two reduction axes whose factors share a hardware level.
  void joinedFactorsCannotBeToldApart() {
    const Workspace workspace = test::workspaceOf("a:2 b:4", "2,2,2", "0,2");
    const Placement placement(workspace.axes, test::valueOf(parseMatrix("[[1,2],[2,1],[1,2]]")));
    const auto c = loweredPrograms(workspace.system, placement, HierarchyKind::RowBased, RuleSet::Paper, 4);
    const auto d = loweredPrograms(workspace.system, placement, HierarchyKind::ReductionAxes, RuleSet::Paper, 4);
    QCOMPARE(d.size(), 3u);
    QCOMPARE(missing(d, c), 26);
  }

  // Under the rule set `all` the theorem fails here: Master in (c) can pick the first devices along an axis that is
  // not reduced over, in (d) it cannot.
  void itFailsUnderTheRuleSetAll() {
    const Workspace workspace = test::workspaceOf("a:2 b:4", "4,2", "0");
    const Placement placement(workspace.axes, test::valueOf(parseMatrix("[[2,2],[1,2]]")));
    const auto c = loweredPrograms(workspace.system, placement, HierarchyKind::RowBased, RuleSet::All, 4);
    const auto d = loweredPrograms(workspace.system, placement, HierarchyKind::ReductionAxes, RuleSet::All, 4);
    QCOMPARE(c.size(), 41u);
    QCOMPARE(d.size(), 71u);
    QCOMPARE(missing(d, c), 2);
  }

 private:
  static void checkOneAxis(const System& system, const Placement& placement) {
    const auto programs = [&](HierarchyKind kind, bool withMaster) {
      return loweredPrograms(system, placement, kind, RuleSet::Paper, 4, withMaster);
    };
    const auto a = programs(HierarchyKind::System, true);
    const auto b = programs(HierarchyKind::ColumnBased, true);
    const auto d = programs(HierarchyKind::ReductionAxes, true);
    QCOMPARE(missing(b, a), 0);
    QCOMPARE(missing(d, b), 0);
    const auto c = programs(HierarchyKind::RowBased, true);
    QCOMPARE(missing(d, c), 0);
    QCOMPARE(missing(c, programs(HierarchyKind::ColumnBased, false)), 0);
  }
};

QTEST_APPLESS_MAIN(TestExpressiveness)
#include "tst_expressiveness.moc"
