// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QTextBrowser>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/system/import_dialog.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;
using p2::test::childOf;

/// Importing a system, driven by mouse and keys.
class TestImportDialog : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void importsAFile();
  void browsesForAFile();
  void readsPastedAndDroppedText();
  void readsADescriptionAsItIsTyped();
  void readsThisMachine();
  void joinsSeveralMachines();
  void takesOtherSpeedsThanAssumed();
  void takesOtherCardsThanAssumed();
  void readsNumbersAsTheyAreShown();
  void importsDifferentMachinesTogether();
  void saysWhatIsWrongAndStaysUntilMended_data();
  void saysWhatIsWrongAndStaysUntilMended();
  void importsNothingThatWasNotRead();
  void cancelChangesNothing();
  void everyControlIsNamed();

 private:
  static QString data(const char* name) { return QStringLiteral(P2_TEST_DATA "/import/") + name; }
  void typePath(const QString& path) const;
  void chooseSource(int row) const;
  void typeDescription(const QString& text) const;
  [[nodiscard]] QString preview() const { return childOf<QTextBrowser>(*m_dialog, "importPreview").toPlainText(); }
  [[nodiscard]] QPushButton& accept() const { return childOf<QPushButton>(*m_dialog, "importAccept"); }
  [[nodiscard]] QLabel& message() const { return childOf<QLabel>(*m_dialog, "importMessage"); }
  [[nodiscard]] std::string shape() const { return shapeOf(m_session->workspace()->system); }

  std::unique_ptr<Session> m_session;
  std::unique_ptr<ImportDialog> m_dialog;
};

void TestImportDialog::initTestCase() { Theme::apply(Theme::Scheme::Light); }

void TestImportDialog::init() {
  test::failOnWarnings();
  m_session = std::make_unique<Session>();
  m_session->reset(test::workspaceOf("node:2 gpu:4", "data=8", "data"));
  m_dialog = test::shown<ImportDialog>(*m_session, {640, 560});
  QVERIFY(m_dialog != nullptr);
}

void TestImportDialog::cleanup() {
  m_dialog.reset();
  m_session.reset();
}

void TestImportDialog::typePath(const QString& path) const {
  auto& field = childOf<QLineEdit>(*m_dialog, "importPath");
  field.selectAll();
  QTest::keyClicks(&field, path);
  QTest::keyClick(&field, Qt::Key_Return);
}

void TestImportDialog::chooseSource(int row) const {
  auto& source = childOf<QComboBox>(*m_dialog, "importSource");
  QTest::keyClick(&source, Qt::Key_Home);
  for (int i = 0; i < row; ++i) QTest::keyClick(&source, Qt::Key_Down);
}

void TestImportDialog::typeDescription(const QString& text) const {
  chooseSource(2);
  auto& field = childOf<QLineEdit>(*m_dialog, "importDescription");
  field.selectAll();
  QTest::keyClicks(&field, text);
}

void TestImportDialog::importsAFile() {
  QVERIFY(!accept().isEnabled());
  typePath(data("smi-nvswitch.txt"));
  QTRY_VERIFY(accept().isEnabled());
  QVERIFY(message().isHidden());
  for (const char* part : {"nvidia-smi topo -m", "8 GPUs", "Understood", "Assumed"}) {
    QVERIFY2(preview().contains(part), qPrintable(preview()));
  }
  QCOMPARE(shape(), std::string("node:2 gpu:4"));
  QTest::mouseClick(&accept(), Qt::LeftButton);
  QCOMPARE(m_dialog->result(), int(QDialog::Accepted));
  QCOMPARE(m_session->workspace()->system.deviceCount(), std::int64_t(8));
  QCOMPARE(m_session->undoStack().count(), 1);
  m_session->undoStack().undo();
  QCOMPARE(shape(), std::string("node:2 gpu:4"));
}

void TestImportDialog::browsesForAFile() {
  QTest::mouseClick(&childOf<QPushButton>(*m_dialog, "importBrowse"), Qt::LeftButton);
  auto& dialog = childOf<QFileDialog>(*m_dialog, "importFileDialog");
  dialog.selectFile(data("hwloc-gpus.xml"));
  QMetaObject::invokeMethod(&dialog, "accept");
  QTRY_VERIFY(accept().isEnabled());
  QVERIFY(preview().contains("GPU"));
}

