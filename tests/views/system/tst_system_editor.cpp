// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include "support/fixtures.h"
#include "system/interconnects.h"
#include "views/common/theme.h"
#include "views/shell/document_desk.h"
#include "views/system/part_fields.h"
#include "views/system/part_palette.h"
#include "views/system/system_canvas.h"
#include "views/system/system_editor.h"
#include "views/system/system_problems.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;
using p2::test::childOf;
using Kind = SystemPart::Kind;

/// The system's drawing as a place to work in, driven by mouse and keys.
class TestSystemEditor : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void drawsThePaperNodeFromAnEmptyCanvas();
  void addsByKeysAlone();
  void joinsAllThatIsSelected();
  void connectsFromTheHandle();
  void refusesCycles();
  void keepsBadInputUntilMended_data();
  void keepsBadInputUntilMended();
  void questionsSlips();
  void reordersByDragAndByKeys();
  void putsOutOfOrder();
  void copiesAndPastes();
  void removesAndUndoes();
  void selectsByRubberBandAndArrows();
  void opensAnotherInstance();
  void tellsWhatIsWrongAndGoesThere();
  void goesToThePartAnErrorNames();
  void notesWhatCostsNothing();
  void showsLoads();
  void mapsLargeDrawings();
  void exportsTheDrawing_data();
  void exportsTheDrawing();
  void everyControlIsNamed();

 private:
  [[nodiscard]] System system() const { return m_desk->session.workspace()->system; }
  [[nodiscard]] SystemCanvas& canvas() const { return childOf<SystemCanvas>(*m_editor, "systemCanvas"); }
  void show(const QString& text);
  /// A point of the canvas where a part can be taken hold of.
  [[nodiscard]] QPoint pointOf(const SystemPart& part) const;
  void dragOnWindow(QPoint from, QPoint to) const;
  [[nodiscard]] QPoint onWindow(QPoint ofCanvas) const;
  void dragFromPalette(const char* button, QPoint to) const;
  void dragOnCanvas(QPoint from, QPoint to) const { dragOnWindow(onWindow(from), onWindow(to)); }
  void click(const SystemPart& part, Qt::KeyboardModifiers modifiers = {}) const;
  void type(const char* field, const QString& text) const;
  void fillForm(const System& wanted, const SystemPart& wantedPart) const;
  void buildNetwork(const System& wanted, int index) const;

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<test::Desk> m_desk;
  std::unique_ptr<SystemEditor> m_editor;
};

namespace {

constexpr QPoint kBeside{3, 3};  // the drawing keeps a margin

QString joined(const std::vector<std::string>& names) {
  QStringList list;
  for (const std::string& name : names) list += QString::fromStdString(name);
  return list.join("; ");
}

}  // namespace

void TestSystemEditor::initTestCase() {
  QTest::failOnWarning(QRegularExpression("^(?!.*This plugin does not support).*"));
  Theme::apply(Theme::Scheme::Light);
}

void TestSystemEditor::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_desk = std::make_unique<test::Desk>(m_folder->path());
  m_editor = test::shown<SystemEditor>(m_desk->session, {1100, 720});
  QVERIFY(m_editor != nullptr);
}

void TestSystemEditor::cleanup() {
  m_editor.reset();
  m_desk.reset();
  m_folder.reset();
}

void TestSystemEditor::show(const QString& text) {
  Workspace workspace;
  workspace.system = test::valueOf(parseSystem(text.toStdString()));
  workspace.axes = {{"data", workspace.system.deviceCount(), true}};
  m_desk->session.reset(std::move(workspace));
  canvas().setFocus();
}

QPoint TestSystemEditor::pointOf(const SystemPart& part) const {
  QCoreApplication::processEvents();  // what has just changed may still have to be laid out
  const ShapeItem* item = canvas().drawn().itemOf(part);
  if (item == nullptr) qFatal("the part is not drawn");
  const QRectF rect = item->drawn().rect;
  // Boxes are full of other things; their titles are not.
  const bool box = item->drawn().kind == SystemDrawing::Shape::Kind::Box;
  return canvas().mapFromScene(box ? rect.topLeft() + QPointF(30, kSystemTitleHeight / 2) : rect.center());
}

