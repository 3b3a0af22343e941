// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_strip.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>
#include <algorithm>

#include "views/common/theme.h"
#include "views/stage/stage_legend.h"

namespace p2::views {
namespace {

constexpr int kPadding = 4;
constexpr int kLeastLegend = 200;

}  // namespace

StageStrip::StageStrip(QWidget* parent)
    : QWidget(parent),
      m_legend(new StageLegend),
      m_rows(new QBoxLayout(QBoxLayout::LeftToRight, this)),
      m_buttons(new QHBoxLayout) {
  setObjectName("stageStrip");
  m_buttons->setSpacing(2);
  m_before = addButton("beforeButton", tr("Before"), tr("Show the state before the step (B)"), true);
  m_numbers = addButton("numbersButton", tr("Numbers"),
                        tr("Show numbers: the first contributor starts with 1, the next with 2 (N)"), true);
  connect(addButton("stageZoomOut", {}, tr("Zoom out (−)"), false), &QToolButton::clicked, this,
          &StageStrip::zoomOutAsked);
  connect(addButton("stageZoomFit", {}, tr("Show everything (0)"), false), &QToolButton::clicked, this,
          &StageStrip::fitAsked);
  connect(addButton("stageZoomIn", {}, tr("Zoom in (+); double-click goes into a node"), false), &QToolButton::clicked,
          this, &StageStrip::zoomInAsked);
  connect(m_numbers, &QToolButton::toggled, m_legend, &StageLegend::setNumbers);
  m_rows->setContentsMargins(2 * kPadding, kPadding, 2 * kPadding, kPadding);
  m_rows->setSpacing(Theme::kGrid);
  m_rows->addWidget(m_legend, 1);
  m_rows->addLayout(m_buttons);
}

QToolButton* StageStrip::addButton(const char* name, const QString& text, const QString& tip, bool checkable) {
  auto* button = new QToolButton;
  button->setObjectName(name);
  button->setText(text);
  if (text.isEmpty()) {
    const QString icon = QString(name).endsWith("In")    ? "zoom-in"
                         : QString(name).endsWith("Out") ? "zoom-out"
                                                         : "zoom-fit";
    button->setIcon(Theme::icon(icon));
  }
  button->setToolTip(tip);
  button->setAccessibleName(text.isEmpty() ? tip : text);
  button->setCheckable(checkable);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setCursor(Qt::ArrowCursor);
  button->installEventFilter(this);
  m_buttons->addWidget(button);
  return button;
}

bool StageStrip::eventFilter(QObject* watched, QEvent* event) {
  // Space presses the button that has the focus; everywhere else it plays.
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space) {
    event->accept();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

int StageStrip::buttonsWidth() const { return m_buttons->sizeHint().width(); }

bool StageStrip::isNarrow(int width) const {
  return width - buttonsWidth() - 4 * kPadding - Theme::kGrid < kLeastLegend;
}

void StageStrip::resizeEvent(QResizeEvent* event) {
  m_rows->setDirection(isNarrow(width()) ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  QWidget::resizeEvent(event);
}

int StageStrip::heightForWidth(int width) const {
  if (isNarrow(width)) {
    return m_legend->heightForWidth(width - 4 * kPadding) + Theme::kGrid + m_buttons->sizeHint().height() +
           2 * kPadding;
  }
  const int room = width - buttonsWidth() - 4 * kPadding - Theme::kGrid;
  return std::max(m_legend->heightForWidth(room), m_buttons->sizeHint().height()) + 2 * kPadding;
}

void StageStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Theme::window());
  painter.setPen(Theme::line());
  painter.drawLine(0, 0, width(), 0);
}

}  // namespace p2::views
