// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTest>

#include "support/warnings.h"
#include "tests/support/fixtures.h"
#include "tests/views/widget_driver.h"
#include "views/runs/run_box.h"
#include "views/shell/session.h"

using namespace p2;
using namespace p2::test;
using namespace p2::views;

class TestRunBox : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // A decimal comma, and a number without a unit in the one that the field showed.
  void readsBytesAsTheOtherFieldsDo() {
    Session session;
    RunBox box(session);
    QLineEdit& field = childOf<QLineEdit>(box, "runBytes");
    const auto bytesAfter = [&](const char* typed) {
      field.selectAll();
      QTest::keyClicks(&field, typed);
      const double meanwhile = box.order(*session.workspace(), Target()).bytes.value();
      QTest::keyClick(&field, Qt::Key_Return);
      const double bytes = box.order(*session.workspace(), Target()).bytes.value();
      return bytes == meanwhile ? bytes : -1;
    };
    constexpr double kMiB = 1024 * 1024;
    QCOMPARE(bytesAfter("2"), 2 * kMiB);
    QCOMPARE(bytesAfter("1024"), 1024 * kMiB);
    QCOMPARE(bytesAfter("1,5"), 1536 * kMiB);
    QCOMPARE(bytesAfter("64 KiB"), 65536.0);
    QCOMPARE(bytesAfter("2,25"), 2304.0);
    QCOMPARE(bytesAfter("2 GB"), 2e9);
    QCOMPARE(bytesAfter("3"), 3e9);
  }

  void saysHowManyPiecesOverlap() {
    Session session;
    const RunBox box(session);
    QSpinBox& pieces = childOf<QSpinBox>(box, "runPieces");
    QCOMPARE(box.order(*session.workspace(), Target()).pieces, std::optional(1));
    pieces.setValue(8);
    QCOMPARE(box.order(*session.workspace(), Target()).pieces, std::optional(8));
    pieces.setValue(0);
    QCOMPARE(pieces.text(), QStringLiteral("as predicted"));
    QVERIFY(!box.order(*session.workspace(), Target()).pieces);
  }

  void whatIsNoQuantityChangesNothing() {
    Session session;
    RunBox box(session);
    QLineEdit& field = childOf<QLineEdit>(box, "runBytes");
    field.selectAll();
    QTest::keyClicks(&field, "many");
    QTest::keyClick(&field, Qt::Key_Return);
    QCOMPARE(field.text(), QStringLiteral("many"));
    QVERIFY(childOf<QLabel>(box, "runProblem").text().contains("many"));
    QCOMPARE(box.order(*session.workspace(), Target()).bytes.value(), 16.0 * 1024 * 1024);
  }
};

QTEST_MAIN(TestRunBox)
#include "tst_run_box.moc"
