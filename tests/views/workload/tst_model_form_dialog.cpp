// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "text/text_file.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/widget_driver.h"
#include "views/workload/model_form_dialog.h"

using namespace p2;
using namespace p2::views;
using p2::test::childOf;

/// The form of a model and its degrees, driven by mouse and keys.
class TestModelFormDialog : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void beginsWithAModelThatFits();
  void followsWhatIsTyped();
  void refusesDegreesThatDoNotMultiply();
  void marksWhatIsNoNumber();
  void unfoldsWhatIsWrong();
  void takesOverAsOneEdit();
  void beginsWithTheDocumentsTraining();
  void beginsWithTheDocumentsModel();
  void beginsWithWhatWasSeen();
  void readsAConfig();
  void saysWhatIsWrongWithAFile();
  void isGoneWhileItGenerates();

 private:
  void choose(const QString& model);
  void type(const char* key, const QString& text);
  [[nodiscard]] QLabel& label(const char* name) const { return childOf<QLabel>(*m_dialog, name); }
  [[nodiscard]] QPushButton& accept() const { return childOf<QPushButton>(*m_dialog, "modelAccept"); }
  [[nodiscard]] QAbstractItemModel& entries() const { return *childOf<QTableView>(*m_dialog, "modelEntries").model(); }
  [[nodiscard]] QString field(const char* key) const {
    return childOf<QLineEdit>(*m_dialog, (QByteArray("modelField_") + key).constData()).text();
  }

  std::unique_ptr<Session> m_session;
  std::unique_ptr<ModelFormDialog> m_dialog;
};

void TestModelFormDialog::initTestCase() { Theme::apply(Theme::Scheme::Light); }

void TestModelFormDialog::init() {
  test::failOnWarnings();
  m_session = std::make_unique<Session>();
  m_session->reset(test::workspaceOf("node:8 gpu:8", "replicas=64", "replicas"));
  m_dialog = test::shown<ModelFormDialog>(*m_session, QSize(1160, 760));
  QVERIFY(m_dialog != nullptr);
  QTRY_VERIFY(accept().isEnabled());
}

void TestModelFormDialog::cleanup() {
  m_dialog.reset();
  m_session.reset();
}

void TestModelFormDialog::choose(const QString& model) {
  auto& source = childOf<QComboBox>(*m_dialog, "modelSource");
  source.setFocus();
  for (int i = 0; i < source.count() && !source.currentText().startsWith(model); ++i) {
    QTest::keyClick(&source, Qt::Key_Down);
  }
  QVERIFY2(source.currentText().startsWith(model), qPrintable(model));
}

void TestModelFormDialog::type(const char* key, const QString& text) {
  auto& line = childOf<QLineEdit>(*m_dialog, (QByteArray("modelField_") + key).constData());
  line.setFocus();
  line.selectAll();
  QTest::keyClicks(&line, text);
}

void TestModelFormDialog::beginsWithAModelThatFits() {
  QVERIFY(entries().rowCount() > 0);
  QVERIFY(label("modelFinding").text().contains("in a step"));
  QVERIFY(label("modelMessage").isHidden());
  choose("Llama 3.1 70B");
  QTRY_VERIFY(accept().isEnabled());
  QCOMPARE(field("layers"), QStringLiteral("80"));
  QCOMPARE(field("dp"), QStringLiteral("8"));
  QCOMPARE(field("tp"), QStringLiteral("8"));
  const QString reported = childOf<QTextBrowser>(*m_dialog, "modelTold").toPlainText();
  QVERIFY2(reported.contains("dp 8 on the 64 devices of this document; published with dp 32 on 256"),
           qPrintable(reported));
}