// What a terminal printed need not become a file first.
void TestImportDialog::readsPastedAndDroppedText() {
  QFile file(data("smi-nvswitch.txt"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray printed = file.readAll();
  chooseSource(3);
  QApplication::clipboard()->setText(QString::fromUtf8(printed));
  auto& text = childOf<QPlainTextEdit>(*m_dialog, "importText");
  text.setFocus();
  QTest::keyClick(&text, Qt::Key_V, Qt::ControlModifier);
  QTRY_VERIFY(accept().isEnabled());
  QVERIFY2(preview().contains("nvidia-smi topo -m"), qPrintable(preview()));
  // Its assumptions can be replaced like those of a file.
  auto& link = childOf<QLineEdit>(*m_dialog, "importGpuLink");
  QVERIFY2(link.placeholderText().contains("assumed"), qPrintable(link.placeholderText()));
  chooseSource(0);
  QVERIFY(!accept().isEnabled());
  QMimeData dropped;
  dropped.setText(QString::fromUtf8(printed));
  QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(m_dialog.get(), &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(m_dialog.get(), &drop);
  QTRY_VERIFY(accept().isEnabled());
  // The text describes a node; the document's two nodes stay, which is said.
  QVERIFY2(preview().contains("2 nodes, as the present system has"), qPrintable(preview()));
  QTest::mouseClick(&accept(), Qt::LeftButton);
  QCOMPARE(m_session->workspace()->system.deviceCount(), std::int64_t(16));
}

void TestImportDialog::readsADescriptionAsItIsTyped() {
  typeDescription("pack:2 core:4 pu:1");
  QTRY_VERIFY(accept().isEnabled() && preview().contains("×4"));
  QVERIFY(!childOf<QLineEdit>(*m_dialog, "importPath").isVisible());
  QTest::mouseClick(&accept(), Qt::LeftButton);
  QCOMPARE(m_session->workspace()->system.deviceCount(), std::int64_t(8));
}

void TestImportDialog::readsThisMachine() {
  chooseSource(1);
  // The helper that asks libhwloc is built with the importers.
  QTRY_VERIFY2(accept().isEnabled(), qPrintable(message().text()));
  QVERIFY(preview().contains("Understood"));
}

void TestImportDialog::joinsSeveralMachines() {
  typeDescription("pack:2 core:4 pu:1");
  auto& machines = childOf<QSpinBox>(*m_dialog, "importMachines");
  machines.setFocus();
  machines.selectAll();
  QTest::keyClicks(&machines, "3");
  QTest::keyClick(&machines, Qt::Key_Tab);
  QTRY_VERIFY2(accept().isEnabled() && preview().contains("3 nodes"), qPrintable(preview()));
  QTest::mouseClick(&accept(), Qt::LeftButton);
  QCOMPARE(m_session->workspace()->system.deviceCount(), std::int64_t(24));
}

void TestImportDialog::takesOtherSpeedsThanAssumed() {
  typePath(data("smi-nvswitch.txt"));
  QTRY_VERIFY(accept().isEnabled());
  auto& link = childOf<QLineEdit>(*m_dialog, "importGpuLink");
  QCOMPARE(link.placeholderText(), QString("25.0 GB/s, assumed"));
  QCOMPARE(childOf<QLineEdit>(*m_dialog, "importSocket").placeholderText(), QString("as described"));
  QTest::keyClicks(&link, "fast");
  QVERIFY(!accept().isEnabled());
  QTest::keyClick(&link, Qt::Key_Return);
  QTRY_VERIFY2(message().text().contains("NVLink or xGMI: "), qPrintable(message().text()));
  link.selectAll();
  QTest::keyClicks(&link, "50GB/s");
  QTest::keyClick(&link, Qt::Key_Return);
  QTRY_VERIFY2(accept().isEnabled() && preview().contains("600 GB/s"), qPrintable(preview()));
  QTest::mouseClick(&accept(), Qt::LeftButton);
  QCOMPARE(m_session->workspace()->system.levels[0].interconnect.bandwidth, 600e9);
}

// A number without a unit means the unit of the assumption, and what is most likely a slip is asked about.
void TestImportDialog::takesOtherCardsThanAssumed() {
  typeDescription("pack:2 core:4 pu:1");
  const auto choose = [this](const char* name, const char* count) {
    auto& box = childOf<QSpinBox>(*m_dialog, name);
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, count);
    QTest::keyClick(&box, Qt::Key_Tab);
  };
  choose("importMachines", "2");
  QTRY_VERIFY2(preview().contains("one network card in every machine"), qPrintable(preview()));
  QCOMPARE(childOf<QSpinBox>(*m_dialog, "importCards").text(), QString("1, assumed"));
  choose("importCards", "4");
  QTRY_VERIFY2(accept().isEnabled() && preview().contains("50.0 GB/s"), qPrintable(preview()));
  QVERIFY(!preview().contains("one network card"));
  QTest::mouseClick(&accept(), Qt::LeftButton);
  QCOMPARE(m_session->workspace()->system.levels[0].interconnect.bandwidth, 50e9);
}

void TestImportDialog::readsNumbersAsTheyAreShown() {
  typePath(data("smi-nvswitch.txt"));
  QTRY_VERIFY(accept().isEnabled());
  auto& link = childOf<QLineEdit>(*m_dialog, "importGpuLink");
  const auto type = [&link](const QString& text) {
    link.setFocus();
    link.selectAll();
    QTest::keyClicks(&link, text);
    QTest::keyClick(&link, Qt::Key_Return);
  };
  type("12,5");
  QTRY_VERIFY2(accept().isEnabled() && preview().contains("150 GB/s"), qPrintable(preview() + message().text()));
  type("50B/s");
  QTRY_VERIFY2(message().text().contains("times less than 25.0 GB/s"), qPrintable(message().text()));
  QVERIFY(!accept().isEnabled());
  QTest::keyClick(&link, Qt::Key_Return);
  QTRY_VERIFY2(accept().isEnabled(), qPrintable(message().text()));
  type("50");
  QTRY_VERIFY2(accept().isEnabled() && preview().contains("600 GB/s"), qPrintable(preview()));
  // Where nothing is assumed there is no unit to take.
  auto& socket = childOf<QLineEdit>(*m_dialog, "importSocket");
  socket.setFocus();
  QTest::keyClicks(&socket, "20");
  QTest::keyClick(&socket, Qt::Key_Return);
  QTRY_VERIFY2(message().text().contains("Sockets: \"20\" has no unit; write 20GB/s"), qPrintable(message().text()));
  QVERIFY(!accept().isEnabled());
}

void TestImportDialog::importsDifferentMachinesTogether() {
  typePath(data("smi-nvswitch.txt") + "; " + data("mi300-xgmi.xml"));
  QTRY_VERIFY2(accept().isEnabled(), qPrintable(message().text()));
  QTest::mouseClick(&accept(), Qt::LeftButton);
  QCOMPARE(m_session->workspace()->system.deviceCount(), std::int64_t(16));
}

void TestImportDialog::saysWhatIsWrongAndStaysUntilMended_data() {
  QTest::addColumn<QString>("path");
  QTest::addColumn<QString>("problem");
  QTest::newRow("missing") << data("nowhere.xml") << "there is no such file";
  QTest::newRow("a folder") << QStringLiteral(P2_TEST_DATA) << "it is a directory";
  QTest::newRow("unknown format") << data("bad-unknown.txt") << "bad-unknown.txt";
  QTest::newRow("broken") << data("bad-smi-cell.txt") << "line";
}

void TestImportDialog::saysWhatIsWrongAndStaysUntilMended() {
  QFETCH(QString, path);
  QFETCH(QString, problem);
  typePath(path);
  QTRY_VERIFY2(message().text().startsWith(QStringLiteral("✗")), qPrintable(message().text()));
  QVERIFY2(message().text().contains(problem), qPrintable(message().text()));
  QVERIFY(!accept().isEnabled());
  QVERIFY(m_dialog->isVisible());
  typePath(data("smi-nvswitch.txt"));
  QTRY_VERIFY(accept().isEnabled());
  QVERIFY(message().isHidden());
}

void TestImportDialog::importsNothingThatWasNotRead() {
  typePath(data("smi-nvswitch.txt"));
  QTRY_VERIFY(accept().isEnabled());
  QTest::keyClicks(&childOf<QLineEdit>(*m_dialog, "importPath"), "x");
  QVERIFY(!accept().isEnabled());
  QVERIFY(preview().isEmpty());
}

void TestImportDialog::cancelChangesNothing() {
  typePath(data("smi-nvswitch.txt"));
  QTRY_VERIFY(accept().isEnabled());
  QTest::keyClick(m_dialog.get(), Qt::Key_Escape);
  QCOMPARE(m_dialog->result(), int(QDialog::Rejected));
  QCOMPARE(m_session->undoStack().count(), 0);
}

void TestImportDialog::everyControlIsNamed() {
  for (const char* name :
       {"importSource", "importPath", "importBrowse", "importDescription", "importMachines", "importPreview",
        "importGpuLink", "importPcie", "importSocket", "importNic", "importOnChip"}) {
    const auto& widget = childOf<QWidget>(*m_dialog, name);
    QVERIFY2(!widget.accessibleName().isEmpty(), name);
    QVERIFY2(!widget.toolTip().isEmpty(), name);
    QVERIFY2(widget.focusPolicy() != Qt::NoFocus, name);
  }
}

QTEST_MAIN(TestImportDialog)
#include "tst_import_dialog.moc"
