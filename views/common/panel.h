// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QVBoxLayout>

#include "views/common/theme.h"

namespace p2::views {

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
