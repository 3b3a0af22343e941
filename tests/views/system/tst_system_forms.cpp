// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/system/levels_model.h"
#include "views/system/system_canvas.h"
#include "views/system/system_perspective.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;
using p2::test::cellText;
using p2::test::childOf;

/// The room that drawing and forms of a system have, driven by mouse and keys.
class TestSystemForms : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() {
    test::failOnWarnings();
    m_session = std::make_unique<Session>();
    m_session->reset(test::workspaceOf("node:2 gpu:4", "data=8", "data"));
    m_perspective = test::shown<SystemPerspective>(*m_session, {1200, 800});
    QVERIFY(m_perspective != nullptr);
  }
  void cleanup() {
    m_perspective.reset();
    m_session.reset();
  }
  void theDrawingHasTheRoom();
  void theFormShowsWhatIsSelected();
  void figuresOfASiteAreTypedOneAfterTheOther();
  void escLeavesTheSelectionFirst();
  void joinsOfNothingHaveNoFigures();

 private:
  [[nodiscard]] QTableView& table() const { return childOf<QTableView>(*m_perspective, "levelsTable"); }

  std::unique_ptr<Session> m_session;
  std::unique_ptr<SystemPerspective> m_perspective;
};

void TestSystemForms::theDrawingHasTheRoom() {
  auto& canvas = childOf<SystemCanvas>(*m_perspective, "systemCanvas");
  for (const QSize size : {QSize(928, 600), QSize(1344, 800)}) {
    m_perspective->resize(size);
    QTRY_VERIFY2(canvas.width() > 0.6 * size.width(), qPrintable(QString::number(canvas.width())));
  }
}

void TestSystemForms::theFormShowsWhatIsSelected() {
  auto& canvas = childOf<SystemCanvas>(*m_perspective, "systemCanvas");
  auto& name = childOf<QLineEdit>(*m_perspective, "partName");
  QVERIFY(!name.isVisible());
  const QRect before = canvas.geometry();
  const ShapeItem* device = canvas.drawn().itemOf({SystemPart::Kind::Level, 1, 5});
  QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, canvas.mapFromScene(device->drawn().rect.center()));
  auto& shown = childOf<QLineEdit>(*m_perspective, "partName");
  QTRY_VERIFY(shown.isVisible());
  QCOMPARE(shown.text(), QString("gpu"));
  // Nothing moves under the mouse.
  QCOMPARE(canvas.geometry(), before);
}

void TestSystemForms::figuresOfASiteAreTypedOneAfterTheOther() {
  QTest::mouseClick(&childOf<QToolButton>(*m_perspective, "formFold"), Qt::LeftButton);
  const auto type = [&](const char* name, const QString& text) {
    auto& field = childOf<QLineEdit>(*m_perspective, name);
    QVERIFY2(field.isVisible(), name);
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Return);
    QCoreApplication::processEvents();
  };
  // What is not given stands as a word, not as a number.
  const auto& share = childOf<QLineEdit>(*m_perspective, "partNicShare");
  QCOMPARE(share.text(), QString());
  QCOMPARE(share.placeholderText(), QString("default"));
  type("partNicShare", "0.8");
  type("partCongestion", "0.2");
  type("partHop", "4us");
  const Library& library = m_session->workspace()->system.library;
  QCOMPARE(library.nicShare, 0.8);
  QCOMPARE(library.congestion, 0.2);
  QCOMPARE(library.hop, 4e-6);
  type("partNicShare", "0.8");
  auto& cleared = childOf<QLineEdit>(*m_perspective, "partNicShare");
  cleared.setFocus();
  cleared.clear();
  QTest::keyClick(&cleared, Qt::Key_Return);
  QCoreApplication::processEvents();
  QCOMPARE(m_session->workspace()->system.library.nicShare, 0.0);
  QVERIFY(childOf<QLineEdit>(*m_perspective, "partHop").isVisible());
}

void TestSystemForms::escLeavesTheSelectionFirst() {
  auto& canvas = childOf<SystemCanvas>(*m_perspective, "systemCanvas");
  QAction back;
  back.setShortcut(Qt::Key_Escape);
  m_perspective->addAction(&back);
  QSignalSpy left(&back, &QAction::triggered);
  canvas.setFocus();
  canvas.drawn().select({{SystemPart::Kind::Level, 1}});
  QTest::keyClick(&canvas, Qt::Key_Insert);
  auto& menu = childOf<QMenu>(*m_perspective, "insertMenu");
  QTRY_VERIFY(menu.isVisible());
  QTest::keyClick(&menu, Qt::Key_Escape);
  QVERIFY(!menu.isVisible());
  QCOMPARE(canvas.drawn().selectedParts().size(), std::size_t(1));
  QTest::keyClick(&canvas, Qt::Key_Escape);
  QVERIFY(canvas.drawn().selectedParts().empty());
  QCOMPARE(left.count(), 0);
  QTest::keyClick(&canvas, Qt::Key_Escape);
  QCOMPARE(left.count(), 1);
  m_perspective->removeAction(&back);
}

void TestSystemForms::joinsOfNothingHaveNoFigures() {
  m_session->reset(test::workspaceOf("dgx-h100:4", "data=32", "data"));
  QCOMPARE(cellText(table(), 0, LevelsModel::Bandwidth), QString("–"));
  QCOMPARE(cellText(table(), 0, LevelsModel::Latency), QString("–"));
  QCOMPARE(cellText(table(), 1, LevelsModel::Bandwidth), QString("450 GB/s"));
}

QTEST_MAIN(TestSystemForms)
#include "tst_system_forms.moc"