QPoint TestSystemEditor::onWindow(QPoint ofCanvas) const {
  return canvas().viewport()->mapTo(m_editor.get(), ofCanvas);
}

void TestSystemEditor::dragOnWindow(QPoint from, QPoint to) const {
  QWindow* window = m_editor->windowHandle();
  QTest::mousePress(window, Qt::LeftButton, {}, from);
  QTest::mouseMove(window, (from + to) / 2);
  QTest::mouseMove(window, to);
  QTest::mouseRelease(window, Qt::LeftButton, {}, to);
}

void TestSystemEditor::dragFromPalette(const char* button, QPoint to) const {
  auto& from = childOf<PaletteButton>(*m_editor, button);
  dragOnWindow(from.mapTo(m_editor.get(), from.rect().center()), onWindow(to));
}

void TestSystemEditor::click(const SystemPart& part, Qt::KeyboardModifiers modifiers) const {
  QTest::mouseClick(m_editor->windowHandle(), Qt::LeftButton, modifiers, onWindow(pointOf(part)));
}

void TestSystemEditor::type(const char* field, const QString& text) const {
  auto& line = childOf<QLineEdit>(*m_editor, field);
  line.setFocus();
  line.selectAll();
  QTest::keyClick(&line, Qt::Key_Delete);
  QTest::keyClicks(&line, text);
  QTest::keyClick(&line, Qt::Key_Return);
}

/// Types into the form whatever a part of another system says.
void TestSystemEditor::fillForm(const System& wanted, const SystemPart& wantedPart) const {
  for (const PartField& field : fieldsOf(wanted, wantedPart)) {
    const QByteArray name = (QStringLiteral("part") + field.key[0].toUpper() + field.key.mid(1)).toUtf8();
    if (field.kind == PartField::Kind::Text) {
      if (childOf<QLineEdit>(*m_editor, name).text() != field.value) type(name, field.value);
    } else if (field.kind == PartField::Kind::Check) {
      auto& box = childOf<QCheckBox>(*m_editor, name);
      if (box.isChecked() != (field.value == "yes")) QTest::keyClick(&box, Qt::Key_Space);
    } else {
      const auto shown = [&] { return &childOf<QComboBox>(*m_editor, name); };
      if (shown()->currentText() != field.value) QTest::keyClick(shown(), Qt::Key_Home);
      for (int i = 0; i < shown()->count() && shown()->currentText() != field.value; ++i) {
        QTest::keyClick(shown(), Qt::Key_Down);
      }
      QCOMPARE(shown()->currentText(), field.value);
    }
  }
}

void TestSystemEditor::buildNetwork(const System& wanted, int index) const {
  const Network& network = wanted.networks[std::size_t(index)];
  const QByteArray kind(nameOf(network.interconnect.kind).data());
  const QByteArray button = "palette" + QByteArray(1, char(std::toupper(kind[0]))) + kind.mid(1);
  const SystemPart first = partNamed(wanted, network.members.front().of);
  const SystemPart there = partNamed(system(), network.members.front().of);
  const bool onBox = first.kind == Kind::Level;
  const QPoint box = !onBox || there.index == 0 ? kBeside : pointOf({Kind::Level, there.index - 1});
  dragFromPalette(button, onBox ? box : pointOf(there));
  const SystemPart own{Kind::Network, int(system().networks.size()) - 1};
  for (std::size_t i = 1; i < network.members.size(); ++i) {
    const auto handle = canvas().handleOf(own);
    QVERIFY(handle.has_value());
    dragOnCanvas(*handle, pointOf(partNamed(system(), network.members[i].of)));
  }
  fillForm(wanted, {Kind::Network, index});
}

