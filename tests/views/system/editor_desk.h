// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/shell/document_desk.h"
#include "views/system/part_palette.h"
#include "views/system/system_canvas.h"
#include "views/system/system_editor.h"
#include "views/widget_driver.h"

namespace p2::test {

/// The system's drawing on a document of its own, and what tests do with it by mouse and keys.
class EditorDesk {
 public:
  static void prepare() { views::Theme::apply(views::Theme::Scheme::Light); }
  void setUp() {
    failOnWarnings();
    folder = std::make_unique<QTemporaryDir>();
    desk = std::make_unique<Desk>(folder->path());
    editor = shown<views::SystemEditor>(desk->session, {1100, 720});
    QVERIFY(editor != nullptr);
  }
  void clearAway() {
    editor.reset();
    desk.reset();
    folder.reset();
  }

  [[nodiscard]] System system() const { return desk->session.workspace()->system; }
  [[nodiscard]] views::SystemCanvas& canvas() const { return childOf<views::SystemCanvas>(*editor, "systemCanvas"); }
  void show(const QString& text) {
    Workspace workspace;
    workspace.system = valueOf(parseSystem(text.toStdString()));
    workspace.axes = {{"data", workspace.system.deviceCount(), true}};
    desk->session.reset(std::move(workspace));
    canvas().setFocus();
  }
  /// A point of the canvas where a part can be taken hold of.
  [[nodiscard]] QPoint pointOf(const views::SystemPart& part) const {
    QCoreApplication::processEvents();  // what has just changed may still have to be laid out
    const views::ShapeItem* item = canvas().drawn().itemOf(part);
    if (item == nullptr) qFatal("the part is not drawn");
    const QRectF rect = item->drawn().rect;
    // Boxes are full of other things; their titles are not.
    const bool box = item->drawn().kind == views::SystemDrawing::Shape::Kind::Box;
    return canvas().mapFromScene(box ? rect.topLeft() + QPointF(30, views::kSystemTitleHeight / 2) : rect.center());
  }
  [[nodiscard]] QPoint onWindow(QPoint ofCanvas) const { return canvas().viewport()->mapTo(editor.get(), ofCanvas); }
  void dragOnWindow(QPoint from, QPoint to) const {
    QWindow* window = editor->windowHandle();
    QTest::mousePress(window, Qt::LeftButton, {}, from);
    QTest::mouseMove(window, (from + to) / 2);
    QTest::mouseMove(window, to);
    QTest::mouseRelease(window, Qt::LeftButton, {}, to);
  }
  void dragFromPalette(const char* button, QPoint to) const {
    auto& from = childOf<views::PaletteButton>(*editor, button);
    dragOnWindow(from.mapTo(editor.get(), from.rect().center()), onWindow(to));
  }
  void click(const views::SystemPart& part, Qt::KeyboardModifiers modifiers = {}) const {
    QTest::mouseClick(editor->windowHandle(), Qt::LeftButton, modifiers, onWindow(pointOf(part)));
  }
  void type(const char* field, const QString& text) const {
    auto& line = childOf<QLineEdit>(*editor, field);
    line.setFocus();
    line.selectAll();
    QTest::keyClick(&line, Qt::Key_Delete);
    QTest::keyClicks(&line, text);
    QTest::keyClick(&line, Qt::Key_Return);
  }
  void dragOnCanvas(QPoint from, QPoint to) const { dragOnWindow(onWindow(from), onWindow(to)); }

  std::unique_ptr<QTemporaryDir> folder;
  std::unique_ptr<Desk> desk;
  std::unique_ptr<views::SystemEditor> editor;
};

}  // namespace p2::test