void TestModelFormDialog::followsWhatIsTyped() {
  choose("Llama 3.1 70B");
  QTRY_VERIFY(accept().isEnabled());
  const QString before = label("modelFinding").text();
  type("layers", "40");
  QTRY_VERIFY(accept().isEnabled() && label("modelFinding").text() != before);
  auto& zero = childOf<QComboBox>(*m_dialog, "modelField_sp");
  zero.setFocus();
  QTest::keyClick(&zero, Qt::Key_Home);
  QCOMPARE(zero.currentText(), QStringLiteral("none"));
  bool hasAllReduce = false;
  const auto seesAllReduce = [&] {
    hasAllReduce = false;
    for (int row = 0; row < entries().rowCount(); ++row) {
      hasAllReduce =
          hasAllReduce ||
          entries().index(row, ModelFormEntries::Entry).data().toString().endsWith("\nAllReduce over tensor");
    }
    return hasAllReduce;
  };
  QTRY_VERIFY(seesAllReduce());
}

void TestModelFormDialog::refusesDegreesThatDoNotMultiply() {
  choose("Llama 3.1 70B");
  QTRY_VERIFY(accept().isEnabled());
  type("tp", "4");
  QTRY_VERIFY(label("modelProblem_dp").isVisible());
  QVERIFY2(label("modelProblem_dp").text().contains("dp = 16 would fit"), qPrintable(label("modelProblem_dp").text()));
  QVERIFY(!accept().isEnabled());
  QVERIFY(entries().rowCount() > 0);
  QVERIFY(entries().index(0, 0).data(Qt::ForegroundRole).isValid());
  type("dp", "16");
  QTRY_VERIFY(accept().isEnabled());
  QVERIFY(label("modelProblem_dp").isHidden());
  QVERIFY(label("modelMessage").isHidden());
}

void TestModelFormDialog::marksWhatIsNoNumber() {
  type("hidden", "wide");
  QVERIFY(label("modelProblem_hidden").isVisible());
  QVERIFY(!accept().isEnabled());
  QCOMPARE(label("modelMessage").text(), QStringLiteral("✗ The list is out of date; correct the marked field."));
  type("hidden", "4096");
  QTRY_VERIFY(accept().isEnabled());
}

void TestModelFormDialog::unfoldsWhatIsWrong() {
  auto& more = childOf<QToolButton>(*m_dialog, "planMore");
  QVERIFY(!childOf<QLineEdit>(*m_dialog, "modelField_order").isVisible());
  QTest::mouseClick(&more, Qt::LeftButton);
  QVERIFY(childOf<QLineEdit>(*m_dialog, "modelField_order").isVisible());
  QTest::mouseClick(&more, Qt::LeftButton);
  type("order", "pp-tp");
  QTRY_VERIFY(label("modelProblem_order").isVisible());
}

void TestModelFormDialog::takesOverAsOneEdit() {
  choose("Llama 3.1 70B");
  QTRY_VERIFY(accept().isEnabled());
  QTest::mouseClick(&accept(), Qt::LeftButton);
  QVERIFY(m_dialog->isHidden());
  const Workspace taken = *m_session->workspace();
  QVERIFY(taken.workload.has_value());
  QVERIFY(checkWorkspace(taken).ok());
  QStringList axes;
  for (const Axis& axis : taken.axes) {
    axes += QString::fromStdString(axis.name) + (axis.reduce ? "*" : "=") + QString::number(axis.size);
  }
  QCOMPARE(axes.join(' '), QStringLiteral("data=8 tensor*8"));
  QCOMPARE(m_session->undoStack().count(), 1);
  QCOMPARE(m_session->undoStack().undoText(), QStringLiteral("Workload of Llama 3.1 70B"));
  m_session->undoStack().undo();
  QVERIFY(!m_session->workspace()->workload.has_value());
  QCOMPARE(m_session->workspace()->axes[0].name, std::string("replicas"));
}

// A second time, and after saving and opening, the form has what was typed the first time.
void TestModelFormDialog::beginsWithTheDocumentsTraining() {
  choose("Llama 3.1 70B");
  QTRY_VERIFY(accept().isEnabled());
  type("layers", "40");
  type("global_batch", "512");
  type("microbatches", "0");
  QTRY_VERIFY(accept().isEnabled());
  QTest::mouseClick(&accept(), Qt::LeftButton);
  const auto saved = workspaceFromJson(workspaceToJson(*m_session->workspace()));
  QVERIFY(saved.ok());
  m_dialog.reset();
  m_session->reset(*saved);
  m_dialog = test::shown<ModelFormDialog>(*m_session, QSize(1160, 760));
  QTRY_VERIFY(accept().isEnabled());
  QCOMPARE(childOf<QComboBox>(*m_dialog, "modelSource").currentText(), QString("Llama 3.1 70B, as in the document"));
  QCOMPARE(field("layers"), QStringLiteral("40"));
  QCOMPARE(field("tp"), QStringLiteral("8"));
  QCOMPARE(field("dp"), QStringLiteral("8"));
  QCOMPARE(field("global_batch"), QStringLiteral("512"));
  type("tp", "4");
  type("dp", "16");
  QTRY_VERIFY(accept().isEnabled());
}

