// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/workload/model_form_entries.h"

using namespace p2;
using namespace p2::views;

/// The list of what a step communicates, with its formulas.
class TestModelFormEntries : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void showsHowItComesAbout();
  void says_data();
  void says();
  void addsUpByAxes();
  void tellsAsText();
};

namespace {

WorkloadEntry activations() {
  WorkloadEntry entry;
  entry.name = "activations";
  entry.axes = {"tensor", "context"};
  entry.kind = CommunicationKind::AllGather;
  entry.bytes = 2'147'483'648;
  entry.count = 480;
  entry.factors = {{"layers", 80}, {"times", 6}};
  entry.formula = "β·b·s·h = 2·16·8192·8192";
  return entry;
}

}  // namespace

void TestModelFormEntries::showsHowItComesAbout() {
  ModelFormEntries model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  QCOMPARE(model.rowCount(), 0);
  model.setEntries({activations()});
  QStringList cells;
  for (int column = 0; column < model.columnCount(); ++column) cells += model.index(0, column).data().toString();
  QCOMPARE(cells, QStringList({"activations\nAllGather over tensor, context", "2.15 GB", "480", "exposed",
                               "β·b·s·h = 2·16·8192·8192\n× 80 layers · 6 times"}));
  const QString toolTip = model.index(0, 0).data(Qt::ToolTipRole).toString();
  QVERIFY2(toolTip.contains(QLocale().toString(qlonglong(2'147'483'648)) + " bytes, 480 times"), qPrintable(toolTip));
  QVERIFY(!model.index(0, 0).data(Qt::ForegroundRole).isValid());
  model.setStale(true);
  QVERIFY(model.index(0, 0).data(Qt::ForegroundRole).isValid());
  model.setEntries({});
  QCOMPARE(model.rowCount(), 0);
}

void TestModelFormEntries::says_data() {
  QTest::addColumn<int>("extent");
  QTest::addColumn<double>("value");
  QTest::addColumn<QString>("text");
  using Extent = CommunicationOverlap::Extent;
  QTest::newRow("none") << int(Extent::None) << 0.0 << "exposed";
  QTest::newRow("all") << int(Extent::Compute) << 0.0 << "may overlap";
  QTest::newRow("share") << int(Extent::Fraction) << 0.306 << "31 % may";
  QTest::newRow("window") << int(Extent::Window) << 0.002 << "up to 2.00 ms";
}

void TestModelFormEntries::says() {
  QFETCH(int, extent);
  QFETCH(double, value);
  WorkloadEntry entry = activations();
  entry.overlap = {CommunicationOverlap::Extent(extent), value};
  ModelFormEntries model;
  model.setEntries({entry});
  QTEST(model.index(0, ModelFormEntries::Overlap).data().toString(), "text");
}

void TestModelFormEntries::addsUpByAxes() {
  Workload workload;
  workload.collectives = {activations(), activations()};
  workload.collectives[0].axes = {"data"};
  workload.collectives[0].count = 1;
  QCOMPARE(bytesByAxes(workload), QStringLiteral("2 entries · tensor, context 1.03 TB · data 2.15 GB in a step"));
  workload.collectives.pop_back();
  QCOMPARE(bytesByAxes(workload), QStringLiteral("1 entry · data 2.15 GB in a step"));
}

void TestModelFormEntries::tellsAsText() {
  QCOMPARE(htmlOf({}), QString());
  QCOMPARE(
      htmlOf({{}, {"a < b"}, {}, {"c"}}),
      QStringLiteral("<p><b>Understood</b></p><ul><li>a &lt; b</li></ul><p><b>Ignored</b></p><ul><li>c</li></ul>"));
}

QTEST_MAIN(TestModelFormEntries)
#include "tst_model_form_entries.moc"
