// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/themed_plot.h"

#include <QHelpEvent>
#include <QToolTip>

namespace p2::views {

bool ThemedPlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QCustomPlot::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);
  return true;
}

void ThemedPlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
  QCustomPlot::changeEvent(event);
}

void ThemedPlot::leaveEvent(QEvent* event) {
  leave();
  QCustomPlot::leaveEvent(event);
}

}  // namespace p2::views
