// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/device_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "views/common/device_names.h"
#include "views/common/panel.h"
#include "views/common/theme.h"
#include "views/stage/state_image.h"

namespace p2::views {

StateMatrix::StateMatrix(QWidget* parent) : QWidget(parent) {
  setMinimumSize(192, 192);
  setAccessibleName(tr("Bit matrix of the chosen device"));
}

void StateMatrix::show(const DeviceState& state, const DeviceGroup& contributors, bool numbers) {
  m_state = state;
  m_contributors = contributors;
  m_numbers = numbers;
  setToolTip(numbers ? tr("The sum held of each chunk, if the first contributor starts with 1, the next with 2")
                     : tr("A marked cell: the chunk held here contains that device's contribution"));
  update();
}

void StateMatrix::paintEvent(QPaintEvent*) {
  const int k = m_state.size();
  if (k == 0) return;
  QPainter painter(this);
  QFont font = Theme::tabularFont();
  font.setPointSizeF(font.pointSizeF() * 0.85);
  painter.setFont(font);
  const QFontMetricsF metrics(font, this);
  const double line = metrics.height();
  const double digits = metrics.horizontalAdvance(
      QString::number(std::max_element(m_contributors.begin(), m_contributors.end())->value()));
  const double left = metrics.horizontalAdvance(QString::number(k - 1)) + line + Theme::kGrid;
  const double top = 2 * line;
  const double room = std::min(width() - left, height() - top);
  const int side = std::max(1, int(room * devicePixelRatioF()));
  QImage image = m_numbers ? numbersImage(m_state, {side, side}) : stateImage(m_state, side);
  image.setDevicePixelRatio(devicePixelRatioF());
  const double unit = image.deviceIndependentSize().width() / k;
  painter.drawImage(QPointF(left, top), image);

  painter.setPen(Theme::mutedText());
  painter.drawText(QRectF(left, 0, width() - left, line), Qt::AlignLeft,
                   m_numbers ? tr("sum of the contributions") : tr("contribution of device"));
  painter.save();
  painter.rotate(-90);
  painter.drawText(QRectF(-top - unit * k, 0, unit * k, line), Qt::AlignRight, tr("chunk"));
  painter.restore();
  painter.setPen(Theme::text());
  const int everyRow = std::max(1, int(std::ceil(line / unit)));
  for (int row = 0; row < k; row += everyRow) {
    painter.drawText(QRectF(line, top + row * unit, left - line - 4, unit),
                     Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, QString::number(row));
  }
  if (m_numbers) return;
  const int everyColumn = std::max(1, int(std::ceil((digits + 4) / unit)));
  for (int column = 0; column < k; column += everyColumn) {
    painter.drawText(QRectF(left + column * unit, line, unit, line), Qt::AlignHCenter | Qt::TextDontClip,
                     QString::number(m_contributors[std::size_t(column)].value()));
  }
}

DevicePanel::DevicePanel(QWidget* parent)
    : QWidget(parent), m_title(new QLabel), m_text(new QLabel), m_matrix(new StateMatrix), m_folded(new FoldedMatrix) {
  wrapped(named(m_title, "deviceTitle"));
  wrapped(named(m_text, "deviceText"));
  m_matrix->setObjectName("deviceMatrix");
  m_folded->setObjectName("foldedMatrix");
  auto* close = new QToolButton;
  close->setObjectName("closeDevice");
  close->setIcon(Theme::icon("cancel"));
  close->setAutoRaise(true);
  close->setToolTip(tr("Close (Esc)"));
  close->setAccessibleName(tr("Close the device's matrix"));
  connect(close, &QToolButton::clicked, this, &DevicePanel::closed);
  auto* head = new QHBoxLayout;
  head->addWidget(m_title, 1);
  head->addWidget(close, 0, Qt::AlignTop);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, 0, 0, 0);
  layout->setSpacing(Theme::kGrid);
  layout->addLayout(head);
  layout->addWidget(m_text);
  layout->addWidget(m_matrix, 1);
  layout->addWidget(m_folded, 1);
  layout->addStretch();
  setFixedWidth(288);
}

void DevicePanel::show(const Replay& replay, Device device, int steps, bool numbers) {
  m_title->setText(QStringLiteral("<b>%1</b>").arg(deviceName(replay.system, device).toHtmlEscaped()));
  m_text->setText(replay.holdingText(device, steps));
  m_matrix->setVisible(replay.isExplicit());
  if (replay.isExplicit()) m_matrix->show(replay.stateOf(device, steps), replay.contributorsOf(device), numbers);
  const auto folded = replay.isExplicit() ? std::nullopt : replay.foldedOf(device, steps);
  m_folded->setVisible(folded.has_value());
  if (folded) m_folded->show(*folded);
  setVisible(true);
}

}  // namespace p2::views
