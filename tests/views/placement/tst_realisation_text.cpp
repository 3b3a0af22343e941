// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/placement/realisation_text.h"

using namespace p2;
using namespace p2::views;

/// What is said of how a placement is brought about.
class TestRealisationText : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void says_data();
  void says();
};

void TestRealisationText::says_data() {
  QTest::addColumn<QString>("matrix");
  QTest::addColumn<bool>("rankfile");
  QTest::newRow("tensor in the node") << "[[4,1],[1,8]]" << false;
  QTest::newRow("tensor across and inside") << "[[2,2],[2,4]]" << true;
}

void TestRealisationText::says() {
  QFETCH(QString, matrix);
  QFETCH(bool, rankfile);
  const Workspace workspace = test::workspaceOf("node:4 gpu:8", "data=4,tensor=8", "data", matrix.toStdString());
  const RealisationText text = realisationText(workspace.system, workspace.axes, workspace.matrix);
  QVERIFY2(text.line.startsWith("can be set up with: "), qPrintable(text.line));
  QVERIFY2(text.line.contains("jax") && text.line.contains("torch"), qPrintable(text.line));
  QCOMPARE(text.line.contains("rankfile;") || text.line.endsWith("need a rankfile"), rankfile);
  QCOMPARE(text.line.contains("plain reshape"), !rankfile);
  QCOMPARE(text.tip.count('\n'), text.line.count(QStringLiteral(" · ")));
}

QTEST_GUILESS_MAIN(TestRealisationText)
#include "tst_realisation_text.moc"
