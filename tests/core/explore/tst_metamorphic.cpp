// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "base/near.h"
#include "explore/explore.h"
#include "support/fixtures.h"
#include "system/neighbours.h"

using namespace p2;

namespace {

/// Systems without and with latencies, rails and rings.
struct Case {
  const char* system;
  std::vector<std::int64_t> axes;
  std::vector<bool> reduced;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> kAll{{"gcp-a100:4", {16, 4}, {true, false}},
                                      {"gcp-a100:2", {8, 4}, {true, false}},
                                      {"dgx-a100:2", {4, 2, 2}, {true, false, true}},
                                      {"dgx-h100:4", {8, 4}, {false, true}},
                                      {"gcp-v100:2", {4, 4}, {true, false}},
                                      {"mi300x:2", {4, 4}, {true, false}},
                                      {"node:4@8GB/s,20us gpu:8@300GB/s,2us", {8, 4}, {true, false}},
                                      {"rack:2@5GB/s node:2@20GB/s gpu:4@300GB/s", {4, 2, 2}, {true, true, false}}};
  return kAll;
}

Workspace asked(const Case& of, double bytes, std::string_view model) {
  Workspace workspace;
  workspace.system = test::valueOf(parseSystem(of.system));
  for (std::size_t i = 0; i < of.axes.size(); ++i) {
    workspace.axes.push_back({"axis" + std::to_string(i), of.axes[i], of.reduced[i]});
  }
  workspace.options.cost.model = model;
  workspace.options.cost.algorithm = defaultAlgorithm(model);
  workspace.options.cost.bytes = Bytes(bytes);
  workspace.options.cost.repeat = 1;
  return workspace;
}

/// Times of the best programs of all placements, ascending.
std::vector<double> timesOf(const Workspace& workspace) {
  std::vector<double> times;
  const auto exploration = test::valueOf(exploreWorkspace(workspace, {}));
  for (const PlacementResult& each : exploration->placements) times.push_back(each.bestSeconds);
  std::sort(times.begin(), times.end());
  return times;
}

void compare(const std::vector<double>& one, const std::vector<double>& other, double factor, const QString& what) {
  QVERIFY2(one.size() == other.size(), qPrintable(what));
  for (std::size_t i = 0; i < one.size(); ++i) {
    QVERIFY2(nearlyEqual(factor * one[i], other[i]),
             qPrintable(QString("%1: %2 and %3").arg(what).arg(factor * one[i]).arg(other[i])));
  }
}

}  // namespace

/// Changes of a question that must not change its answer, or only by a known factor.
class TestMetamorphic : public QObject {
  Q_OBJECT

  template <class Check>
  static void forAll(const Check& check) {
    std::mt19937 random(8);
    std::uniform_real_distribution<double> exponent(3, 9.5);
    for (const Case& each : cases()) {
      for (const std::string_view model : {"paper", "nccl"}) {
        check(asked(each, std::floor(std::pow(10, exponent(random))), model),
              QString("%1, %2").arg(each.system).arg(model.data()));
      }
    }
  }

 private slots:
  // A level with one child in each instance, above, between or below the others.
  void levelsOfSizeOneChangeNothing() {
    forAll([](const Workspace& workspace, const QString& name) {
      const std::vector<double> times = timesOf(workspace);
      if (!workspace.system.networks.empty()) return;  // they name their levels
      for (std::size_t at = 0; at <= workspace.system.levels.size(); ++at) {
        Workspace other = workspace;
        Level extra;
        extra.name = "extra";
        extra.count = 1;
        extra.interconnect.kind = InterconnectKind::None;
        other.system.levels.insert(other.system.levels.begin() + std::ptrdiff_t(at), extra);
        if (!validated(other.system).ok()) continue;
        compare(times, timesOf(other), 1, QString("%1, level %2").arg(name).arg(at));
      }
    });
  }

  // As drawn in one line, whatever the algorithm: below a GPU, too, there is no further node.
  void levelsOfSizeOneBelowDevicesChangeNothing() {
    for (const char* system : {"gpu:8@30GB/s,1us,bus", "gpu:8@300GB/s,2us", "node:4@8GB/s,20us gpu:8@300GB/s,2us"}) {
      for (const char* algorithm : {"ring", "tree", "auto"}) {
        const auto times = [&](const std::string& text) {
          Workspace workspace;
          workspace.system = test::valueOf(parseSystem(text));
          workspace.axes = {Axis{"data", workspace.system.deviceCount(), true}};
          workspace.options.cost.model = "paper";
          workspace.options.cost.algorithm = test::valueOf(algorithmFrom(algorithm));
          workspace.options.cost.bytes = Bytes(1e6);
          workspace.options.cost.repeat = 1;
          return timesOf(workspace);
        };
        const std::string text(system);
        compare(times(text), times(text + " extra:1"), 1, QString("%1, below, %2").arg(system).arg(algorithm));
        compare(times(text), times("extra:1 " + text), 1, QString("%1, above, %2").arg(system).arg(algorithm));
      }
    }
  }

