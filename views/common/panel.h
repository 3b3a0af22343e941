// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QList>
#include <QSplitter>
#include <QVBoxLayout>

#include "views/common/theme.h"

namespace p2::views {

/// Gives a widget or an action the name by which tests, settings and pictures find it, the name that screen readers
/// speak and its tooltip, and returns it.
template <class Object>
Object* named(Object* object, const char* name, const QString& accessibleName = {}, const QString& toolTip = {}) {
  object->setObjectName(QString::fromUtf8(name));
  if constexpr (requires { object->setAccessibleName(accessibleName); }) {
    if (!accessibleName.isEmpty()) object->setAccessibleName(accessibleName);
  }
  if constexpr (requires { object->setToolTip(toolTip); }) {
    if (!toolTip.isEmpty()) object->setToolTip(toolTip);
  }
  return object;
}

inline void makeBold(QWidget& widget) {
  QFont font = widget.font();
  font.setBold(true);
  widget.setFont(font);
}

/// The bold heading of a panel.
inline QLabel* panelTitle(const QString& text) {
  auto* title = new QLabel(text);
  makeBold(*title);
  return title;
}

/// Makes a label for sentences, which take as many lines as they need, and returns it.
template <class Label>
Label* wrapped(Label* label) {
  label->setWordWrap(true);
  return label;
}

/// A layout without room around it; between its parts are `spacing` pixels, or as many as in the style for −1.
template <class Layout>
Layout* bareLayout(QWidget* parent = nullptr, int spacing = -1) {
  auto* layout = new Layout(parent);
  layout->setContentsMargins({});
  if (spacing >= 0) layout->setSpacing(spacing);
  return layout;
}

/// A part of splitterOf().
struct SplitPart {
  QWidget* widget = nullptr;
  int stretch = -1;  ///< its share of new room; −1 for its own size policy
};

/// Parts with handles between them; no part can be dragged to nothing.
inline QSplitter* splitterOf(Qt::Orientation orientation, const QList<SplitPart>& parts, const char* name = "") {
  auto* split = named(new QSplitter(orientation), name);
  split->setChildrenCollapsible(false);
  for (int i = 0; i < parts.size(); ++i) {
    split->addWidget(parts[i].widget);
    if (parts[i].stretch >= 0) split->setStretchFactor(i, parts[i].stretch);
  }
  return split;
}

/// A column on the grid: one unit around it and between its parts.
inline QVBoxLayout* panelLayout(QWidget* panel) {
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->setSpacing(Theme::kGrid);
  return layout;
}

}  // namespace p2::views
