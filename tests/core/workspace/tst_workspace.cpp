// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <functional>
#include <limits>

#include "support/warnings.h"
#include "tests/core/workspace/examples.h"

using namespace p2;

using Change = std::function<void(Workspace&)>;
Q_DECLARE_METATYPE(Change)

class TestWorkspace : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void acceptsTheExample() {
    QVERIFY(checkWorkspace(test::exampleWorkspace()).ok());
    QVERIFY(checkWorkspace(test::chosenWorkspace()).ok());
  }

  void saysWhatIsWrong_data() {
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const Change& change, const char* part) {
      QTest::newRow(name) << change << QString::fromUtf8(part);
    };
    row(
        "no levels", [](Workspace& w) { w.system.levels.clear(); }, "no levels");
    row(
        "slow link", [](Workspace& w) { w.system.levels[0].interconnect.bandwidth = 1e-3; }, "1 B/s to 1e18 B/s");
    row(
        "endless latency", [](Workspace& w) { w.system.levels[0].interconnect.latency = 1e7; }, "0 s to 1e6 s");
    row(
        "no axes", [](Workspace& w) { w.axes.clear(); }, "no parallelism axes");
    row(
        "product", [](Workspace& w) { w.axes[1].size = 3; }, "model = 2 would fit");
    row(
        "axis twice", [](Workspace& w) { w.axes[1].name = "data"; }, "\"data\" is used twice");
    row(
        "axis without a name", [](Workspace& w) { w.axes[1].name = ""; }, "has no name");
    row(
        "nothing reduced", [](Workspace& w) { w.axes[0].reduce = w.axes[2].reduce = false; }, "choose at least one");
    row(
        "limit 0", [](Workspace& w) { w.options.sizeLimit = 0; }, "use 1 to 44");
    row(
        "limit 45", [](Workspace& w) { w.options.sizeLimit = 45; }, "use 1 to 44");
    row(
        "no bytes", [](Workspace& w) { w.options.cost.bytes = Bytes(0); }, "use 1 to 1e18");
    row(
        "not a number of bytes",
        [](Workspace& w) { w.options.cost.bytes = Bytes(std::numeric_limits<double>::quiet_NaN()); }, "use 1 to 1e18");
    row(
        "no runs", [](Workspace& w) { w.options.cost.repeat = 0; }, "use 1 to 1000000");
    row(
        "too many messages",
        [](Workspace& w) {
          w.system = parseSystem("dgx-h100:1024").value();
          w.system.networks.back().interconnect.kind = InterconnectKind::Ring;
          w.axes = {{"all", 8192, true}};
          w.options.goal = kAllToAllGoal;
        },
        "axes of at most 2048 devices");
    row(
        "matrix", [](Workspace& w) { w.matrix = parseMatrix("[[1,8],[2,1],[1,4]]").value(); }, "column 0");
  }
  void saysWhatIsWrong() {
    QFETCH(Change, change);
    QFETCH(QString, part);
    Workspace workspace = test::exampleWorkspace();
    change(workspace);
    const auto checked = checkWorkspace(workspace);
    QVERIFY(!checked.ok());
    const QString text = QString::fromStdString(checked.error().text());
    QVERIFY2(text.contains(part), qPrintable(text));
  }

  // A workload for other axes is no fault of the workspace: its programs can be looked at while the two are made to
  // fit.
  void workloadsAreHeldAgainstTheAxes() {
    Workspace workspace = test::exampleWorkspace();
    const auto problemOf = [&](std::vector<Axis> axes, std::vector<std::string> over) {
      workspace.workload = Workload{"", std::move(axes), {{.axes = std::move(over), .bytes = 100}}, {}, {}};
      const auto checked = checkWorkloadAxes(*workspace.workload, workspace.axes);
      return checked.ok() ? QString() : QString::fromStdString(checked.error().text());
    };
    QCOMPARE(problemOf({{"data", 8}, {"one", 1}}, {"data"}), QString());
    QVERIFY(problemOf({{"data", 4}}, {"data"}).contains("needs data = 4, and here it is 8"));
    QVERIFY(problemOf({{"pipeline", 4}}, {"pipeline"}).contains("needs the axis pipeline = 4, which is not here"));
    QVERIFY(checkWorkspace(workspace).ok());
  }
};

QTEST_APPLESS_MAIN(TestWorkspace)
#include "tst_workspace.moc"
