// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/lesson/mark_grid.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;

namespace {

PaintGrid squareOf(int side) {
  PaintGrid grid;
  for (int i = 0; i < side; ++i) {
    grid.rows.push_back("chunk " + std::to_string(i));
    grid.columns.push_back("d" + std::to_string(i));
  }
  grid.right.assign(std::size_t(side) * std::size_t(side), false);
  grid.why.assign(grid.right.size(), "because");
  return grid;
}

QString marksText(const MarkGrid& grid) {
  QString text;
  for (const bool mark : grid.marks()) text += mark ? '#' : '.';
  return text;
}

}  // namespace

/// Cells are marked with the mouse and with the keyboard.
class TestMarkGrid : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void init();
  void aClickMarks();
  void draggingMarksAll();
  void keysWalkAndMark();
  void keysMarkLines();
  void enterAnswers();
  void wrongCellsAreTold();
  void aListIsOneColumn();
  void itGrowsWithItsText();
  void otherKeysGoOn();

 private:
  QPoint centre(std::size_t cell) { return m_grid->rectOf(cell).center(); }
  std::unique_ptr<MarkGrid> m_grid;
};

void TestMarkGrid::initTestCase() { Theme::apply(Theme::Scheme::Light); }

void TestMarkGrid::init() {
  test::failOnWarnings();
  m_grid = std::make_unique<MarkGrid>();
  m_grid->setGrid(squareOf(3));
  m_grid->resize(m_grid->sizeHint());
  m_grid->show();
  m_grid->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(m_grid.get()));
  m_grid->setFocus();
}

void TestMarkGrid::aClickMarks() {
  QSignalSpy marked(m_grid.get(), &MarkGrid::marked);
  QTest::mouseClick(m_grid.get(), Qt::LeftButton, {}, centre(4));
  QCOMPARE(marksText(*m_grid), QString("....#...."));
  QTest::mouseClick(m_grid.get(), Qt::LeftButton, {}, centre(4));
  QCOMPARE(marksText(*m_grid), QString("........."));
  QTest::mouseClick(m_grid.get(), Qt::RightButton, {}, centre(4));
  QCOMPARE(marksText(*m_grid), QString("........."));
  QCOMPARE(marked.count(), 2);
}

void TestMarkGrid::draggingMarksAll() {
  QTest::mousePress(m_grid.get(), Qt::LeftButton, {}, centre(0));
  QTest::mouseMove(m_grid.get(), centre(1));
  QTest::mouseMove(m_grid.get(), centre(2));
  QTest::mouseRelease(m_grid.get(), Qt::LeftButton, {}, centre(2));
  QCOMPARE(marksText(*m_grid), QString("###......"));
  QTest::mousePress(m_grid.get(), Qt::LeftButton, {}, centre(1));
  QTest::mouseMove(m_grid.get(), centre(2));
  QTest::mouseRelease(m_grid.get(), Qt::LeftButton, {}, centre(2));
  QCOMPARE(marksText(*m_grid), QString("#........"));
}

void TestMarkGrid::keysWalkAndMark() {
  for (const int key : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Space, Qt::Key_Down, Qt::Key_Down, Qt::Key_Left,
                        Qt::Key_Left, Qt::Key_Space}) {
    QTest::keyClick(m_grid.get(), Qt::Key(key));
  }
  QCOMPARE(marksText(*m_grid), QString("....#.#.."));
  QCOMPARE(m_grid->cursor(), std::size_t{6});
  QCOMPARE(m_grid->accessibleDescription(), QString("chunk 2, d0, marked"));
}

void TestMarkGrid::keysMarkLines() {
  QTest::keyClick(m_grid.get(), Qt::Key_Right);
  QTest::keyClick(m_grid.get(), Qt::Key_Space, Qt::ControlModifier);
  QCOMPARE(marksText(*m_grid), QString(".#..#..#."));
  QTest::keyClick(m_grid.get(), Qt::Key_Space, Qt::ShiftModifier);
  QCOMPARE(marksText(*m_grid), QString("###.#..#."));
  QTest::keyClick(m_grid.get(), Qt::Key_A, Qt::ControlModifier);
  QCOMPARE(marksText(*m_grid), QString("#########"));
  QTest::keyClick(m_grid.get(), Qt::Key_A, Qt::ControlModifier);
  QCOMPARE(marksText(*m_grid), QString("........."));
}

void TestMarkGrid::enterAnswers() {
  QSignalSpy answered(m_grid.get(), &MarkGrid::answered);
  QTest::keyClick(m_grid.get(), Qt::Key_Return);
  QCOMPARE(answered.count(), 1);
}

void TestMarkGrid::wrongCellsAreTold() {
  QSignalSpy reasons(m_grid.get(), &MarkGrid::reasonWanted);
  const QImage before = m_grid->grab().toImage();
  m_grid->setWrong({{4, "it never came here"}});
  QVERIFY(m_grid->grab().toImage() != before);
  QCOMPARE(m_grid->cursor(), std::size_t{4});
  QCOMPARE(reasons.last().first().toString(), QString());
  QVERIFY(m_grid->accessibleDescription().endsWith("wrong: it never came here"));
  QTest::keyClick(m_grid.get(), Qt::Key_Left);
  QTest::keyClick(m_grid.get(), Qt::Key_Right);
  QCOMPARE(reasons.last().first().toString(), QString("it never came here"));
  QTest::keyClick(m_grid.get(), Qt::Key_Left);
  QCOMPARE(reasons.last().first().toString(), QString());
  QTest::keyClick(m_grid.get(), Qt::Key_Space);
  QTest::keyClick(m_grid.get(), Qt::Key_Right);
  QCOMPARE(reasons.last().first().toString(), QString());
}

void TestMarkGrid::aListIsOneColumn() {
  PaintGrid list = squareOf(3);
  list.columns = {""};
  list.right.assign(3, false);
  list.why.assign(3, "because");
  m_grid->setGrid(list);
  m_grid->resize(m_grid->sizeHint());
  // The text belongs to its box.
  QTest::mouseClick(m_grid.get(), Qt::LeftButton, {}, {m_grid->width() - 4, centre(1).y()});
  QCOMPARE(marksText(*m_grid), QString(".#."));
}

void TestMarkGrid::itGrowsWithItsText() {
  const QSize before = m_grid->sizeHint();
  QFont font = m_grid->font();
  font.setPointSizeF(2 * font.pointSizeF());
  m_grid->setFont(font);
  QVERIFY(m_grid->sizeHint().width() > before.width() * 3 / 2);
  QVERIFY(m_grid->sizeHint().height() > before.height() * 13 / 10);
}

void TestMarkGrid::otherKeysGoOn() {
  m_grid->setGrid({});
  QTest::keyClick(m_grid.get(), Qt::Key_Down);
  QTest::keyClick(m_grid.get(), Qt::Key_Space);
  QVERIFY(m_grid->marks().empty());
}

QTEST_MAIN(TestMarkGrid)
#include "tst_mark_grid.moc"
