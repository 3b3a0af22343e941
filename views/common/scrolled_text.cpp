// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scrolled_text.h"

#include <QEvent>
#include <QLabel>
#include <algorithm>
#include <utility>

namespace p2::views {

ScrolledText::ScrolledText(QLabel& label, int leastLines, QWidget* parent)
    : QScrollArea(parent), m_label(label), m_leastLines(leastLines) {
  setWidget(&label);
  setWidgetResizable(true);
  setFrameShape(NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  label.installEventFilter(this);
}

void ScrolledText::setMostLines(int lines) {
  if (std::exchange(m_mostLines, lines) != lines) updateGeometry();
}

int ScrolledText::heightForWidth(int width) const {
  const int line = m_label.fontMetrics().lineSpacing();
  const int whole = std::max(m_label.heightForWidth(width), m_leastLines * line);
  return m_mostLines == 0 ? whole : std::min(whole, m_mostLines * line);
}

QSize ScrolledText::sizeHint() const {
  const int width = std::max(this->width(), 1);
  return {m_label.sizeHint().width(), heightForWidth(width)};
}

QSize ScrolledText::minimumSizeHint() const { return {0, m_leastLines * m_label.fontMetrics().lineSpacing()}; }

// The label asks its parent for room, which is inside the scroll area.
bool ScrolledText::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &m_label && (event->type() == QEvent::LayoutRequest || event->type() == QEvent::FontChange ||
                              event->type() == QEvent::Resize)) {
    updateGeometry();
  }
  return QScrollArea::eventFilter(watched, event);
}

}  // namespace p2::views
