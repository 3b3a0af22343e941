// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>

#include "system/interconnects.h"
#include "tests/views/system/editor_desk.h"
#include "views/system/part_fields.h"
#include "views/system/system_problems.h"
#include "workspace/presets.h"

using namespace p2;
using namespace p2::views;
using p2::test::childOf;
using Kind = SystemPart::Kind;

/// What the drawing says of a system: what is wrong with it, what it costs, what it carries.
class TestSystemEditorNotes : public QObject, private test::EditorDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void keepsBadInputUntilMended_data();
  void keepsBadInputUntilMended();
  void questionsSlips();
  void tellsWhatIsWrongAndGoesThere();
  void goesToThePartAnErrorNames();
  void notesWhatIsAssumed();
  void notesWhatCostsNothing();
  void notesWhatIsDown();
  void writesToAllThatIsSelected();
  void showsLoads();
  void mapsLargeDrawings();
  void exportsTheDrawing_data();
  void exportsTheDrawing();
  void everyControlIsNamed();
};

void TestSystemEditorNotes::keepsBadInputUntilMended_data() {
  QTest::addColumn<QByteArray>("field");
  QTest::addColumn<QString>("typed");
  QTest::addColumn<QString>("says");
  QTest::addColumn<QString>("mended");
  QTest::newRow("no bandwidth") << QByteArray("partBandwidth") << "0"
                                << "is not a bandwidth"
                                << "1GB/s";
  QTest::newRow("negative") << QByteArray("partBandwidth") << "-5GB/s"
                            << "is not a bandwidth"
                            << "1GB/s";
  QTest::newRow("infinite") << QByteArray("partBandwidth") << "inf"
                            << "is not a bandwidth"
                            << "1GB/s";
  QTest::newRow("beyond") << QByteArray("partBandwidth") << "1e30"
                          << "out of range"
                          << "1GB/s";
  QTest::newRow("time") << QByteArray("partLatency") << "-2us"
                        << "is not a time"
                        << "3µs";
  QTest::newRow("taken") << QByteArray("partName") << "gpu"
                         << "used twice"
                         << "NIC";
  QTest::newRow("nameless") << QByteArray("partName") << ""
                            << "needs a name"
                            << "NIC";
  QTest::newRow("no instances") << QByteArray("partInstances") << "0"
                                << "not a number of instances"
                                << "2";
  QTest::newRow("too many") << QByteArray("partInstances") << "99999999999"
                            << "not a number of instances"
                            << "2";
  QTest::newRow("nobody") << QByteArray("partMembers") << "gpus"
                          << "neither a level nor a network"
                          << "gpu 0-1";
  QTest::newRow("backwards") << QByteArray("partMembers") << "gpu 3-1"
                             << "ends before it begins"
                             << "gpu 1-3";
}

void TestSystemEditorNotes::keepsBadInputUntilMended() {
  QFETCH(QByteArray, field);
  QFETCH(QString, typed);
  QFETCH(QString, says);
  QFETCH(QString, mended);
  show("node:2 gpu:4");
  dragFromPalette("paletteSwitch", pointOf({Kind::Level, 0}));
  const System before = system();
  type(field, typed);
  QCOMPARE(system(), before);
  auto& problem = childOf<QLabel>(*editor, (field + "Problem").constData());
  QVERIFY(problem.isVisible());
  QVERIFY2(problem.text().contains(says), qPrintable(problem.text()));
  type("partLatency", field == "partLatency" ? typed : "7us");
  QCOMPARE(childOf<QLineEdit>(*editor, field).text(), typed);
  type(field, mended);
  QVERIFY(!problem.isVisible());
  QVERIFY(system() != before);
  QCOMPARE(childOf<QLineEdit>(*editor, field).text(), mended);
}

void TestSystemEditorNotes::questionsSlips() {
  show("node:2@8GB/s gpu:4@270GB/s");
  click({Kind::Level, 1});
  type("partBandwidth", "100");
  QCOMPARE(system().levels[1].interconnect.bandwidth, 100e9);
  type("partBandwidth", "100B/s");
  QCOMPARE(system().levels[1].interconnect.bandwidth, 100e9);
  auto& problem = childOf<QLabel>(*editor, "partBandwidthProblem");
  QVERIFY(problem.isVisible());
  QVERIFY2(problem.text().contains("1 billion times less than 100 GB/s"), qPrintable(problem.text()));
  auto& field = childOf<QLineEdit>(*editor, "partBandwidth");
  QTest::keyClick(&field, Qt::Key_Tab);
  QCOMPARE(system().levels[1].interconnect.bandwidth, 100e9);
  field.setFocus();
  QTest::keyClick(&field, Qt::Key_Return);
  QCOMPARE(system().levels[1].interconnect.bandwidth, 100.0);
  QVERIFY(!problem.isVisible());
}

