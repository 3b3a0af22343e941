// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QHeaderView>

#include "views/system/system_desk.h"

using namespace p2;
using namespace p2::views;
using p2::test::cellText;
using p2::test::childOf;
using p2::test::typeIntoCell;

/// The table of levels, driven by mouse and keys.
class TestSystemLevels : public QObject, test::SystemDesk {
  Q_OBJECT

 private slots:
  void initTestCase() { prepare(); }
  void init() { open(); }
  void cleanup() { close(); }
  void editsABandwidthAndUndoes();
  void keepsABadBandwidthUntilMended();
  void aNumberAloneHasTheUnitShown();
  void aSlipInATableIsQuestioned();
  void choosesAKind();
  void addsMovesAndRemovesLevelsByKeys();
  void allFiguresAreInSight_data();
  void allFiguresAreInSight();
  void closesWithAnOpenEditor();
};

void TestSystemLevels::editsABandwidthAndUndoes() {
  typeIntoCell(table(), 1, LevelsModel::Bandwidth, "100Gbit/s");
  QCOMPARE(cellText(table(), 1, LevelsModel::Bandwidth), QStringLiteral("12.5 GB/s"));
  QCOMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@12.5GB/s"));
  QCOMPARE(m_session->undoStack().count(), 1);
  m_session->undoStack().undo();
  QCOMPARE(cellText(table(), 1, LevelsModel::Bandwidth), QStringLiteral("270 GB/s"));
  QCOMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@270GB/s"));
  m_session->undoStack().redo();
  QCOMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@12.5GB/s"));
}

void TestSystemLevels::keepsABadBandwidthUntilMended() {
  QVERIFY(label("levelsProblem").isHidden());
  typeIntoCell(table(), 1, LevelsModel::Bandwidth, "quick");
  QCOMPARE(cellText(table(), 1, LevelsModel::Bandwidth), QStringLiteral("quick"));
  QVERIFY(label("levelsProblem").isVisible());
  QVERIFY(label("levelsProblem").text().contains("level 2 (gpu): \"quick\" is not a bandwidth"));
  QCOMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@270GB/s"));
  QCOMPARE(m_session->undoStack().count(), 0);
  typeIntoCell(table(), 0, LevelsModel::Count, "4");
  QCOMPARE(cellText(table(), 1, LevelsModel::Bandwidth), QStringLiteral("quick"));
  typeIntoCell(table(), 1, LevelsModel::Bandwidth, "300GB/s");
  QVERIFY(label("levelsProblem").isHidden());
  QCOMPARE(system(), QStringLiteral("node:4@8GB/s gpu:4@300GB/s"));
}

void TestSystemLevels::aNumberAloneHasTheUnitShown() {
  typeIntoCell(table(), 1, LevelsModel::Bandwidth, "100");
  QCOMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@100GB/s"));
  typeIntoCell(table(), 1, LevelsModel::Bandwidth, "12,5");
  QCOMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@12.5GB/s"));
}

void TestSystemLevels::aSlipInATableIsQuestioned() {
  typeIntoCell(table(), 1, LevelsModel::Bandwidth, "100B/s");
  QCOMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@270GB/s"));
  QCOMPARE(m_session->undoStack().count(), 0);
  QVERIFY(label("levelsProblem").isVisible());
  QVERIFY2(label("levelsProblem").text().contains("100 B/s is 2.7 billion times less than 270 GB/s"),
           qPrintable(label("levelsProblem").text()));
  // Another edit does not answer the question.
  typeIntoCell(table(), 0, LevelsModel::Count, "4");
  QCOMPARE(cellText(table(), 1, LevelsModel::Bandwidth), QStringLiteral("100B/s"));
  QCOMPARE(system(), QStringLiteral("node:4@8GB/s gpu:4@270GB/s"));
  typeIntoCell(table(), 1, LevelsModel::Bandwidth, "100B/s");
  QCOMPARE(m_session->workspace()->system.levels[1].interconnect.bandwidth, 100.0);
  QVERIFY(label("levelsProblem").isHidden());
}

void TestSystemLevels::choosesAKind() {
  table().setCurrentIndex(table().model()->index(1, LevelsModel::Kind));
  table().setFocus();
  QTest::keyClick(&table(), Qt::Key_F2);
  auto& box = childOf<QComboBox>(table(), "cellEditor");
  QTest::keyClick(&box, Qt::Key_Down);
  QTest::keyClick(&box, Qt::Key_Return);
  QTRY_COMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@270GB/s,ring"));
}

void TestSystemLevels::addsMovesAndRemovesLevelsByKeys() {
  table().setCurrentIndex(table().model()->index(0, LevelsModel::Name));
  table().setFocus();
  QTest::keyClick(&table(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(system(), QStringLiteral("node:2@8GB/s level2:1@8GB/s gpu:4@270GB/s"));
  QTest::keyClick(&table(), Qt::Key_Up, Qt::AltModifier);
  QCOMPARE(system(), QStringLiteral("level2:1@8GB/s node:2@8GB/s gpu:4@270GB/s"));
  QTest::keyClick(&table(), Qt::Key_Delete, Qt::ControlModifier);
  QCOMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@270GB/s"));
  QVERIFY(!childOf<QAction>(*m_perspective, "levelsUp").isEnabled());
  QCOMPARE(m_session->undoStack().count(), 3);
}

void TestSystemLevels::allFiguresAreInSight_data() {
  QTest::addColumn<int>("width");
  QTest::newRow("a small screen") << 927;
  QTest::newRow("a large one") << 1343;
}

// The perspective's part of windows of 1024 and 1440 pixels.
void TestSystemLevels::allFiguresAreInSight() {
  QFETCH(int, width);
  m_session->reset(test::workspaceOf("node:32@50GB/s,5.25us gpu:8@450GB/s,500ns", "data=256", "data"));
  m_perspective->resize(width, 668);
  QCOMPARE(m_perspective->width(), width);
  const auto needed = [&](int column) {
    const QAbstractItemModel& model = *table().model();
    int most = table().fontMetrics().horizontalAdvance(model.headerData(column, Qt::Horizontal).toString());
    for (int row = 0; row < model.rowCount(); ++row) {
      most = std::max(most, table().fontMetrics().horizontalAdvance(model.index(row, column).data().toString()));
    }
    return most;
  };
  for (int column = LevelsModel::Name; column <= LevelsModel::Latency; ++column) {
    QTRY_VERIFY(table().columnWidth(column) > needed(column));
    // Headings have room around them, which is theirs.
    QVERIFY(table().columnWidth(column) >= table().horizontalHeader()->sectionSizeHint(column));
    QTRY_VERIFY2(table().columnViewportPosition(column) + table().columnWidth(column) <= table().viewport()->width(),
                 qPrintable(QString::number(column)));
  }
}

void TestSystemLevels::closesWithAnOpenEditor() {
  const QModelIndex index = table().model()->index(1, LevelsModel::Count);
  table().setCurrentIndex(index);
  table().edit(index);
  QTest::keyClicks(&childOf<QLineEdit>(table(), "cellEditor"), "8");
  m_perspective.reset();
  QCoreApplication::sendPostedEvents();
  QCOMPARE(m_session->workspace()->system.levels[1].count, std::int64_t(4));
}

QTEST_MAIN(TestSystemLevels)
#include "tst_system_levels.moc"
