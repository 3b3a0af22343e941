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
      m_legend(new StageLegend(this)),
      m_switches(new QWidget(this)),
      m_buttons(new QHBoxLayout(m_switches)) {
  setObjectName("stageStrip");
  m_buttons->setContentsMargins({});
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

QSize StageStrip::extentFor(int width) const {
  const QSize buttons = m_switches->sizeHint();
  const int whole = width - 4 * kPadding;
  const int room = whole - buttons.width() - Theme::kGrid;
  if (room >= kLeastLegend) return {room, std::max(m_legend->heightForWidth(room), buttons.height())};
  const int legend = m_legend->heightForWidth(whole);
  // Level with the letters of that line.
  const int below = (buttons.height() - m_legend->fontMetrics().height()) / 2;
  if (m_legend->lastLineWidth(whole) <= room) return {whole, std::max(legend + below, buttons.height())};
  return {whole, legend + buttons.height()};
}

int StageStrip::heightForWidth(int width) const { return extentFor(width).height() + 2 * kPadding; }

bool StageStrip::event(QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) {
    const QSize extent = extentFor(width());
    const QSize buttons = m_switches->sizeHint();
    const QPoint corner(2 * kPadding, kPadding);
    m_legend->setGeometry({corner, QSize(extent.width(), m_legend->heightForWidth(extent.width()))});
    m_switches->setGeometry(
        {QPoint(width() - 2 * kPadding - buttons.width(), height() - kPadding - buttons.height()), buttons});
  }
  return QWidget::event(event);
}

void StageStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Theme::window());
  painter.setPen(Theme::line());
  painter.drawLine(0, 0, width(), 0);
}

}  // namespace p2::views
