// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
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

/// The bold heading of a panel.
inline QLabel* panelTitle(const QString& text) {
  auto* title = new QLabel(text);
  QFont font = title->font();
  font.setBold(true);
  title->setFont(font);
  return title;
}

/// A column on the grid: one unit around it and between its parts.
inline QVBoxLayout* panelLayout(QWidget* panel) {
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->setSpacing(Theme::kGrid);
  return layout;
}

}  // namespace p2::views