  // Where devices have neighbours, the order of the axes decides which devices are neighbours.
  void orderAndNamesOfAxesChangeNothing() {
    forAll([](const Workspace& workspace, const QString& name) {
      Workspace other = workspace;
      bool neighbours = false;
      for (std::size_t level = 0; level < workspace.system.levels.size(); ++level) {
        neighbours = neighbours || hasNeighbours(workspace.system, level);
      }
      if (!neighbours) std::reverse(other.axes.begin(), other.axes.end());
      for (std::size_t i = 0; i < other.axes.size(); ++i) other.axes[i].name = "zyx"[i];
      compare(timesOf(workspace), timesOf(other), 1, name);
    });
  }

  void namesOfLevelsChangeNothing() {
    forAll([](const Workspace& workspace, const QString& name) {
      if (!workspace.system.networks.empty()) return;
      Workspace other = workspace;
      for (std::size_t i = 0; i < other.system.levels.size(); ++i)
        other.system.levels[i].name = "l" + std::to_string(i);
      compare(timesOf(workspace), timesOf(other), 1, name);
    });
  }

  // Without latencies twice the bytes take twice the time under the paper model, and double bandwidths half of it.
  void timesScale() {
    for (const char* system : {"gcp-a100:4", "gcp-v100:2", "rack:2@5GB/s node:2@20GB/s gpu:4@300GB/s"}) {
      const auto of = std::find_if(cases().begin(), cases().end(),
                                   [&](const Case& each) { return std::string_view(each.system) == system; });
      const Workspace workspace = asked(*of, 3e7, "paper");
      const std::vector<double> times = timesOf(workspace);
      Workspace bytes = workspace;
      bytes.options.cost.bytes = Bytes(6e7);
      compare(times, timesOf(bytes), 2, system);
      Workspace repeats = workspace;
      repeats.options.cost.repeat = 3;
      compare(times, timesOf(repeats), 3, system);
      if (!workspace.system.networks.empty()) continue;
      Workspace faster = workspace;
      for (Level& level : faster.system.levels) level.interconnect.bandwidth *= 2;
      compare(times, timesOf(faster), 0.5, system);
    }
  }

  // The same wires cost the same whatever levels are drawn between the node and its devices.
  void levelsInsideANodeChangeNothing() {
    for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree, Algorithm::Auto}) {
      const auto of = [&](const char* system) {
        Workspace workspace;
        workspace.system = test::valueOf(parseSystem(system));
        workspace.axes = {Axis{"data", workspace.system.deviceCount(), true}};
        workspace.options.sizeLimit = 1;
        workspace.options.cost.model = "paper";
        workspace.options.cost.algorithm = algorithm;
        workspace.options.cost.bytes = Bytes(1 << 30);
        return timesOf(workspace);
      };
      const std::vector<double> whole = of("node:2@12.5GB/s gpu:8@200GB/s");
      compare(whole, of("node:2@12.5GB/s cpu:2@200GB/s gpu:4@200GB/s"), 1, "two sockets");
      compare(whole, of("node:2@12.5GB/s cpu:4@200GB/s gpu:2@200GB/s"), 1, "four sockets");
    }
  }

  // Over a mesh channels keep to their rails, so an odd number of nodes is no burden.
  void oddNodesOfAMeshAreBetweenTheirNeighbours() {
    double before = 0;
    for (int nodes = 2; nodes <= 9; ++nodes) {
      Workspace workspace;
      workspace.system = test::valueOf(parseSystem("mi300x:" + std::to_string(nodes)));
      workspace.axes = {Axis{"data", workspace.system.deviceCount(), true}};
      workspace.options.sizeLimit = 1;
      workspace.options.cost.model = "nccl";
      workspace.options.cost.algorithm = defaultAlgorithm("nccl");
      workspace.options.cost.bytes = Bytes(1e9);
      const double best = timesOf(workspace).front();
      QVERIFY2(!definitelyLess(best, before), std::to_string(nodes).c_str());
      QVERIFY2(nodes == 2 || best < 1.05 * before, std::to_string(nodes).c_str());
      before = best;
    }
  }

  // More nodes never make the sum over all devices cheaper.
  void moreNodesNeverTakeLessTime() {
    for (const char* preset : {"gcp-a100", "dgx-a100", "dgx-h100", "polaris", "mi300x", "node@8GB/s,20us"}) {
      double before = 0;
      for (int nodes = 1; nodes <= 8; ++nodes) {
        const std::string name(preset);
        const auto text = name.starts_with("node") ? "node:" + std::to_string(nodes) + "@8GB/s,20us gpu:8@300GB/s,2us"
                                                   : name + ":" + std::to_string(nodes);
        Workspace workspace;
        workspace.system = test::valueOf(parseSystem(text));
        workspace.axes = {Axis{"data", workspace.system.deviceCount(), true}};
        workspace.options.cost.model = "nccl";
        workspace.options.cost.algorithm = defaultAlgorithm("nccl");
        workspace.options.cost.bytes = Bytes(5e7);
        const double best = timesOf(workspace).front();
        QVERIFY2(!definitelyLess(best, before), text.c_str());
        before = best;
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestMetamorphic)
#include "tst_metamorphic.moc"