void TestSystemEditor::drawsThePaperNodeFromAnEmptyCanvas() {
  System wanted = test::valueOf(parseSystem("gcp-v100:1"));
  // What was fitted to measurements nobody draws.
  for (const auto& placed : interconnects(wanted)) {
    Interconnect& link = placed.link;
    link.fittedBandwidth = link.fittedRingCap = link.fittedTreeCap = 0;
    link.fittedLatency = -1;
  }
  wanted.name = shapeOf(wanted);
  show("node:2 gpu:4");
  childOf<QAction>(*m_editor, "systemNew").trigger();
  QVERIFY(system().levels.empty());
  QVERIFY(childOf<QWidget>(*m_editor, "systemEmpty").isVisible());

  for (int level = int(wanted.levels.size()) - 1; level >= 0; --level) dragFromPalette("paletteLevel", kBeside);
  QCOMPARE(system().levels.size(), wanted.levels.size());
  QVERIFY(!childOf<QWidget>(*m_editor, "systemEmpty").isVisible());
  for (int level = 0; level < int(wanted.levels.size()); ++level) {
    const QByteArray kind(nameOf(wanted.levels[std::size_t(level)].interconnect.kind).data());
    dragFromPalette("palette" + QByteArray(1, char(std::toupper(kind[0]))) + kind.mid(1),
                    level == 0 ? kBeside : pointOf({Kind::Level, level - 1}));
    click({Kind::Level, level});
    fillForm(wanted, {Kind::Level, level});
  }
  for (int network = 0; network < int(wanted.networks.size()); ++network) buildNetwork(wanted, network);
  QCOMPARE(system(), wanted);
  QVERIFY(!childOf<QWidget>(*m_editor, "systemProblems").isVisible());

  QTRY_VERIFY(m_desk->session.isCurrent());
  m_desk->answers.savePath = m_folder->filePath("mine.p2.json");
  m_desk->documents.saveAs();
  QTRY_VERIFY(!m_desk->documents.isModified());
  const QByteArray written = test::readFile(m_desk->answers.savePath);
  m_desk->documents.openExample("teaching-2x4");
  QVERIFY(system() != wanted);
  m_desk->documents.openFile(m_desk->answers.savePath);
  QTRY_COMPARE(system(), wanted);
  QTRY_VERIFY(m_desk->session.isCurrent());
  m_desk->answers.savePath = m_folder->filePath("again.p2.json");
  m_desk->documents.saveAs();
  QTRY_VERIFY(QFile::exists(m_desk->answers.savePath));
  QCOMPARE(test::readFile(m_desk->answers.savePath), written);
}

void TestSystemEditor::addsByKeysAlone() {
  show("node:2 gpu:4");
  QTest::keyClick(&canvas(), Qt::Key_Right);
  QVERIFY(!canvas().drawn().selectedParts().empty());
  canvas().drawn().select({{Kind::Level, 0}});
  QTest::keyClick(&canvas(), Qt::Key_Insert);
  auto& menu = childOf<QMenu>(*m_editor, "insertMenu");
  QTRY_VERIFY(menu.isVisible());
  QTest::keyClick(&menu, Qt::Key_R);
  QCOMPARE(system().networks.size(), std::size_t(1));
  QCOMPARE(system().networks[0].interconnect.kind, InterconnectKind::Ring);
  QCOMPARE(system().networks[0].within, std::string("node"));
  QCOMPARE(membersText(system().networks[0].members), QString("gpu"));
  QTest::keyClick(&childOf<PaletteButton>(*m_editor, "paletteSwitch"), Qt::Key_Space);
  QCOMPARE(membersText(system().networks[1].members), QString("ring"));
}

void TestSystemEditor::joinsAllThatIsSelected() {
  show("node:2 gpu:4");
  canvas().drawn().select({{Kind::Level, 1}});
  QTest::mouseClick(&childOf<PaletteButton>(*m_editor, "paletteBus"), Qt::LeftButton);
  QCOMPARE(system().networks[0].within, std::string("node"));
  click({Kind::Level, 0});
  click({Kind::Network, 0}, Qt::ControlModifier);
  QCOMPARE(canvas().drawn().selectedParts().size(), std::size_t(2));
  QTest::mouseClick(&childOf<PaletteButton>(*m_editor, "paletteMesh"), Qt::LeftButton);
  QCOMPARE(membersText(system().networks[1].members), QString("node, bus"));
  QCOMPARE(system().networks[1].within, std::string());
}

