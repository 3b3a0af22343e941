// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/placement/axes_model.h"

using namespace p2;
using namespace p2::views;

/// The table of axes: text in, text out.
class TestAxesModel : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void takesText();
  void keepsWhatItCannotTake_data();
  void keepsWhatItCannotTake();
  void togglesReduction();
  void addsWhatIsMissing();
  void removesAndMoves();
};

namespace {

struct Fixture {
  AxesModel model;
  QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};
  QSignalSpy edits{&model, &DraftTableModel::edited};

  explicit Fixture(const char* axes = "data=8,shards=4") {
    const Workspace workspace = test::workspaceOf("gcp-a100:2", axes, "0");
    model.show(workspace.system, workspace.axes);
  }
  void type(int row, int column, const QString& text) { model.setData(model.index(row, column), text); }
  /// "data*8 shards 4": a star where reduced over.
  [[nodiscard]] QString text() const {
    QStringList rows;
    for (const Axis& axis : model.axes()) {
      rows += QString::fromStdString(axis.name) + (axis.reduce ? '*' : ' ') + QString::number(axis.size);
    }
    return rows.join(", ");
  }
};

}  // namespace

void TestAxesModel::takesText() {
  Fixture f;
  f.type(1, AxesModel::Name, "model");
  f.type(1, AxesModel::Size, " 16 ");
  QCOMPARE(f.text(), QStringLiteral("data*8, model 16"));
  QCOMPARE(f.edits.count(), 2);
  QCOMPARE(f.model.firstProblem(), QString());
}

void TestAxesModel::keepsWhatItCannotTake_data() {
  QTest::addColumn<int>("column");
  QTest::addColumn<QString>("typed");
  QTest::addColumn<QString>("says");
  QTest::newRow("no name") << int(AxesModel::Name) << ""
                           << "An axis needs a name, such as data.";
  QTest::newRow("taken") << int(AxesModel::Name) << "data"
                         << "The name \"data\" is taken; choose another.";
  for (const char* size : {"0", "-4", "four", "4.5", "99999999999999999999", ""}) {
    QTest::addRow("size %s", size) << int(AxesModel::Size) << QString(size)
                                   << QStringLiteral(
                                          "\"%1\" is not a size for axis shards; enter a whole number "
                                          "of 1 or more.")
                                          .arg(size);
  }
}

void TestAxesModel::keepsWhatItCannotTake() {
  QFETCH(int, column);
  QFETCH(QString, typed);
  Fixture f;
  f.type(1, column, typed);
  QCOMPARE(f.model.index(1, column).data().toString(), typed);
  QTEST(f.model.firstProblem(), "says");
  QCOMPARE(f.text(), QStringLiteral("data*8, shards 4"));
  QCOMPARE(f.edits.count(), 0);
}

void TestAxesModel::togglesReduction() {
  Fixture f;
  f.model.setData(f.model.index(1, AxesModel::Reduce), Qt::Checked, Qt::CheckStateRole);
  f.model.setData(f.model.index(0, AxesModel::Reduce), Qt::Unchecked, Qt::CheckStateRole);
  QCOMPARE(f.text(), QStringLiteral("data 8, shards*4"));
  QCOMPARE(f.edits[0][0].toString(), QStringLiteral("Reduce over shards"));
  QCOMPARE(f.edits[1][0].toString(), QStringLiteral("Do not reduce over data"));
}

void TestAxesModel::addsWhatIsMissing() {
  Fixture full;
  full.model.addBelow(1);
  QCOMPARE(full.text(), QStringLiteral("data*8, shards 4, axis2 1"));
  Fixture half("data=8,axis2=2");
  half.model.addBelow(1);
  QCOMPARE(half.text(), QStringLiteral("data*8, axis2 2, axis3 2"));
  Fixture odd("data=5");
  odd.model.addBelow(-1);
  QCOMPARE(odd.text(), QStringLiteral("axis0 1, data*5"));
  while (odd.model.canAdd()) odd.model.addBelow(0);
  QCOMPARE(odd.model.rowCount(), int(kMostAxes));
}

void TestAxesModel::removesAndMoves() {
  Fixture f("data=8,model=2,shards=2");
  f.model.shift(0, 1);
  QCOMPARE(f.text(), QStringLiteral("model 2, data*8, shards 2"));
  f.model.shift(2, -1);
  QCOMPARE(f.text(), QStringLiteral("model 2, shards 2, data*8"));
  f.model.removeAt(0);
  QCOMPARE(f.text(), QStringLiteral("shards 2, data*8"));
  f.model.removeAt(0);
  QVERIFY(!f.model.canRemove());
}

QTEST_MAIN(TestAxesModel)
#include "tst_axes_model.moc"
