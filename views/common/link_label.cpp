// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/link_label.h"

#include <QEvent>
#include <QGuiApplication>
#include <QPalette>
#include <utility>

namespace p2::views {

LinkLabel::LinkLabel(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::RichText);
  setWordWrap(true);
  setTextInteractionFlags(Qt::TextBrowserInteraction);
}

void LinkLabel::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) recolor();
}

// A hidden page gets the new palette when it is shown.
void LinkLabel::showEvent(QShowEvent* event) {
  QLabel::showEvent(event);
  recolor();
}

void LinkLabel::recolor() {
  const QColor color = QGuiApplication::palette().color(QPalette::Link);
  if (std::exchange(m_color, color) == color || text().isEmpty()) return;
  const QString shown = text();
  clear();
  setText(shown);
}

}  // namespace p2::views
