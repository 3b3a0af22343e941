// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

#include "support/fixtures.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/system/levels_model.h"
#include "views/system/system_canvas.h"
#include "views/system/system_perspective.h"
#include "views/system/system_text.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;
using p2::test::cellText;
using p2::test::childOf;
using p2::test::typeIntoCell;

/// The system perspective, driven by mouse and keys.
class TestSystemPerspective : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void editsABandwidthAndUndoes();
  void keepsABadBandwidthUntilMended();
  void aNumberAloneHasTheUnitShown();
  void aSlipInATableIsQuestioned();
  void aSlipInAFieldIsQuestioned();
  void notesAreEditedAndUndone();
  void choosesAKind();
  void addsMovesAndRemovesLevelsByKeys();
  void allFiguresAreInSight_data();
  void allFiguresAreInSight();
  void choosesAPreset();
  void readsASystemAsText();
  void systemsBringTheirModel();
  void editsTheModel();
  void namesWhatIsUnderTheMouse();
  void everyControlIsNamed();
  void closesWithAnOpenEditor();

 private:
  [[nodiscard]] QString system() const { return *systemText(m_session->workspace()->system); }
  [[nodiscard]] QTableView& table() const { return childOf<QTableView>(*m_perspective, "levelsTable"); }
  [[nodiscard]] QLabel& label(const char* name) const { return childOf<QLabel>(*m_perspective, name); }

  std::unique_ptr<Session> m_session;
  std::unique_ptr<SystemPerspective> m_perspective;
};

void TestSystemPerspective::initTestCase() {
  QTest::failOnWarning(QRegularExpression("^(?!.*propagateSizeHints).*"));
  Theme::apply(Theme::Scheme::Light);
}

void TestSystemPerspective::init() {
  m_session = std::make_unique<Session>();
  m_perspective = std::make_unique<SystemPerspective>(*m_session);
  m_session->reset(test::workspaceOf("node:2 gpu:4", "data=8", "data"));
  m_perspective->resize(1200, 800);
  m_perspective->show();
  m_perspective->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(m_perspective.get()));
  for (const char* fold : {"modelFold", "notesFold"}) {
    QTest::mouseClick(&childOf<QToolButton>(*m_perspective, fold), Qt::LeftButton);
  }
}

void TestSystemPerspective::cleanup() {
  m_perspective.reset();
  m_session.reset();
}

