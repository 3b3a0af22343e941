// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>

#include "system/interconnects.h"
#include "tests/views/system/editor_desk.h"
#include "views/system/members_text.h"
#include "views/system/part_fields.h"
#include "views/system/system_problems.h"

using namespace p2;
using namespace p2::views;
using p2::test::childOf;
using Kind = SystemPart::Kind;

namespace {

constexpr QPoint kGap{3, 3};  // the drawing keeps a margin

QString joined(const std::vector<std::string>& names) {
  QStringList list;
  for (const std::string& name : names) list += QString::fromStdString(name);
  return list.join("; ");
}

}  // namespace

/// The system's drawing as a place to work in, driven by mouse and keys.
class TestSystemEditor : public QObject, private test::EditorDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }
  void drawsThePaperNodeFromAnEmptyCanvas();
  void addsByKeysAlone();
  void addsInterconnectsBeforeLevels();
  void hasRoomForSoManyLevelsAlone();
  void joinsAllThatIsSelected();
  void connectsFromTheHandle();
  void refusesCycles();
  void reordersByDragAndByKeys();
  void putsOutOfOrder();
  void copiesAndPastes();
  void removesAndUndoes();
  void selectsByRubberBandAndArrows();
  void opensAnotherInstance();

 private:
  void fillForm(const System& wanted, const SystemPart& wantedPart) const;
  void buildNetwork(const System& wanted, int index) const;
};

