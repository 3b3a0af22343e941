// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QPlainTextEdit>
#include <QSpinBox>

#include "views/shell/examples.h"
#include "views/system/system_canvas.h"
#include "views/system/system_desk.h"

using namespace p2;
using namespace p2::views;
using p2::test::cellText;
using p2::test::childOf;

/// The system perspective, driven by mouse and keys.
class TestSystemPerspective : public QObject, test::SystemDesk {
  Q_OBJECT

 private slots:
  void initTestCase() { prepare(); }
  void init() { open(); }
  void cleanup() { close(); }
  void aNumberAloneInAFieldHasTheUnitShown();
  void aSlipInAFieldIsQuestioned();
  void notesAreEditedAndUndone();
  void choosesAPreset();
  void anotherPresetHasNoNotesOfAnExample();
  void readsASystemAsText();
  void systemsBringTheirModel();
  void editsTheModel();
  void namesWhatIsUnderTheMouse();
  void everyControlIsNamed();
};

void TestSystemPerspective::aNumberAloneInAFieldHasTheUnitShown() {
  auto& bytes = childOf<QLineEdit>(*m_perspective, "optionBytes");
  bytes.setFocus();
  bytes.selectAll();
  QTest::keyClicks(&bytes, "0,5");
  QTest::keyClick(&bytes, Qt::Key_Return);
  QCOMPARE(m_session->workspace()->options.cost.bytes, Bytes(536870912.0));
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

void TestSystemPerspective::choosesAPreset() {
  auto& preset = childOf<QComboBox>(*m_perspective, "systemPreset");
  auto& nodes = childOf<QSpinBox>(*m_perspective, "systemNodes");
  QCOMPARE(preset.currentText(), QStringLiteral("own system"));
  QCOMPARE(nodes.text(), QStringLiteral("2 nodes"));
  preset.setFocus();
  QTest::keyClick(&preset, Qt::Key_Home);
  QCOMPARE(m_session->workspace()->system.name.substr(0, 9), std::string("gcp-a100:"));
  nodes.setFocus();
  nodes.selectAll();
  QTest::keyClicks(&nodes, "4");
  QTest::keyClick(&nodes, Qt::Key_Return);
  QCOMPARE(system(), QStringLiteral("gcp-a100:4"));
  QCOMPARE(m_session->undoStack().count(), 1);
  // The only axis takes all devices.
  QVERIFY(!m_session->problem().has_value());
  QCOMPARE(m_session->workspace()->axes.front().size, std::int64_t{64});
  QCOMPARE(label("systemSummary").text(), QStringLiteral("<b>4 nodes × 16 GPUs</b> · 64 devices"));
}

// The notes of an example describe its machine; those that were typed are kept.
void TestSystemPerspective::anotherPresetHasNoNotesOfAnExample() {
  auto& preset = childOf<QComboBox>(*m_perspective, "systemPreset");
  for (const bool typed : {false, true}) {
    Workspace example = test::valueOf(views::readExample("a100-4x16"));
    QVERIFY(!example.notes.empty());
    if (typed) example.notes += "; ask Ann";
    m_session->reset(example);
    preset.setCurrentIndex(preset.findText("dgx-h100"));
    emit preset.activated(preset.currentIndex());
    QVERIFY(m_session->workspace()->system.name.starts_with("dgx-h100"));
    QCOMPARE(m_session->workspace()->notes, typed ? example.notes : std::string());
  }
}

void TestSystemPerspective::readsASystemAsText() {
  auto& text = childOf<QLineEdit>(*m_perspective, "systemText");
  QCOMPARE(text.text(), QStringLiteral("node:2@8GB/s gpu:4@270GB/s"));
  // No latency is given, which is not one of 0 s.
  QCOMPARE(cellText(table(), 1, LevelsModel::Latency), QStringLiteral("–"));
  text.selectAll();
  QTest::keyClicks(&text, "rack:1 gpu:x");
  QTest::keyClick(&text, Qt::Key_Return);
  // The presets are in the list above.
  QCOMPARE(
      label("systemTextProblem").text(),
      QStringLiteral("✗ \"gpu:x\" is not a level; write name:count, as in gpu:8, or a preset: one of the list above"));
  QCOMPARE(text.text(), QStringLiteral("rack:1 gpu:x"));
  QCOMPARE(system(), QStringLiteral("node:2@8GB/s gpu:4@270GB/s"));
  text.selectAll();
  QTest::keyClicks(&text, "rack:2 gpu:4@270GB/s,2us");
  QTest::keyClick(&text, Qt::Key_Return);
  QVERIFY(label("systemTextProblem").isHidden());
  QCOMPARE(table().model()->rowCount(), 2);
  QCOMPARE(cellText(table(), 1, LevelsModel::Latency), QStringLiteral("2.00 µs"));
  // A preset brings the names of its networks.
  for (const char* preset : {"gcp-a100:4", "aws-trn1:2"}) {
    text.selectAll();
    QTest::keyClicks(&text, preset);
    QTest::keyClick(&text, Qt::Key_Return);
    QCOMPARE(text.text(), QString(preset));
  }
  QCOMPARE(m_session->workspace()->system.levels.front().interconnect.name, std::string("EFA"));
}

void TestSystemPerspective::systemsBringTheirModel() {
  auto& model = childOf<QComboBox>(*m_perspective, "optionModel");
  auto& algorithm = childOf<QComboBox>(*m_perspective, "optionAlgorithm");
  QCOMPARE(model.currentText(), QStringLiteral("paper"));
  QVERIFY(model.toolTip().contains("paper, not modelled: ") && model.toolTip().contains("nccl, not modelled: "));
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
  QCOMPARE(algorithm.count(), 8);
  // What was chosen against the system's own stays.
  model.setFocus();
  QTest::keyClick(&model, Qt::Key_Home);
  QCOMPARE(m_session->workspace()->options.cost.model, std::string("paper"));
  QCOMPARE(algorithm.currentText(), QStringLiteral("ring"));
  choosePreset("dgx-a100");
  QCOMPARE(m_session->workspace()->options.cost.model, std::string("paper"));
  QTest::keyClicks(&model, "nccl");
  QCOMPARE(m_session->workspace()->options.cost.model, std::string("nccl"));
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

QTEST_MAIN(TestSystemPerspective)
#include "tst_system_perspective.moc"
