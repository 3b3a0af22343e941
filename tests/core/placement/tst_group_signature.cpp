// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>

#include "placement/group_signature.h"
#include "placement/placement.h"
#include "support/filled.h"
#include "support/fixtures.h"

using namespace p2;

namespace {

constexpr AxisSet kReduced = 0b011;

/// Matrices of the axes 4, 3, 4 on 2 × 6 × 4 devices, by the signature of their groups over the first and the last
/// axis.
std::map<std::vector<std::int64_t>, std::vector<Placement>> bySignature(const char* system, AxisSet replicated = 0) {
  const Workspace workspace = test::workspaceOf(system, "2,2,3,4", "0,1");
  const Topology topology(test::valid(workspace.system));
  std::map<std::vector<std::int64_t>, std::vector<Placement>> found;
  MatrixEnumerator enumerator({2, 2, 3, 4}, {2, 6, 4});
  while (enumerator.next()) {
    const auto signature = groupSignature(topology, enumerator.matrix(), kReduced, replicated);
    found[signature].emplace_back(workspace.axes, enumerator.matrix());
  }
  return found;
}

}  // namespace

/// Placements whose groups have equal signatures cost the same.
class TestGroupSignature : public QObject {
  Q_OBJECT
 private slots:
  void groupsOnRingsHaveTheSameDevices() {
    std::set<std::vector<Device>> groups;
    const auto all = bySignature("a:2@1GB/s,ring b:6@10GB/s,ring c:4@100GB/s,ring");
    int shared = 0;
    for (const auto& [signature, placements] : all) {
      const DeviceGroup first = placements[0].groupMembers(0);
      for (const Placement& each : test::filled(placements)) QCOMPARE(each.groupMembers(0), first);
      QVERIFY2(groups.insert({first.begin(), first.end()}).second, "two signatures have the same group");
      shared += placements.size() > 1 ? 1 : 0;
    }
    QVERIFY(shared > 0);
  }

  void groupsBelowSwitchesHaveTheSameCounts() {
    const auto all = bySignature("a:2 b:6 c:4");
    std::set<std::vector<std::int64_t>> counts;
    for (const auto& [signature, placements] : all) {
      std::vector<std::int64_t> first;
      for (const Placement& each : test::filled(placements)) {
        std::vector<std::int64_t> count;
        for (std::size_t level = 0; level < 3; ++level)
          count.push_back(each.matrix().at(0, level) * each.matrix().at(1, level));
        if (first.empty()) first = count;
        QCOMPARE(count, first);
      }
      QVERIFY(counts.insert(first).second);
    }
    QVERIFY(counts.size() > 1);
  }

  void replicatedAxesDiffer() {
    const auto all = bySignature("a:2 b:6 c:4", 0b010);
    for (const auto& [signature, placements] : all) {
      for (const Placement& each : test::filled(placements)) {
        for (std::size_t level = 0; level < 3; ++level)
          QCOMPARE(each.matrix().at(1, level), placements[0].matrix().at(1, level));
      }
    }
    QVERIFY(all.size() > bySignature("a:2 b:6 c:4").size());
  }
};

QTEST_APPLESS_MAIN(TestGroupSignature)
#include "tst_group_signature.moc"
