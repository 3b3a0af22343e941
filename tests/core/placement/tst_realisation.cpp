// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <set>

#include "placement/framework_axes.h"
#include "placement/framework_degrees.h"
#include "placement/realisation.h"
#include "support/fixtures.h"
#include "support/warnings.h"

using namespace p2;

namespace {

std::vector<Axis> inOrder(const std::vector<Axis>& axes, const AxisOrder& order) {
  std::vector<Axis> result;
  for (const std::size_t axis : order) result.push_back(axes[axis]);
  return result;
}

/// The matrix of a plain reshape in this order, its rows as the axes are listed.
ParallelismMatrix reshaped(const System& system, const std::vector<Axis>& axes, const AxisOrder& order) {
  const ParallelismMatrix counted = rowMajorMatrix(system, inOrder(axes, order));
  if (counted.empty()) return {};
  ParallelismMatrix matrix(axes.size(), system.levels.size());
  for (std::size_t row = 0; row < order.size(); ++row) {
    for (std::size_t level = 0; level < system.levels.size(); ++level) {
      matrix.set(order[row], level, counted.at(row, level));
    }
  }
  return matrix;
}

std::vector<AxisOrder> allOrders(const std::vector<Axis>& axes) {
  std::vector<AxisOrder> orders;
  AxisOrder order = listedOrder(axes);
  do {
    orders.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

std::set<std::string> namesOf(const std::vector<Realisation>& ways) {
  std::set<std::string> names;
  for (const Realisation& way : ways) names.insert(way.name);
  return names;
}

bool isIdentity(const std::vector<Device>& devices) {
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    if (devices[rank] != Device(static_cast<std::int64_t>(rank))) return false;
  }
  return true;
}

}  // namespace

class TestRealisation : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void ordersAreThoseOfTrial_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("axes");
    QTest::newRow("two levels") << "node:4 gpu:8"
                                << "data=8,tensor=4";
    QTest::newRow("three axes") << "node:8 gpu:8"
                                << "data=8,context=2,tensor=4";
    QTest::newRow("four levels") << "rack:2 server:2 cpu:2 gpu:4"
                                 << "data=4,shards=4,model=2";
    QTest::newRow("with ones") << "rack:1 node:4 gpu:4"
                               << "pipe=1,data=4,expert=1,tensor=4";
    QTest::newRow("sixes") << "a:2 b:6 c:4"
                           << "4,3,4";
  }
  void ordersAreThoseOfTrial() {
    QFETCH(QString, system);
    QFETCH(QString, axes);
    const Workspace workspace = test::workspaceOf(system.toStdString(), axes.toStdString(), "0");
    MatrixEnumerator enumerator(sizesOf(workspace.axes), workspace.system.counts());
    int with = 0;
    int without = 0;
    while (enumerator.next()) {
      const ParallelismMatrix& matrix = enumerator.matrix();
      bool any = false;
      bool kept = false;
      for (const AxisOrder& order : allOrders(workspace.axes)) {
        if (reshaped(workspace.system, workspace.axes, order) != matrix) continue;
        any = true;
        const bool same = isIdentity(devicesByRank(Placement(workspace.axes, matrix), order));
        QCOMPARE(keepsDevices(order, matrix), same);
        kept = kept || same;
      }
      const auto found = contiguousOrder(workspace.axes, matrix);
      QVERIFY2(found.has_value() == any, matrix.text().c_str());
      QCOMPARE(needsRankfile(workspace.system, workspace.axes, matrix), !any);
      (any ? with : without)++;
      if (!found) continue;
      QCOMPARE(reshaped(workspace.system, workspace.axes, *found).text(), matrix.text());
      QVERIFY2(keepsDevices(*found, matrix) == kept, matrix.text().c_str());
    }
    QVERIFY(with > 0 && without > 0);
  }

  /// On a ring, and where a switch joins two of four GPUs, devices that swap their coordinates have other neighbours:
  /// another placement than the one that is priced.
  void swappedNeighboursAreNoOrder() {
    const auto isOrder = [](const System& system, const char* matrix = "[[1,2],[2,2]]") {
      const Workspace workspace = test::workspaceOf("node:2 gpu:4", "data=2,tensor=4", "0");
      const auto ways = realisableBy(system, workspace.axes, test::valueOf(parseMatrix(matrix)));
      const bool listed = namesOf(ways).contains("megatron order");
      return listed && !needsRankfile(system, workspace.axes, test::valueOf(parseMatrix(matrix)));
    };
    const auto drawn = [](std::int64_t switches, const char* within) {
      System system = test::valueOf(parseSystem("node:2 gpu:4"));
      Network network;
      network.interconnect.name = "PCIe";
      network.within = within;
      network.instances = switches;
      network.members = {{"gpu"}};
      system.networks.push_back(network);
      return system;
    };
    // The tensor axis comes from above and has to be the slower one inside a node, where it is listed as the faster.
    QVERIFY(isOrder(test::valueOf(parseSystem("node:2 gpu:4@100GB/s"))));
    const System ring = test::valueOf(parseSystem("node:2 gpu:4@100GB/s,ring"));
    QVERIFY(!isOrder(ring));
    QVERIFY(isOrder(ring, "[[2,1],[1,4]]"));
    QVERIFY(!isOrder(drawn(2, "node")));
    QVERIFY(isOrder(drawn(4, "node")));
    QVERIFY(isOrder(drawn(1, "node")));
    System rails = drawn(4, "");
    QVERIFY(!isOrder(rails));
    rails.networks[0].assignment = Network::Assignment::InTurn;
    QVERIFY(isOrder(rails));
  }

  void ranksAreEveryDeviceOnce() {
    const Workspace workspace = test::workspaceOf("a:2 b:6 c:4", "4,3,4", "0,2");
    MatrixEnumerator enumerator({4, 3, 4}, {2, 6, 4});
    while (enumerator.next()) {
      const Placement placement(workspace.axes, enumerator.matrix());
      const AxisOrder order{2, 0, 1};
      const std::vector<Device> devices = devicesByRank(placement, order);
      QCOMPARE(std::set<Device>(devices.begin(), devices.end()).size(), devices.size());
      for (std::size_t rank = 0; rank < devices.size(); ++rank) {
        const auto at = placement.coordinates(devices[rank]);
        QCOMPARE((at[2] * 4 + at[0]) * 3 + at[1], static_cast<std::int64_t>(rank));
      }
    }
  }

  // A matrix of two levels is its two degrees; with more levels, one matrix of each pair of degrees is.
  void splitsLoseNothing() {
    for (const char* shape : {"node:8 gpu:8", "pod:2 node:4 gpu:8", "node:8 cpu:2 gpu:4"}) {
      Workspace workspace = test::workspaceOf(shape, "data=8,context=2,tensor=4", "0");
      if (std::string(shape).starts_with("node:8 cpu")) workspace.system.node = "node";
      std::set<std::string> seen;
      MatrixEnumerator enumerator({8, 2, 4}, workspace.system.counts());
      std::size_t refused = 0;
      while (enumerator.next()) {
        const auto split = nodeSplit(workspace.system, workspace.axes, enumerator.matrix(), {0, 1, 2});
        if (!split.ok()) {
          ++refused;
          continue;
        }
        std::string key;
        for (std::size_t i = 0; i < 3; ++i) {
          QCOMPARE(split->across[i] * split->inside[i], workspace.axes[i].size);
          key += std::to_string(split->across[i]) + " ";
        }
        QVERIFY2(seen.insert(key).second, key.c_str());
      }
      QCOMPARE(refused == 0, workspace.system.levels.size() == 2);
      QVERIFY(!seen.empty());
    }
    const Workspace workspace = test::workspaceOf("pod:2 node:2 gpu:4", "data=4,tensor=4", "0", "[[1,2,2],[2,1,2]]");
    const auto refused = nodeSplit(workspace.system, workspace.axes, workspace.matrix, {0, 1});
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().text(),
             std::string("one degree across nodes does not say how [[1,2,2],[2,1,2]] lays \"data\" over the levels "
                         "above them, as the axes are counted through in the order data-tensor; use jax, which lists "
                         "the devices"));
  }

  // The published order of the 70B run on 32 nodes keeps the tensor axis inside: the order tp-cp-ep-dp-pp.
  void saysWhatIsNeeded() {
    const Workspace workspace = test::workspaceOf("node:32 gpu:8", "data=32,tensor=8", "data");
    const auto ways = [&](const char* matrix) {
      return realisableBy(workspace.system, workspace.axes, test::valueOf(parseMatrix(matrix)));
    };
    const std::set<std::string> any{"maxtext", "axlearn", "jax", "torch", "rankfile", "slurm"};
    std::set<std::string> all = any;
    all.insert({"plain reshape", "megatron order", "torchtitan"});
    QVERIFY(namesOf(ways("[[32,1],[1,8]]")) == all);
    QCOMPARE(ways("[[32,1],[1,8]]")[1].reason,
             std::string("ranks as torchrun numbers them, tensor fastest, then data"));
    QVERIFY(namesOf(ways("[[16,2],[2,4]]")) == any);
    std::set<std::string> turned = any;
    turned.insert("megatron order");
    QVERIFY(namesOf(ways("[[4,8],[8,1]]")) == turned);
    QVERIFY(!needsRankfile(workspace.system, workspace.axes, test::valueOf(parseMatrix("[[4,8],[8,1]]"))));
    QVERIFY(needsRankfile(workspace.system, workspace.axes, test::valueOf(parseMatrix("[[8,4],[4,2]]"))));
  }

  void namesMeanForms() {
    QCOMPARE(frameworkAxes()[*frameworkAxisOf("TP")].maxtext, std::string_view("tensor"));
    QCOMPARE(frameworkAxes()[*frameworkAxisOf("shards")].maxtext, std::string_view("fsdp"));
    QVERIFY(!frameworkAxisOf("axis0"));
    const auto axes = test::valueOf(parseAxes("tensor=8,pipe=2,data=4"));
    QVERIFY((maxtextOrder(axes) == AxisOrder{2, 1, 0}));
    QVERIFY((maxtextOrder(test::valueOf(parseAxes("tensor=8,axis=2,data=4"))) == AxisOrder{0, 1, 2}));
    std::set<std::string> names;
    for (const FrameworkAxis& form : frameworkAxes()) {
      QVERIFY(names.insert(std::string(form.maxtext)).second);
      for (const std::string_view other : form.also) QVERIFY(names.insert(std::string(other)).second);
    }
  }
};

QTEST_APPLESS_MAIN(TestRealisation)
#include "tst_realisation.moc"
