// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_legend.h"

#include <QPainter>

namespace p2::views {

StageLegend::StageLegend(QWidget* parent) : QWidget(parent) {
  setObjectName("stageLegend");
  setAccessibleName(tr("How to read the stage"));
  changed();
}

void StageLegend::setReplay(const Replay* replay) {
  m_painter.setReplay(replay);
  changed();
}

void StageLegend::setNumbers(bool numbers) {
  m_painter.setNumbers(numbers);
  changed();
}

void StageLegend::setGlyphs(bool glyphs) {
  m_painter.setGlyphs(glyphs);
  changed();
}

void StageLegend::changed() {
  setAccessibleDescription(m_painter.words().join("; "));
  updateGeometry();
  update();
}

int StageLegend::heightForWidth(int width) const { return m_painter.heightForWidth(width, font()); }

QSize StageLegend::sizeHint() const { return {320, heightForWidth(320)}; }

void StageLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  m_painter.paint(painter, width(), font());
}

}  // namespace p2::views