void TestSystemEditorNotes::tellsWhatIsWrongAndGoesThere() {
  show("node:2@25GB/s gpu:4@300GB/s");
  auto& problems = childOf<ProblemList>(*editor, "systemProblems");
  QVERIFY(!problems.isVisible());
  dragFromPalette("paletteSwitch", pointOf({Kind::Level, 0}));
  type("partInstances", "3");
  QVERIFY(problems.isVisible());
  QVERIFY2(problems.item(0)->text().contains("cannot be assigned to 3 instances"),
           qPrintable(problems.item(0)->text()));
  canvas().drawn().select({});
  problems.setCurrentRow(0);
  QTest::mouseClick(problems.viewport(), Qt::LeftButton, {}, problems.visualItemRect(problems.item(0)).center());
  QCOMPARE(canvas().drawn().selectedParts().size(), std::size_t(1));
  QCOMPARE(canvas().drawn().selectedParts()[0].kind, Kind::Network);
  QVERIFY(childOf<QLineEdit>(*editor, "partInstances").hasFocus());
  type("partInstances", "2");
  QVERIFY(!problems.isVisible());
}

// The place of an error decides, whatever names its sentence mentions first.
void TestSystemEditorNotes::goesToThePartAnErrorNames() {
  System system = test::valueOf(parseSystem("node:2@25GB/s gpu:4@300GB/s"));
  system.networks = {test::networkOf(InterconnectKind::Switch, 8e9, "NIC", "node", 3, "gpu")};
  const auto checked = validated(system);
  QVERIFY(!checked.ok());
  const std::vector<SystemProblem> problems = problemsOf(system, checked.error().within("node gpu"));
  QCOMPARE(problems.size(), std::size_t(1));
  QVERIFY(problems[0].sentence.startsWith("node gpu: network NIC: 4 gpu cannot be assigned"));
  QCOMPARE(problems[0].part, (std::optional<SystemPart>{{Kind::Network, 0}}));
  QCOMPARE(problems[0].property, QString("instances"));
  system.networks.clear();
  QVERIFY(!problemsOf(system, checked.error())[0].part.has_value());
  QVERIFY(!problemsOf(system, Error{"the axes do not fit gpu"})[0].part.has_value());
}

// Until somebody says what there is.
void TestSystemEditorNotes::notesWhatIsAssumed() {
  show("node:2 gpu:4@300GB/s");
  auto& problems = childOf<ProblemList>(*editor, "systemProblems");
  QVERIFY(problems.isVisible());
  QCOMPARE(problems.count(), 1);
  QVERIFY2(problems.item(0)->text().startsWith("ℹ assumed bandwidths: 8.00 GB/s between"),
           qPrintable(problems.item(0)->text()));
  problems.setCurrentRow(0);
  QTest::mouseClick(problems.viewport(), Qt::LeftButton, {}, problems.visualItemRect(problems.item(0)).center());
  QCOMPARE(canvas().drawn().selectedParts()[0].index, 0);
  type("partBandwidth", "50GB/s");
  QCOMPARE(system().levels[0].interconnect.bandwidth, 50e9);
  QTRY_VERIFY2(!problems.isVisible(), qPrintable(problems.count() > 0 ? problems.item(0)->text() : QString()));
}

void TestSystemEditorNotes::notesWhatCostsNothing() {
  show("rack:1@100GB/s node:2@25GB/s gpu:4@300GB/s");
  auto& problems = childOf<ProblemList>(*editor, "systemProblems");
  QTRY_VERIFY(desk->session.isCurrent());
  QVERIFY(problems.isVisible());
  QCOMPARE(problems.count(), 1);
  QVERIFY2(problems.item(0)->text().startsWith("ℹ level rack has one instance"), qPrintable(problems.item(0)->text()));
  problems.setCurrentRow(0);
  QTest::mouseClick(problems.viewport(), Qt::LeftButton, {}, problems.visualItemRect(problems.item(0)).center());
  QCOMPARE(canvas().drawn().selectedParts()[0].index, 0);
  type("partCount", "2");
  // The axes are too few now, which is another matter.
  for (int i = 0; i < problems.count(); ++i) QVERIFY(!problems.item(i)->text().startsWith("ℹ"));
}

// Parts that are down or slow are named wherever the drawing shows, from whichever page they come.
void TestSystemEditorNotes::notesWhatIsDown() {
  const auto systemNote = [](const System& system) {
    QString text;
    for (const SystemProblem& each : problemsOf(system, {})) {
      if (each.sentence.startsWith("down, slow or shared: ")) text = each.sentence;
    }
    return text;
  };
  System system = presetSystem("dgx-h100", 4).value();
  QCOMPARE(systemNote(system), QString());
  system.disabled = {"NIC 0 of node 2"};
  system.states = {{"node 1", 0.8, 1}};
  QCOMPARE(systemNote(system), QString("down, slow or shared: NIC 0 of node 2: down; node 1: 80%"));
  for (const char* more : {"NIC 1 of node 2", "NIC 2 of node 2", "NIC 3 of node 2"}) system.disabled.emplace_back(more);
  QVERIFY2(systemNote(system).endsWith("NIC 2 of node 2: down; 2 more"), qPrintable(systemNote(system)));
}

