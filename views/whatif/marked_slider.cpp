// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/whatif/marked_slider.h"

#include <QPainter>
#include <QStyleOptionSlider>
#include <algorithm>

#include "views/common/theme.h"

namespace p2::views {

MarkedSlider::MarkedSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {}

void MarkedSlider::setMarks(const QStringList& marks) {
  if (marks == m_marks) return;
  m_marks = marks;
  updateGeometry();
  update();
}

int MarkedSlider::marksHeight() const { return m_marks.isEmpty() ? 0 : fontMetrics().height(); }

QSize MarkedSlider::sizeHint() const { return QSlider::sizeHint() + QSize(0, marksHeight()); }

QSize MarkedSlider::minimumSizeHint() const { return QSlider::minimumSizeHint() + QSize(0, marksHeight()); }

// The groove, the handle and the mouse keep to the part above the words.
void MarkedSlider::initStyleOption(QStyleOptionSlider* option) const {
  QSlider::initStyleOption(option);
  option->rect.setHeight(option->rect.height() - marksHeight());
}

int MarkedSlider::xOf(int stop) const {
  QStyleOptionSlider option;
  initStyleOption(&option);
  option.sliderPosition = stop;
  return style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this).center().x();
}

void MarkedSlider::paintEvent(QPaintEvent* event) {
  QSlider::paintEvent(event);
  if (m_marks.isEmpty()) return;
  QPainter painter(this);
  painter.setPen(isEnabled() ? Theme::text() : Theme::mutedText());
  const int gap = painter.fontMetrics().horizontalAdvance(' ');
  int end = -gap;
  for (int stop = 0; stop < m_marks.size(); ++stop) {
    if (m_marks[stop].isEmpty()) continue;
    const int wide = painter.fontMetrics().horizontalAdvance(m_marks[stop]);
    const int left = std::clamp(xOf(stop) - wide / 2, 0, std::max(0, width() - wide));
    if (left < end + gap) continue;
    painter.drawText(QRect(left, height() - marksHeight(), wide, marksHeight()), Qt::AlignCenter, m_marks[stop]);
    end = left + wide;
  }
}

}  // namespace p2::views
