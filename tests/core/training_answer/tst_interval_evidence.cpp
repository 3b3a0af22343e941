// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/warnings.h"
#include "training_answer/interval_evidence.h"

using namespace p2;

class TestIntervalEvidence : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  // Two standard deviations of 80 % are 0.22 for 13 runs and 0.08 for 100.
  void chanceIsToldFromError_data() {
    QTest::addColumn<int>("inside");
    QTest::addColumn<int>("runs");
    QTest::addColumn<QString>("stated");
    QTest::newRow("none") << 0 << 0 << "No published run is like this one.";
    QTest::newRow("few") << 9 << 13 << "Of 13 runs like this one it holds 69 %, which is consistent with that.";
    QTest::newRow("many") << 69 << 100 << "it holds 69 %, so expect larger errors here than it says.";
    QTest::newRow("wide") << 95 << 100 << "it holds 95 %, so it is wider than needed here.";
    QTest::newRow("one") << 1 << 1 << "Of 1 run like this one it holds 100 %, which is consistent with that.";
  }
  void chanceIsToldFromError() {
    QFETCH(int, inside);
    QFETCH(int, runs);
    QFETCH(QString, stated);
    const QString text = QString::fromStdString(describeIntervalFor(inside, runs));
    QVERIFY2(text.contains(stated), qPrintable(text));
    QVERIFY(text.startsWith(QString::fromStdString(describeInterval()) + ". "));
  }

  // A wider interval says why, and only there.
  void widerIntervalsSayWhy() {
    ModelShape mixture;
    mixture.experts = 64;
    TrainingConfiguration run;
    run.plan.expert = 8;
    const auto said = [&](const ModelShape& model) {
      return QString::fromStdString(describeWiderInterval(model, run));
    };
    QVERIFY(said(mixture).contains("AllToAll"));
    QVERIFY(said(ModelShape{}).isEmpty());
    run.dispatch = ExpertDispatch::HybridEp;
    QVERIFY(said(mixture).isEmpty());
    run.plan.expertOverlap = true;
    QVERIFY(!said(mixture).isEmpty());
    run.graphs = GraphScope::All;
    QVERIFY(said(mixture).isEmpty());
  }
};

QTEST_APPLESS_MAIN(TestIntervalEvidence)
#include "tst_interval_evidence.moc"
