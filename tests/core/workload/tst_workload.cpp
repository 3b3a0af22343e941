// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <functional>
#include <limits>

#include "support/warnings.h"
#include "workload/workload.h"

using namespace p2;

using WorkloadChange = std::function<void(Workload&)>;
Q_DECLARE_METATYPE(WorkloadChange)

namespace {

Workload twoEntries() {
  Workload workload{"example", {{"data", 32}, {"tensor", 8}}, {}, {}, {}};
  workload.collectives = {{.name = "gradients", .axes = {"data"}, .bytes = 1000, .count = 80},
                          {.name = "activations", .axes = {"tensor", "data"}, .bytes = 10, .count = 2}};
  return workload;
}

}  // namespace

class TestWorkload : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void acceptsWhatIsRight() {
    QVERIFY(checkWorkload(twoEntries()).ok());
    Workload one{"", {{"data", 2}}, {{.axes = {"data"}, .bytes = 1}}, 0.0, {}};
    QVERIFY(checkWorkload(one).ok());
  }

  void saysWhatIsWrong_data() {
    QTest::addColumn<WorkloadChange>("change");
    QTest::addColumn<QString>("part");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* part, const char* says, const WorkloadChange& change) {
      QTest::newRow(name) << change << QString::fromUtf8(part) << QString::fromUtf8(says);
    };
    const auto entry = [](const auto& change) { return [change](Workload& w) { change(w.collectives[1]); }; };
    row("no axes", "/axes", "needs the axes", [](Workload& w) { w.axes.clear(); });
    row("many axes", "/axes", "17 axes; at most 16", [](Workload& w) {
      for (int i = 2; i < 17; ++i) w.axes.push_back({"a" + std::to_string(i), 1});
    });
    row("size", "/axes", "data has size 0; use 1", [](Workload& w) { w.axes[0].size = 0; });
    row("name", "/axes", "has no name", [](Workload& w) { w.axes[0].name = ""; });
    row("name twice", "/axes", "\"data\" is used twice", [](Workload& w) { w.axes[1].name = "data"; });
    row("bad name", "/axes", "UTF-8", [](Workload& w) { w.axes[1].name = "\xff"; });
    row("devices", "/axes", "2^62", [](Workload& w) { w.axes[0].size = w.axes[1].size = INT64_MAX / 2; });
    row("nothing", "/collectives", "add an entry", [](Workload& w) { w.collectives.clear(); });
    row("too many", "/collectives", "100001 entries; at most 100000",
        [](Workload& w) { w.collectives.resize(kMostWorkloadEntries + 1); });
    row("over none", "/collectives/1/axes", "no axis", entry([](WorkloadEntry& e) { e.axes.clear(); }));
    row("unknown axis", "/collectives/1/axes/0", "no axis \"tensr\"; use data, tensor",
        entry([](WorkloadEntry& e) { e.axes[0] = "tensr"; }));
    row("axis twice", "/collectives/1/axes/1", "named twice", entry([](WorkloadEntry& e) { e.axes[1] = "tensor"; }));
    row("size 1 alone", "/collectives/1/axes", "nothing is sent",
        [](Workload& w) { w.axes[1].size = 1, w.collectives[1].axes = {"tensor"}; });
    row("no bytes", "/collectives/1/bytes", "0 bytes", entry([](WorkloadEntry& e) { e.bytes = 0; }));
    row("negative bytes", "/collectives/1/bytes", "-5 bytes", entry([](WorkloadEntry& e) { e.bytes = -5; }));
    row("no count", "/collectives/1/count", "0 times", entry([](WorkloadEntry& e) { e.count = 0; }));
    row("too much", "/collectives/1/count", "2^62", entry([](WorkloadEntry& e) { e.bytes = e.count = INT64_MAX / 2; }));
    row("too much together", "/collectives/1/count", "2^62", [](Workload& w) {
      for (WorkloadEntry& e : w.collectives) e.bytes = INT64_MAX / 8 * 3, e.count = 1;
    });
    row("factors", "/collectives/1/count", "multiply to 6, not to 2", entry([](WorkloadEntry& e) {
          e.factors = {{"layers", 3}, {"microbatches", 2}};
        }));
    row("huge factors", "/collectives/1/count", "over 2^63", entry([](WorkloadEntry& e) {
          e.factors = {{"layers", INT64_MAX}, {"microbatches", 2}};
        }));
    row("factor 0", "/collectives/1/count", "layers is 0", entry([](WorkloadEntry& e) {
          e.factors = {{"layers", 0}};
        }));
    row("factor twice", "/collectives/1/count", "name of its own", entry([](WorkloadEntry& e) {
          e.factors = {{"layers", 2}, {"layers", 1}};
        }));
    const auto overlap = [&](CommunicationOverlap::Extent extent, double value) {
      return entry([=](WorkloadEntry& e) { e.overlap = {extent, value}; });
    };
    row("share", "/collectives/1/overlap", "1.5", overlap(CommunicationOverlap::Extent::Fraction, 1.5));
    row("no share", "/collectives/1/overlap", "use 0 to 1",
        overlap(CommunicationOverlap::Extent::Fraction, std::nan("")));
    row("window", "/collectives/1/overlap", "0 or more", overlap(CommunicationOverlap::Extent::Window, -1));
    row("scatter of another kind", "/collectives/1/scatter", "only a ReduceScatter",
        entry([](WorkloadEntry& e) { e.kind = CommunicationKind::AllReduce, e.scatter = {"data"}; }));
    const auto scatter = [&](std::vector<std::string> over) {
      return entry(
          [=](WorkloadEntry& e) { e.kind = CommunicationKind::ReduceScatter, e.axes = {"data"}, e.scatter = over; });
    };
    row("scatter elsewhere", "/collectives/1/scatter/0", "does not go over the axis \"tensor\"", scatter({"tensor"}));
    row("scatter twice", "/collectives/1/scatter/1", "named twice; keep one", scatter({"data", "data"}));
    row("experts of no dispatch", "/collectives/1/routing", "make it a Dispatch", entry([](WorkloadEntry& e) {
          e.routing = ExpertRouting{8, 2, 0};
        }));
    const auto routing = [&](ExpertRouting to) {
      return entry([=](WorkloadEntry& e) { e.kind = CommunicationKind::Dispatch, e.routing = to; });
    };
    row("experts", "/collectives/1/routing", "9 of 8 experts", routing({8, 9, 0}));
    row("less than no groups", "/collectives/1/routing", "-1 groups", routing({8, 2, -1}));
    row("uneven groups", "/collectives/1/routing", "8 experts cannot be cut into 3 groups", routing({8, 2, 2, 3}));
    row("more groups than there are", "/collectives/1/routing", "5 of 4 groups", routing({8, 2, 5, 4}));
    row("groups too small", "/collectives/1/routing", "3 experts of a token do not fit into 1 group of 2",
        routing({8, 3, 1, 4}));
    row("too many experts", "/collectives/1/routing", "more than are priced", routing({kMostExperts + 1, 1}));
    row("too many groups", "/collectives/1/routing", "5000 groups", routing({5000, 1, 1, 5000}));
    row("seconds", "/compute_seconds", "-1 s", [](Workload& w) { w.computeSeconds = -1; });
    row("endless", "/compute_seconds", "computation",
        [](Workload& w) { w.computeSeconds = std::numeric_limits<double>::infinity(); });
    row("slowdown", "/slowdown", "1 or more", [](Workload& w) { w.slowdown = 0.9; });
    row("share", "/usable_share", "0 to 1", [](Workload& w) { w.usableShare = 1.5; });
    row("no usable share", "/usable_share", "0 to 1", [](Workload& w) { w.usableShare = std::nan(""); });
  }
  void saysWhatIsWrong() {
    QFETCH(WorkloadChange, change);
    QFETCH(QString, part);
    QFETCH(QString, says);
    Workload workload = twoEntries();
    change(workload);
    const auto checked = checkWorkload(workload);
    QVERIFY(!checked.ok());
    QCOMPARE(QString::fromStdString(checked.error().where.part), part);
    QVERIFY2(QString::fromStdString(checked.error().message).contains(says), checked.error().message.c_str());
  }

  void collapsesWhatIsAlike() {
    Workload workload = twoEntries();
    WorkloadEntry turned = workload.collectives[1];
    turned.axes = {"data", "tensor"};
    turned.name = "more activations";
    WorkloadEntry other = turned;
    other.overlap = {CommunicationOverlap::Extent::Compute, 0};
    workload.collectives.insert(workload.collectives.end(), {turned, other, workload.collectives[0]});
    const Workload result = collapsed(workload);
    QCOMPARE(result.collectives.size(), 3U);
    QCOMPARE(result.collectives[0].count, 160);
    QCOMPARE(result.collectives[0].name, std::string("gradients"));
    QCOMPARE(result.collectives[1].count, 4);
    QCOMPARE(result.collectives[1].name, std::string("activations, more activations"));
    QCOMPARE(result.collectives[2], other);
    QVERIFY(checkWorkload(result).ok());
  }

  void addsFactorsUp() {
    const auto summedFactors = [](std::vector<CountFactor> a, std::vector<CountFactor> b) {
      const auto product = [](const std::vector<CountFactor>& factors) {
        std::int64_t result = 1;
        for (const CountFactor& factor : factors) result *= factor.value;
        return result;
      };
      Workload workload = twoEntries();
      workload.collectives[1] = workload.collectives[0];
      workload.collectives[0].count = product(a), workload.collectives[1].count = product(b);
      workload.collectives[0].factors = std::move(a), workload.collectives[1].factors = std::move(b);
      const Workload sum = collapsed(workload);
      return checkWorkload(sum).ok() ? sum.collectives.at(0).factors : std::vector<CountFactor>{{"wrong", 1}};
    };
    QCOMPARE(summedFactors({{"each", 2}, {"layers", 80}}, {{"each", 4}, {"layers", 80}}),
             (std::vector<CountFactor>{{"each", 6}, {"layers", 80}}));
    QCOMPARE(summedFactors({{"each", 2}, {"layers", 80}}, {{"each", 2}, {"layers", 80}}),
             (std::vector<CountFactor>{{"each", 4}, {"layers", 80}}));
    QVERIFY(summedFactors({{"each", 2}, {"layers", 80}}, {{"each", 4}, {"layers", 8}}).empty());
    QVERIFY(summedFactors({{"each", 2}}, {{"all", 2}}).empty());
    QVERIFY(summedFactors({{"each", 2}}, {}).empty());
  }

  // As many as a trace has; alike in a few ways only.
  void collapsesManyEntries() {
    Workload workload = twoEntries();
    for (int i = 0; i < 9998; ++i) {
      workload.collectives.push_back({.name = "layer " + std::to_string(i), .axes = {"tensor"}, .bytes = 100 + i % 7});
    }
    const Workload result = collapsed(workload);
    QCOMPARE(result.collectives.size(), 9U);
    std::int64_t count = 0;
    for (const WorkloadEntry& entry : result.collectives) count += entry.count;
    QCOMPARE(count, 9998 + 82);
    QCOMPARE(result.collectives[2].name, std::string("layer 0, layer 7, layer 14, …"));
  }
};

QTEST_APPLESS_MAIN(TestWorkload)
#include "tst_workload.moc"
