// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/part_palette.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>

#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/system/interconnect_kinds.h"

namespace p2::views {
namespace {

QString nameOfPart(std::optional<InterconnectKind> kind) { return kind ? qs(nameOf(*kind)) : QStringLiteral("level"); }

QString tipOf(std::optional<InterconnectKind> kind) {
  if (!kind) {
    return PartPalette::tr(
        "Drag onto a box to add a level inside it, or next to the drawing to add one around "
        "everything; click to add it at the selection (Insert)");
  }
  return PartPalette::tr(
             "Drag onto a box to connect its contents by a %1, or onto an interconnect to connect its "
             "instances; click to connect the selection")
      .arg(nameOfPart(kind));
}

}  // namespace

PaletteButton::PaletteButton(std::optional<InterconnectKind> kind, QWidget* parent)
    : QToolButton(parent), m_kind(kind) {
  QString name = nameOfPart(kind);
  setIcon(Theme::icon(name));
  name[0] = name[0].toUpper();
  setObjectName(QStringLiteral("palette") + name);
  setText(name);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setToolTip(tipOf(kind));
  setAccessibleName(tr("Add a %1").arg(nameOfPart(kind)));
  setFocusPolicy(Qt::StrongFocus);
}

void PaletteButton::mousePressEvent(QMouseEvent* event) {
  m_pressed = event->pos();
  QToolButton::mousePressEvent(event);
}

void PaletteButton::mouseMoveEvent(QMouseEvent* event) {
  const int way = (event->pos() - m_pressed).manhattanLength();
  if (event->buttons().testFlag(Qt::LeftButton) && !m_dragging && way >= QApplication::startDragDistance()) {
    m_dragging = true;
    setDown(false);
    setCursor(Qt::DragCopyCursor);
  }
  if (m_dragging) {
    emit dragged(event->globalPosition().toPoint());
  } else {
    QToolButton::mouseMoveEvent(event);
  }
}

void PaletteButton::mouseReleaseEvent(QMouseEvent* event) {
  if (!m_dragging) {
    QToolButton::mouseReleaseEvent(event);
    return;
  }
  endDrag();
  emit dropped(event->globalPosition().toPoint());
}

void PaletteButton::keyPressEvent(QKeyEvent* event) {
  if (m_dragging && event->key() == Qt::Key_Escape) {
    endDrag();
    emit dragCancelled();
    return;
  }
  QToolButton::keyPressEvent(event);
}

void PaletteButton::endDrag() {
  m_dragging = false;
  unsetCursor();
}

PartPalette::PartPalette(QWidget* parent) : QWidget(parent) {
  auto* layout = bareLayout<QHBoxLayout>(this, Theme::kGrid / 2);
  std::vector<std::optional<InterconnectKind>> kinds{std::nullopt};
  for (const InterconnectKind kind : joiningKinds()) kinds.emplace_back(kind);
  for (const auto& kind : kinds) {
    auto* button = new PaletteButton(kind);
    connect(button, &PaletteButton::dragged, this, &PartPalette::dragged);
    connect(button, &PaletteButton::dropped, this, [this, kind](QPoint at) { emit dropped(kind, at); });
    connect(button, &PaletteButton::dragCancelled, this, &PartPalette::dragCancelled);
    connect(button, &QToolButton::clicked, this, [this, kind] { emit wanted(kind); });
    layout->addWidget(button);
  }
}

}  // namespace p2::views