void TestModelFormDialog::beginsWithTheDocumentsModel() {
  Workspace workspace = *m_session->workspace();
  workspace.training.model = "llama3-70b";
  workspace.training.batch = 256;
  workspace.training.sequence = 2048;
  m_dialog.reset();
  m_session->reset(workspace);
  m_dialog = test::shown<ModelFormDialog>(*m_session, QSize(1160, 760));
  QTRY_VERIFY(accept().isEnabled());
  QCOMPARE(childOf<QComboBox>(*m_dialog, "modelSource").currentText(), QString("llama3-70b, as in the document"));
  QCOMPARE(field("layers"), QStringLiteral("80"));
  QCOMPARE(field("dp"), QStringLiteral("64"));
  QCOMPARE(field("global_batch"), QStringLiteral("256"));
  QCOMPARE(field("sequence"), QStringLiteral("2048"));
}

void TestModelFormDialog::beginsWithWhatWasSeen() {
  choose("ResNet-50");
  QTRY_COMPARE(entries().rowCount(), 5);
  QVERIFY(!childOf<QLineEdit>(*m_dialog, "modelField_layers").isEnabled());
  QTRY_VERIFY(accept().isEnabled());
  choose("a config.json");
  QVERIFY(childOf<QLineEdit>(*m_dialog, "modelField_layers").isEnabled());
  QVERIFY(childOf<QLineEdit>(*m_dialog, "modelConfigPath").isEnabled());
  QTRY_VERIFY(label("modelProblem_layers").isVisible());
}

void TestModelFormDialog::readsAConfig() {
  QTemporaryDir folder;
  const QString path = folder.filePath("config.json");
  QVERIFY(writeTextFile(path.toStdString(),
                        R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192,
                            "num_attention_heads": 32, "num_key_value_heads": 8, "num_hidden_layers": 16,
                            "vocab_size": 128256, "torch_dtype": "bfloat16"})")
              .ok());
  choose("a config.json");
  auto& line = childOf<QLineEdit>(*m_dialog, "modelConfigPath");
  line.setFocus();
  QTest::keyClicks(&line, path);
  QTest::keyClick(&line, Qt::Key_Return);
  QTRY_COMPARE(field("layers"), QStringLiteral("16"));
  QVERIFY(m_dialog->isVisible());
  QCOMPARE(field("dp"), QStringLiteral("64"));
  QTRY_VERIFY(accept().isEnabled());
  QVERIFY(childOf<QTextBrowser>(*m_dialog, "modelTold").toPlainText().contains("num_hidden_layers"));
}

void TestModelFormDialog::saysWhatIsWrongWithAFile() {
  QTemporaryDir folder;
  const QString path = folder.filePath("config.json");
  QVERIFY(writeTextFile(path.toStdString(), R"({"model_type": "clairvoyant"})").ok());
  m_dialog->readConfig(path);
  QTRY_VERIFY2(label("modelMessage").text().contains("num_hidden_layers"), qPrintable(label("modelMessage").text()));
  QVERIFY(!accept().isEnabled());
  m_dialog->readConfig(folder.filePath("nowhere.json"));
  QTRY_VERIFY(label("modelMessage").text().contains("nowhere.json"));
}

void TestModelFormDialog::isGoneWhileItGenerates() {
  type("layers", "48");
  m_dialog.reset();
  QTRY_VERIFY(m_session->jobs().running().empty());
  QVERIFY(!m_session->workspace()->workload.has_value());
}

QTEST_MAIN(TestModelFormDialog)
#include "tst_model_form_dialog.moc"