void TestSystemPerspective::editsABandwidthAndUndoes() {
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

void TestSystemPerspective::keepsABadBandwidthUntilMended() {
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

void TestSystemPerspective::aNumberAloneHasTheUnitShown() {
  typeIntoCell(table(), 1, LevelsModel::Bandwidth, "100");
  QCOMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@100GB/s"));
  typeIntoCell(table(), 1, LevelsModel::Bandwidth, "12,5");
  QCOMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@12.5GB/s"));
  auto& bytes = childOf<QLineEdit>(*m_perspective, "optionBytes");
  bytes.setFocus();
  bytes.selectAll();
  QTest::keyClicks(&bytes, "0,5");
  QTest::keyClick(&bytes, Qt::Key_Return);
  QCOMPARE(m_session->workspace()->options.cost.bytes, Bytes(536870912.0));
}

void TestSystemPerspective::aSlipInATableIsQuestioned() {
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

void TestSystemPerspective::aSlipInAFieldIsQuestioned() {
  auto& bytes = childOf<QLineEdit>(*m_perspective, "optionBytes");
  bytes.setFocus();
  bytes.selectAll();
  QTest::keyClicks(&bytes, "5B");
  QTest::keyClick(&bytes, Qt::Key_Return);
  QCOMPARE(m_session->workspace()->options.cost.bytes, Bytes(2147483648.0));
  QVERIFY(label("optionBytesProblem").text().contains("Press Enter again"));
  // Going elsewhere is no answer.
  QTest::keyClick(&bytes, Qt::Key_Tab);
  QCOMPARE(m_session->workspace()->options.cost.bytes, Bytes(2147483648.0));
  bytes.setFocus();
  QTest::keyClick(&bytes, Qt::Key_Return);
  QCOMPARE(m_session->workspace()->options.cost.bytes, Bytes(5.0));
  QVERIFY(label("optionBytesProblem").isHidden());
}

void TestSystemPerspective::notesAreEditedAndUndone() {
  auto& notes = childOf<QPlainTextEdit>(*m_perspective, "notes");
  QVERIFY(notes.isVisible());
  QTest::mouseClick(notes.viewport(), Qt::LeftButton);
  QTest::keyClicks(&notes, "ask Ann");
  QTest::keyClick(&notes, Qt::Key_Return);
  QTest::keyClicks(&notes, "and Bob");
  QCOMPARE(m_session->workspace()->notes, std::string("ask Ann\nand Bob"));
  QCOMPARE(m_session->undoStack().count(), 2);
  m_session->undoStack().undo();
  QCOMPARE(notes.toPlainText(), QStringLiteral("ask Ann"));
  m_session->undoStack().undo();
  QCOMPARE(notes.toPlainText(), QString());
  QVERIFY(m_session->undoStack().isClean());
  m_session->undoStack().redo();
  QCOMPARE(notes.toPlainText(), QStringLiteral("ask Ann"));
  m_session->reset(test::workspaceOf("node:2 gpu:4", "data=8", "data"));
  QCOMPARE(notes.toPlainText(), QString());
}

void TestSystemPerspective::choosesAKind() {
  table().setCurrentIndex(table().model()->index(1, LevelsModel::Kind));
  table().setFocus();
  QTest::keyClick(&table(), Qt::Key_F2);
  auto& box = childOf<QComboBox>(table(), "cellEditor");
  QTest::keyClick(&box, Qt::Key_Down);
  QTest::keyClick(&box, Qt::Key_Return);
  QTRY_COMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@270GB/s,ring"));
}

void TestSystemPerspective::addsMovesAndRemovesLevelsByKeys() {
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

void TestSystemPerspective::allFiguresAreInSight_data() {
  QTest::addColumn<int>("width");
  QTest::newRow("a small screen") << 927;
  QTest::newRow("a large one") << 1343;
}

// The perspective's part of windows of 1024 and 1440 pixels.
void TestSystemPerspective::allFiguresAreInSight() {
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

void TestSystemPerspective::choosesAPreset() {
  auto& preset = childOf<QComboBox>(*m_perspective, "systemPreset");
  auto& nodes = childOf<QSpinBox>(*m_perspective, "systemNodes");
  QCOMPARE(preset.currentText(), QStringLiteral("own system"));
  QVERIFY(!nodes.isEnabled());
  preset.setFocus();
  QTest::keyClick(&preset, Qt::Key_Home);
  QCOMPARE(m_session->workspace()->system.name.substr(0, 9), std::string("gcp-a100:"));
  QVERIFY(nodes.isEnabled());
  nodes.setFocus();
  nodes.selectAll();
  QTest::keyClicks(&nodes, "4");
  QTest::keyClick(&nodes, Qt::Key_Return);
  QCOMPARE(system(), QStringLiteral("gcp-a100:4"));
  QCOMPARE(m_session->undoStack().count(), 1);
  QVERIFY(m_session->problem().has_value());
  QCOMPARE(label("systemSummary").text(), QStringLiteral("<b>4 nodes × 16 GPUs</b> · 64 devices"));
}

void TestSystemPerspective::readsASystemAsText() {
  auto& text = childOf<QLineEdit>(*m_perspective, "systemText");
  QCOMPARE(text.text(), QStringLiteral("node:2@8GB/s gpu:4@270GB/s"));
  text.selectAll();
  QTest::keyClicks(&text, "rack:1 gpu:x");
  QTest::keyClick(&text, Qt::Key_Return);
  QVERIFY(label("systemTextProblem").text().contains("\"gpu:x\" is not a level"));
  QCOMPARE(text.text(), QStringLiteral("rack:1 gpu:x"));
  QCOMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@270GB/s"));
  text.selectAll();
  QTest::keyClicks(&text, "rack:2 gpu:4@270GB/s,2us");
  QTest::keyClick(&text, Qt::Key_Return);
  QVERIFY(label("systemTextProblem").isHidden());
  QCOMPARE(table().model()->rowCount(), 2);
  QCOMPARE(cellText(table(), 1, LevelsModel::Latency), QStringLiteral("2.00 µs"));
}

void TestSystemPerspective::systemsBringTheirModel() {
  auto& model = childOf<QComboBox>(*m_perspective, "optionModel");
  auto& algorithm = childOf<QComboBox>(*m_perspective, "optionAlgorithm");
  QCOMPARE(model.currentText(), QStringLiteral("paper"));
  QVERIFY(model.toolTip().contains("paper leaves out: ") && model.toolTip().contains("nccl leaves out: "));
  QCOMPARE(algorithm.count(), 3);
  auto& preset = childOf<QComboBox>(*m_perspective, "systemPreset");
  const auto choosePreset = [&](const QString& name) {
    preset.setCurrentText(name);
    emit preset.activated(preset.currentIndex());
  };
  choosePreset("dgx-h100");
  QCOMPARE(m_session->workspace()->options.cost.model, std::string("nccl"));
  QCOMPARE(model.currentText(), QStringLiteral("nccl"));
  QCOMPARE(algorithm.currentText(), QStringLiteral("auto"));
  QCOMPARE(algorithm.count(), 7);
  // What was chosen against the system's own stays.
  model.setFocus();
  QTest::keyClick(&model, Qt::Key_Home);
  QCOMPARE(m_session->workspace()->options.cost.model, std::string("paper"));
  QCOMPARE(algorithm.currentText(), QStringLiteral("ring"));
  choosePreset("dgx-a100");
  QCOMPARE(m_session->workspace()->options.cost.model, std::string("paper"));
  QTest::keyClick(&model, Qt::Key_End);
  choosePreset("gcp-a100");
  QCOMPARE(m_session->workspace()->options.cost.model, std::string("paper"));
  QCOMPARE(m_session->workspace()->options.cost.algorithm, Algorithm::Ring);
}

void TestSystemPerspective::editsTheModel() {
  auto& bytes = childOf<QLineEdit>(*m_perspective, "optionBytes");
  QCOMPARE(bytes.text(), QStringLiteral("2GiB"));
  bytes.selectAll();
  QTest::keyClicks(&bytes, "a lot");
  QTest::keyClick(&bytes, Qt::Key_Return);
  QVERIFY(label("optionBytesProblem").text().contains("\"a lot\" is not a number of bytes"));
  QCOMPARE(m_session->workspace()->options.cost.bytes, Bytes(2147483648.0));
  bytes.selectAll();
  QTest::keyClicks(&bytes, "512 MB");
  QTest::keyClick(&bytes, Qt::Key_Return);
  QVERIFY(label("optionBytesProblem").isHidden());
  QCOMPARE(m_session->workspace()->options.cost.bytes, Bytes(512e6));

  auto& overlap = childOf<QCheckBox>(*m_perspective, "optionOverlap");
  QVERIFY(!overlap.isChecked());
  QTest::mouseClick(&overlap, Qt::LeftButton, Qt::NoModifier, QPoint(8, overlap.height() / 2));
  QVERIFY(overlap.isChecked() && m_session->workspace()->options.cost.overlap);
  m_session->undoStack().undo();
  QVERIFY(!overlap.isChecked() && !m_session->workspace()->options.cost.overlap);

  auto& limit = childOf<QSpinBox>(*m_perspective, "optionLimit");
  limit.setFocus();
  QTest::keyClick(&limit, Qt::Key_Up);
  QTest::keyClick(&limit, Qt::Key_Up);
  QCOMPARE(m_session->workspace()->options.sizeLimit, 7);
  auto& algorithm = childOf<QComboBox>(*m_perspective, "optionAlgorithm");
  algorithm.setFocus();
  QTest::keyClick(&algorithm, Qt::Key_End);
  QCOMPARE(m_session->workspace()->options.cost.algorithm, Algorithm::Auto);
  auto& rules = childOf<QComboBox>(*m_perspective, "optionRules");
  rules.setFocus();
  QTest::keyClick(&rules, Qt::Key_End);
  QCOMPARE(m_session->workspace()->options.rules, RuleSet::All);
  QCOMPARE(m_session->undoStack().count(), 4);
  m_session->undoStack().setIndex(0);
  QCOMPARE(bytes.text(), QStringLiteral("2GiB"));
  QCOMPARE(limit.value(), 5);
  QCOMPARE(algorithm.currentText(), QStringLiteral("ring"));
}

void TestSystemPerspective::namesWhatIsUnderTheMouse() {
  auto& canvas = childOf<SystemCanvas>(*m_perspective, "systemCanvas");
  const ShapeItem* device = canvas.drawn().itemOf({SystemPart::Kind::Level, 1, 5});
  test::moveMouseOver(*canvas.viewport(), canvas.mapFromScene(device->drawn().rect.center()));
  QTRY_COMPARE(label("systemHover").text(), QStringLiteral("device 5: gpu 1 of node 1"));
  QCOMPARE(m_session->hoveredDevice(), Device(5));
  test::moveMouseOver(*canvas.viewport(), {2, 2});
  QTRY_COMPARE(label("systemHover").text(), QString());
  QCOMPARE(m_session->hoveredDevice(), Device());
}

void TestSystemPerspective::everyControlIsNamed() {
  for (const QWidget* widget : m_perspective->findChildren<QWidget*>()) {
    const bool control = qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QComboBox*>(widget) ||
                         qobject_cast<const QSpinBox*>(widget) || qobject_cast<const QTableView*>(widget);
    if (!control || widget->objectName().startsWith("qt_")) continue;
    QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
    QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
    QVERIFY2(widget->focusPolicy() != Qt::NoFocus, qPrintable(widget->objectName()));
  }
}

void TestSystemPerspective::closesWithAnOpenEditor() {
  const QModelIndex index = table().model()->index(1, LevelsModel::Count);
  table().setCurrentIndex(index);
  table().edit(index);
  QTest::keyClicks(&childOf<QLineEdit>(table(), "cellEditor"), "8");
  m_perspective.reset();
  QCoreApplication::sendPostedEvents();
  QCOMPARE(m_session->workspace()->system.levels[1].count, std::int64_t(4));
}

QTEST_MAIN(TestSystemPerspective)
#include "tst_system_perspective.moc"
