// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/draft_row.h"

#include <QPainter>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kMargin = 6;

}  // namespace

DraftRow::DraftRow(QWidget* parent) : QAbstractButton(parent) {
  setObjectName("draftRow");
  setCheckable(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
  QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setToolTip(tr("Your program; click to show it"));
}

void DraftRow::show(const QString& notation, const QString& facts) {
  m_notation = tr("✎ Draft: %1").arg(notation.isEmpty() ? tr("no steps yet") : notation);
  m_facts = facts;
  setAccessibleName(m_notation);
  setAccessibleDescription(facts);
  setVisible(true);
  updateGeometry();
  update();
}

QRect DraftRow::textRect(int width) const {
  const QRect room(kMargin, kMargin, std::max(1, width - 2 * kMargin), 10'000);
  return fontMetrics().boundingRect(room, Qt::TextWordWrap, m_notation + "\n" + m_facts);
}

int DraftRow::heightForWidth(int width) const { return textRect(std::max(width, 80)).height() + 2 * kMargin; }
QSize DraftRow::sizeHint() const { return {240, heightForWidth(width())}; }

void DraftRow::resizeEvent(QResizeEvent*) { updateGeometry(); }

void DraftRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(hasFocus() ? QPen(Theme::accent(), 2) : QPen(Theme::line(), 1, Qt::DashLine));
  painter.setBrush(isChecked() || underMouse() ? Theme::tint() : Theme::surface());
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
  const QRect room = rect().adjusted(kMargin, kMargin, -kMargin, -kMargin);
  QRect used;
  painter.setPen(Theme::text());
  painter.drawText(room, Qt::TextWordWrap, m_notation, &used);
  painter.setPen(Theme::mutedText());
  painter.drawText(room.adjusted(0, used.height(), 0, 0), Qt::TextWordWrap, m_facts);
}

}  // namespace p2::views