void TestSystemEditor::connectsFromTheHandle() {
  show("node:2 gpu:4");
  dragFromPalette("paletteSwitch", pointOf({Kind::Level, 0}));
  QCOMPARE(system().networks[0].within, std::string("node"));
  dragOnCanvas(*canvas().handleOf({Kind::Network, 0}), pointOf({Kind::Level, 0}));
  QCOMPARE(membersText(system().networks[0].members), QString("gpu, node"));
  QCOMPARE(system().networks[0].within, std::string());
  m_desk->session.undoStack().undo();
  QCOMPARE(membersText(system().networks[0].members), QString("gpu"));
}

void TestSystemEditor::refusesCycles() {
  show("node:2 gpu:4");
  dragFromPalette("paletteSwitch", pointOf({Kind::Level, 0}));
  dragFromPalette("paletteBus", pointOf({Kind::Network, 0}));
  const System before = system();
  dragOnCanvas(*canvas().handleOf({Kind::Network, 0}), pointOf({Kind::Network, 1}));
  QCOMPARE(system(), before);
  auto& refusal = childOf<QLabel>(*m_editor, "systemRefusal");
  QVERIFY(refusal.isVisible());
  QVERIFY2(refusal.text().contains("bus is made of switch already"), qPrintable(refusal.text()));
  QTest::mouseClick(&childOf<PaletteButton>(*m_editor, "paletteLevel"), Qt::LeftButton);
  QVERIFY(!refusal.isVisible());
}