void TestSystemEditorNotes::writesToAllThatIsSelected() {
  show("node:2@8GB/s,3us gpu:4@270GB/s,3us");
  dragFromPalette("paletteSwitch", pointOf({Kind::Level, 0}));
  type("partBandwidth", "25GB/s");
  click({Kind::Level, 1});
  click({Kind::Network, 0}, Qt::ControlModifier);
  auto& bandwidth = childOf<QLineEdit>(*editor, "partBandwidth");
  QVERIFY(editor->findChild<QLineEdit*>("partName") == nullptr);
  QCOMPARE(bandwidth.text(), QString());
  QCOMPARE(bandwidth.placeholderText(), QString("several"));
  type("partBandwidth", "50GB/s");
  QCOMPARE(system().levels[1].interconnect.bandwidth, 50e9);
  QCOMPARE(system().networks[0].interconnect.bandwidth, 50e9);
  QCOMPARE(system().levels[0].interconnect.bandwidth, 8e9);
  QCOMPARE(bandwidth.text(), QString("50GB/s"));
  desk->session.undoStack().undo();
  QCOMPARE(system().levels[1].interconnect.bandwidth, 270e9);
}

void TestSystemEditorNotes::showsLoads() {
  show("node:2 gpu:4");
  auto& busiest = childOf<QLabel>(*editor, "busiestLink");
  editor->setLoads({{"node 0 ↑", {1, "2 GB, 0.3 s"}}, {"gpu 1 of node 0 ↑", {0.5, "1 GB, 0.1 s"}}});
  QVERIFY(busiest.isVisible());
  QCOMPARE(busiest.text(), QString("Busiest: node 0 ↑: 2 GB, 0.3 s"));
  int loaded = 0;
  for (const auto& shape : canvas().drawn().drawing().shapes) {
    loaded += loadOf(shape, canvas().drawn().loads()) != nullptr ? 1 : 0;
  }
  QCOMPARE(loaded, 2);
  QCOMPARE(canvas().drawn().labels().size(), std::size_t(2));
  QCOMPARE(canvas().drawn().labels()[0].text, QString("2 GB"));
  auto& list = childOf<QListWidget>(*editor, "busiestLinks");
  QCOMPARE(list.count(), 2);
  QCOMPARE(list.item(1)->text(), QString("gpu 1 of node 0 ↑\n1 GB, 0.1 s, 50 %"));
  QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(1)).center());
  QCOMPARE(canvas().drawn().selectedParts()[0].names.front(), std::string("gpu 1 of node 0 ↑"));
  canvas().drawn().select({});
  const QImage with = canvas().grab().toImage();
  editor->setLoads({});
  QVERIFY(!busiest.isVisible());
  QVERIFY(canvas().grab().toImage() != with);
}

void TestSystemEditorNotes::mapsLargeDrawings() {
  show("gcp-a100:4");
  auto& map = childOf<QWidget>(*editor, "miniMap");
  QVERIFY(!map.isVisible());
  for (int i = 0; i < 6; ++i) QTest::keyClick(&canvas(), Qt::Key_Plus, Qt::ControlModifier);
  QVERIFY(map.isVisible());
  const QPointF before = canvas().mapToScene(QPoint(0, 0));
  QTest::mouseClick(&map, Qt::LeftButton, {}, {10, 10});
  QVERIFY(canvas().mapToScene(QPoint(0, 0)) != before);
  QTest::keyClick(&canvas(), Qt::Key_0, Qt::ControlModifier);
  QVERIFY(!map.isVisible());
}

void TestSystemEditorNotes::exportsTheDrawing_data() {
  QTest::addColumn<QString>("suffix");
  QTest::addColumn<QByteArray>("begins");
  QTest::newRow("png") << "png" << QByteArray("\x89PNG");
  QTest::newRow("svg") << "svg" << QByteArray("<?xml");
  QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
  QTest::newRow("txt") << "txt" << QByteArray("gcp-a100:2, 32 devices\n");
}

void TestSystemEditorNotes::exportsTheDrawing() {
  QFETCH(QString, suffix);
  QFETCH(QByteArray, begins);
  show("gcp-a100:2");
  const QString path = folder->filePath("drawing." + suffix);
  childOf<QAction>(*editor, "systemExport").trigger();
  auto& dialog = childOf<QFileDialog>(*editor, "drawingDialog");
  dialog.selectFile(path);
  QMetaObject::invokeMethod(&dialog, "accept");
  QTRY_VERIFY(QFile::exists(path));
  QVERIFY(test::readFile(path).startsWith(begins));
}

void TestSystemEditorNotes::everyControlIsNamed() {
  show("node:2 gpu:4");
  dragFromPalette("paletteRing", pointOf({Kind::Level, 0}));
  for (const QWidget* widget : editor->findChildren<QWidget*>()) {
    const bool control = widget->inherits("QLineEdit") || widget->inherits("QComboBox") ||
                         widget->inherits("QAbstractButton") || widget->inherits("QListWidget") ||
                         widget->inherits("QGraphicsView");
    if (!control || widget->objectName().startsWith("qt_")) continue;
    QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
    QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
    QVERIFY2(!widget->toolTip().isEmpty() || widget->inherits("QGraphicsView"), qPrintable(widget->objectName()));
  }
}

QTEST_MAIN(TestSystemEditorNotes)
#include "tst_system_editor_notes.moc"