/// Types into the form whatever a part of another system says.
void TestSystemEditor::fillForm(const System& wanted, const SystemPart& wantedPart) const {
  for (const PartField& field : fieldsOf(wanted, wantedPart)) {
    if (field.key == QStringLiteral("oversubscription")) continue;  // follows from the bandwidth
    const QByteArray name = (QStringLiteral("part") + field.key[0].toUpper() + field.key.mid(1)).toUtf8();
    if (field.kind == PartField::Kind::Text) {
      if (childOf<QLineEdit>(*editor, name).text() != field.value) type(name, field.value);
    } else if (field.kind == PartField::Kind::Check) {
      auto& box = childOf<QCheckBox>(*editor, name);
      if (box.isChecked() != (field.value == "yes")) QTest::keyClick(&box, Qt::Key_Space);
    } else {
      const auto shown = [&] { return &childOf<QComboBox>(*editor, name); };
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
  const QPoint box = !onBox || there.index == 0 ? kGap : pointOf({Kind::Level, there.index - 1});
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
  // Nor what a device is.
  wanted.accelerator = {};
  wanted.name = shapeOf(wanted);
  show("node:2 gpu:4");
  childOf<QAction>(*editor, "systemNew").trigger();
  QVERIFY(system().levels.empty());
  QVERIFY(childOf<QWidget>(*editor, "systemEmpty").isVisible());

  for (int level = int(wanted.levels.size()) - 1; level >= 0; --level) dragFromPalette("paletteLevel", kGap);
  QCOMPARE(system().levels.size(), wanted.levels.size());
  QVERIFY(!childOf<QWidget>(*editor, "systemEmpty").isVisible());
  for (int level = 0; level < int(wanted.levels.size()); ++level) {
    const QByteArray kind(nameOf(wanted.levels[std::size_t(level)].interconnect.kind).data());
    dragFromPalette("palette" + QByteArray(1, char(std::toupper(kind[0]))) + kind.mid(1),
                    level == 0 ? kGap : pointOf({Kind::Level, level - 1}));
    click({Kind::Level, level});
    fillForm(wanted, {Kind::Level, level});
  }
  for (int network = 0; network < int(wanted.networks.size()); ++network) buildNetwork(wanted, network);
  QCOMPARE(system(), wanted);
  QVERIFY(!childOf<QWidget>(*editor, "systemProblems").isVisible());

  QTRY_VERIFY(desk->session.isCurrent());
  desk->answers.savePath = folder->filePath("mine.p2.json");
  desk->documents.saveAs();
  QTRY_VERIFY(!desk->documents.isModified());
  const QByteArray written = test::readFile(desk->answers.savePath);
  desk->documents.openExample("teaching-2x4");
  QVERIFY(system() != wanted);
  desk->documents.openFile(desk->answers.savePath);
  QTRY_COMPARE(system(), wanted);
  QTRY_VERIFY(desk->session.isCurrent());
  desk->answers.savePath = folder->filePath("again.p2.json");
  desk->documents.saveAs();
  QTRY_VERIFY(QFile::exists(desk->answers.savePath));
  QCOMPARE(test::readFile(desk->answers.savePath), written);
}

void TestSystemEditor::addsByKeysAlone() {
  show("node:2 gpu:4");
  QTest::keyClick(&canvas(), Qt::Key_Right);
  QVERIFY(!canvas().drawn().selectedParts().empty());
  canvas().drawn().select({{Kind::Level, 0}});
  QTest::keyClick(&canvas(), Qt::Key_Insert);
  auto& menu = childOf<QMenu>(*editor, "insertMenu");
  QTRY_VERIFY(menu.isVisible());
  QTest::keyClick(&menu, Qt::Key_R);
  QCOMPARE(system().networks.size(), std::size_t(1));
  QCOMPARE(system().networks[0].interconnect.kind, InterconnectKind::Ring);
  QCOMPARE(system().networks[0].within, std::string("node"));
  QCOMPARE(membersText(system().networks[0].members), QString("gpu"));
  QTest::keyClick(&childOf<PaletteButton>(*editor, "paletteSwitch"), Qt::Key_Space);
  QCOMPARE(membersText(system().networks[1].members), QString("ring"));
}

void TestSystemEditor::addsInterconnectsBeforeLevels() {
  show("node:2 gpu:4");
  childOf<QAction>(*editor, "systemNew").trigger();
  QTest::mouseClick(&childOf<PaletteButton>(*editor, "paletteBus"), Qt::LeftButton);
  QCOMPARE(system().networks.size(), std::size_t(1));
  QTest::mouseClick(&childOf<PaletteButton>(*editor, "paletteLevel"), Qt::LeftButton);
  QCOMPARE(system().levels.size(), std::size_t(1));
  QVERIFY(childOf<QWidget>(*editor, "systemProblems").isVisible());
}

void TestSystemEditor::hasRoomForSoManyLevelsAlone() {
  show("node:2 gpu:4");
  auto& button = childOf<PaletteButton>(*editor, "paletteLevel");
  for (std::size_t i = 0; i < kMostLevels; ++i) QTest::mouseClick(&button, Qt::LeftButton);
  QCOMPARE(system().levels.size(), kMostLevels);
  QVERIFY(childOf<QLabel>(*editor, "systemRefusal").text().contains("at most 12"));
}

void TestSystemEditor::joinsAllThatIsSelected() {
  show("node:2 gpu:4");
  canvas().drawn().select({{Kind::Level, 1}});
  QTest::mouseClick(&childOf<PaletteButton>(*editor, "paletteBus"), Qt::LeftButton);
  QCOMPARE(system().networks[0].within, std::string("node"));
  click({Kind::Level, 0});
  click({Kind::Network, 0}, Qt::ControlModifier);
  QCOMPARE(canvas().drawn().selectedParts().size(), std::size_t(2));
  QTest::mouseClick(&childOf<PaletteButton>(*editor, "paletteMesh"), Qt::LeftButton);
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
  desk->session.undoStack().undo();
  QCOMPARE(membersText(system().networks[0].members), QString("gpu"));
}

void TestSystemEditor::refusesCycles() {
  show("node:2 gpu:4");
  dragFromPalette("paletteSwitch", pointOf({Kind::Level, 0}));
  dragFromPalette("paletteBus", pointOf({Kind::Network, 0}));
  const System before = system();
  dragOnCanvas(*canvas().handleOf({Kind::Network, 0}), pointOf({Kind::Network, 1}));
  QCOMPARE(system(), before);
  auto& refusal = childOf<QLabel>(*editor, "systemRefusal");
  QVERIFY(refusal.isVisible());
  QVERIFY2(refusal.text().contains("bus is made of switch already"), qPrintable(refusal.text()));
  QTest::mouseClick(&childOf<PaletteButton>(*editor, "paletteLevel"), Qt::LeftButton);
  QVERIFY(!refusal.isVisible());
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
  QCOMPARE(desk->session.undoStack().count(), 3);
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
  const auto link = std::find_if(shapes.begin(), shapes.end(),
                                 [](const auto& shape) { return shape.part.link && shape.part.index == 0; });
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
  QVERIFY(childOf<QLabel>(*editor, "systemRefusal").text().contains("clipboard"));
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
  desk->session.undoStack().undo();
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
  dragOnCanvas(kGap, QPoint(canvas().viewport()->width() - 3, canvas().viewport()->height() - 3));
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
  const std::int64_t next = canvas().drawn().detail().chips;
  QCOMPARE(openNode(), next);
  canvas().drawn().select({{Kind::Level, 0, next + 2}});
  QTest::keyClick(&canvas(), Qt::Key_Space);
  QCOMPARE(openNode(), next + 2);
}

QTEST_MAIN(TestSystemEditor)
#include "tst_system_editor.moc"