void TestSystemEditor::keepsBadInputUntilMended_data() {
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

void TestSystemEditor::keepsBadInputUntilMended() {
  QFETCH(QByteArray, field);
  QFETCH(QString, typed);
  QFETCH(QString, says);
  QFETCH(QString, mended);
  show("node:2 gpu:4");
  dragFromPalette("paletteSwitch", pointOf({Kind::Level, 0}));
  const System before = system();
  type(field, typed);
  QCOMPARE(system(), before);
  auto& problem = childOf<QLabel>(*m_editor, (field + "Problem").constData());
  QVERIFY(problem.isVisible());
  QVERIFY2(problem.text().contains(says), qPrintable(problem.text()));
  type("partLatency", field == "partLatency" ? typed : "7us");
  QCOMPARE(childOf<QLineEdit>(*m_editor, field).text(), typed);
  type(field, mended);
  QVERIFY(!problem.isVisible());
  QVERIFY(system() != before);
  QCOMPARE(childOf<QLineEdit>(*m_editor, field).text(), mended);
}

void TestSystemEditor::questionsSlips() {
  show("node:2@8GB/s gpu:4@270GB/s");
  click({Kind::Level, 1});
  type("partBandwidth", "100");
  QCOMPARE(system().levels[1].interconnect.bandwidth, 100e9);
  type("partBandwidth", "100B/s");
  QCOMPARE(system().levels[1].interconnect.bandwidth, 100e9);
  auto& problem = childOf<QLabel>(*m_editor, "partBandwidthProblem");
  QVERIFY(problem.isVisible());
  QVERIFY2(problem.text().contains("1 billion times less than 100 GB/s"), qPrintable(problem.text()));
  auto& field = childOf<QLineEdit>(*m_editor, "partBandwidth");
  QTest::keyClick(&field, Qt::Key_Tab);
  QCOMPARE(system().levels[1].interconnect.bandwidth, 100e9);
  field.setFocus();
  QTest::keyClick(&field, Qt::Key_Return);
  QCOMPARE(system().levels[1].interconnect.bandwidth, 100.0);
  QVERIFY(!problem.isVisible());
}

void TestSystemEditor::reordersByDragAndByKeys() {
  show("node:2 gpu:4");
  dragOnCanvas(pointOf({Kind::Level, 1}), pointOf({Kind::Level, 0}));
  QCOMPARE(shapeOf(system()), std::string("gpu:4 node:2"));
  click({Kind::Level, 0});
  QTest::keyClick(&canvas(), Qt::Key_Down, Qt::AltModifier);
  QCOMPARE(shapeOf(system()), std::string("node:2 gpu:4"));
  QTest::keyClick(&canvas(), Qt::Key_Up, Qt::AltModifier);
  QCOMPARE(shapeOf(system()), std::string("gpu:4 node:2"));
  QCOMPARE(m_desk->session.undoStack().count(), 3);
}

void TestSystemEditor::putsOutOfOrder() {
  show("node:2 gpu:4");
  SystemPart device{Kind::Level, 1, 5};
  click(device);
  QTest::keyClick(&canvas(), Qt::Key_D, Qt::ControlModifier);
  QCOMPARE(joined(system().disabled), QString("gpu 1 of node 1"));
  QVERIFY(canvas().drawn().itemOf(device)->drawn().disabled);
  QTest::keyClick(&canvas(), Qt::Key_D, Qt::ControlModifier);
  QCOMPARE(joined(system().disabled), QString());
  const auto& shapes = canvas().drawn().drawing().shapes;
  const auto link = std::find_if(shapes.begin(), shapes.end(), [](const auto& shape) { return shape.part.link; });
  canvas().drawn().select({link->part});
  QTest::keyClick(&canvas(), Qt::Key_D, Qt::ControlModifier);
  QCOMPARE(joined(system().disabled), QString("node 0 ↑; node 0 ↓"));
  canvas().drawn().select({{Kind::Level, 0}});
  type("partName", "host");
  QCOMPARE(joined(system().disabled), QString("host 0 ↑; host 0 ↓"));
}

void TestSystemEditor::copiesAndPastes() {
  show("node:2 gpu:4");
  dragFromPalette("paletteSwitch", pointOf({Kind::Level, 0}));
  dragFromPalette("paletteBus", pointOf({Kind::Network, 0}));
  canvas().setFocus();
  canvas().drawn().select({{Kind::Network, 1}});
  QTest::keyClick(&canvas(), Qt::Key_C, Qt::ControlModifier);
  const System copy = test::valueOf(systemFromJson(QApplication::clipboard()->text().toStdString()));
  QCOMPARE(copy.networks, system().networks);
  QTest::keyClick(&canvas(), Qt::Key_V, Qt::ControlModifier);
  QCOMPARE(system().levels.size(), std::size_t(2));
  QCOMPARE(system().networks.size(), std::size_t(4));
  QCOMPARE(system().networks[3].interconnect.name, std::string("bus2"));
  QCOMPARE(membersText(system().networks[3].members), QString("switch2"));
  QApplication::clipboard()->setText("no system");
  QTest::keyClick(&canvas(), Qt::Key_V, Qt::ControlModifier);
  QCOMPARE(system().networks.size(), std::size_t(4));
  QVERIFY(childOf<QLabel>(*m_editor, "systemRefusal").text().contains("clipboard"));
}

void TestSystemEditor::removesAndUndoes() {
  show("node:2 gpu:4");
  const System plain = system();
  dragFromPalette("paletteSwitch", pointOf({Kind::Level, 0}));
  dragFromPalette("paletteBus", pointOf({Kind::Network, 0}));
  const System drawn = system();
  click({Kind::Network, 0});
  QTest::keyClick(&canvas(), Qt::Key_Delete);
  QCOMPARE(system(), plain);
  m_desk->session.undoStack().undo();
  QCOMPARE(system(), drawn);
  click({Kind::Level, 0});
  QTest::keyClick(&canvas(), Qt::Key_Delete);
  QCOMPARE(shapeOf(system()), std::string("gpu:4"));
  QCOMPARE(system().networks[0].within, std::string());
  canvas().drawn().select({{Kind::Interconnect, 0}});
  QTest::keyClick(&canvas(), Qt::Key_Delete);
  QCOMPARE(system().levels[0].interconnect.kind, InterconnectKind::None);
}

void TestSystemEditor::selectsByRubberBandAndArrows() {
  show("node:2 gpu:4");
  dragOnCanvas(kBeside, QPoint(canvas().viewport()->width() - 3, canvas().viewport()->height() - 3));
  const std::size_t all = canvas().drawn().selectedParts().size();
  QCOMPARE(all, canvas().drawn().drawing().shapes.size());
  click({Kind::Level, 1, 0});
  QCOMPARE(canvas().drawn().selectedParts().size(), std::size_t(1));
  QTest::keyClick(&canvas(), Qt::Key_Right);
  QCOMPARE(canvas().drawn().selectedParts().back().instance, std::int64_t(1));
  QTest::keyClick(&canvas(), Qt::Key_Left, Qt::ControlModifier);
  QCOMPARE(canvas().drawn().selectedParts().size(), std::size_t(2));
  QTest::keyClick(&canvas(), Qt::Key_A, Qt::ControlModifier);
  QCOMPARE(canvas().drawn().selectedParts().size(), all);
}

void TestSystemEditor::opensAnotherInstance() {
  show("node:4096 gpu:16");
  const auto openNode = [this] {
    for (const auto& shape : canvas().drawn().drawing().shapes) {
      if (shape.kind == SystemDrawing::Shape::Kind::Box) return shape.part.instance;
    }
    return std::int64_t(-1);
  };
  QCOMPARE(openNode(), std::int64_t(0));
  click({Kind::Level, 0, 3});
  QCOMPARE(openNode(), std::int64_t(3));
  QTest::keyClick(&canvas(), Qt::Key_PageDown);
  QCOMPARE(openNode(), std::int64_t(16));
  canvas().drawn().select({{Kind::Level, 0, 18}});
  QTest::keyClick(&canvas(), Qt::Key_Space);
  QCOMPARE(openNode(), std::int64_t(18));
}

void TestSystemEditor::tellsWhatIsWrongAndGoesThere() {
  show("node:2 gpu:4");
  auto& problems = childOf<ProblemList>(*m_editor, "systemProblems");
  QVERIFY(!problems.isVisible());
  dragFromPalette("paletteSwitch", pointOf({Kind::Level, 0}));
  type("partInstances", "3");
  QVERIFY(problems.isVisible());
  QVERIFY2(problems.item(0)->text().contains("cannot be dealt to 3 instances"), qPrintable(problems.item(0)->text()));
  canvas().drawn().select({});
  problems.setCurrentRow(0);
  QTest::mouseClick(problems.viewport(), Qt::LeftButton, {}, problems.visualItemRect(problems.item(0)).center());
  QCOMPARE(canvas().drawn().selectedParts().size(), std::size_t(1));
  QCOMPARE(canvas().drawn().selectedParts()[0].kind, Kind::Network);
  QVERIFY(childOf<QLineEdit>(*m_editor, "partInstances").hasFocus());
  type("partInstances", "2");
  QVERIFY(!problems.isVisible());
}

// The place of an error decides, whatever names its sentence mentions first.
void TestSystemEditor::goesToThePartAnErrorNames() {
  System system = test::valueOf(parseSystem("node:2 gpu:4"));
  system.networks = {test::networkOf(InterconnectKind::Switch, 8e9, "NIC", "node", 3, "gpu")};
  const auto checked = validated(system);
  QVERIFY(!checked.ok());
  const std::vector<SystemProblem> problems = problemsOf(system, checked.error().within("node gpu"));
  QCOMPARE(problems.size(), std::size_t(1));
  QVERIFY(problems[0].sentence.startsWith("node gpu: network NIC: 4 gpu cannot be dealt"));
  QCOMPARE(problems[0].part, (std::optional<SystemPart>{{Kind::Network, 0}}));
  QCOMPARE(problems[0].property, QString("instances"));
  system.networks.clear();
  QVERIFY(!problemsOf(system, checked.error())[0].part.has_value());
  QVERIFY(!problemsOf(system, Error{"the axes do not fit gpu"})[0].part.has_value());
}

void TestSystemEditor::notesWhatCostsNothing() {
  show("rack:1@100GB/s node:2 gpu:4");
  auto& problems = childOf<ProblemList>(*m_editor, "systemProblems");
  QTRY_VERIFY(m_desk->session.isCurrent());
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

void TestSystemEditor::showsLoads() {
  show("node:2 gpu:4");
  auto& busiest = childOf<QLabel>(*m_editor, "busiestLink");
  m_editor->setLoads({{"node 0 ↑", {1, "2 GB, 0.3 s"}}, {"gpu 1 of node 0 ↑", {0.5, "1 GB, 0.1 s"}}});
  QVERIFY(busiest.isVisible());
  QCOMPARE(busiest.text(), QString("Busiest: node 0 ↑: 2 GB, 0.3 s"));
  int loaded = 0;
  for (const auto& shape : canvas().drawn().drawing().shapes) {
    loaded += loadOf(shape, canvas().drawn().loads()) != nullptr ? 1 : 0;
  }
  QCOMPARE(loaded, 2);
  const QImage with = canvas().grab().toImage();
  m_editor->setLoads({});
  QVERIFY(!busiest.isVisible());
  QVERIFY(canvas().grab().toImage() != with);
}

void TestSystemEditor::mapsLargeDrawings() {
  show("gcp-a100:4");
  auto& map = childOf<QWidget>(*m_editor, "miniMap");
  QVERIFY(!map.isVisible());
  for (int i = 0; i < 6; ++i) QTest::keyClick(&canvas(), Qt::Key_Plus, Qt::ControlModifier);
  QVERIFY(map.isVisible());
  const QPointF before = canvas().mapToScene(QPoint(0, 0));
  QTest::mouseClick(&map, Qt::LeftButton, {}, {10, 10});
  QVERIFY(canvas().mapToScene(QPoint(0, 0)) != before);
  QTest::keyClick(&canvas(), Qt::Key_0, Qt::ControlModifier);
  QVERIFY(!map.isVisible());
}

void TestSystemEditor::exportsTheDrawing_data() {
  QTest::addColumn<QString>("suffix");
  QTest::addColumn<QByteArray>("begins");
  QTest::newRow("png") << "png" << QByteArray("\x89PNG");
  QTest::newRow("svg") << "svg" << QByteArray("<?xml");
  QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
  QTest::newRow("txt") << "txt" << QByteArray("gcp-a100:2, 32 devices\n");
}

void TestSystemEditor::exportsTheDrawing() {
  QFETCH(QString, suffix);
  QFETCH(QByteArray, begins);
  show("gcp-a100:2");
  const QString path = m_folder->filePath("drawing." + suffix);
  childOf<QAction>(*m_editor, "systemExport").trigger();
  auto& dialog = childOf<QFileDialog>(*m_editor, "drawingDialog");
  dialog.selectFile(path);
  QMetaObject::invokeMethod(&dialog, "accept");
  QTRY_VERIFY(QFile::exists(path));
  QVERIFY(test::readFile(path).startsWith(begins));
}

void TestSystemEditor::everyControlIsNamed() {
  show("node:2 gpu:4");
  dragFromPalette("paletteRing", pointOf({Kind::Level, 0}));
  for (const QWidget* widget : m_editor->findChildren<QWidget*>()) {
    const bool control = widget->inherits("QLineEdit") || widget->inherits("QComboBox") ||
                         widget->inherits("QAbstractButton") || widget->inherits("QListWidget") ||
                         widget->inherits("QGraphicsView");
    if (!control || widget->objectName().startsWith("qt_")) continue;
    QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
    QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
    QVERIFY2(!widget->toolTip().isEmpty() || widget->inherits("QGraphicsView"), qPrintable(widget->objectName()));
  }
}

QTEST_MAIN(TestSystemEditor)
#include "tst_system_editor.moc"
