// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_view.h"

#include <QApplication>
#include <QFontInfo>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolButton>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "views/common/device_names.h"
#include "views/common/program_notation.h"
#include "views/common/theme.h"
#include "views/stage/stage_legend.h"
#include "views/stage/stage_strip.h"

namespace p2::views {
namespace {

bool walks(const QKeyEvent& event) {
  return !directionOf(event.key()).isNull() && (event.modifiers() & ~Qt::KeypadModifier) == Qt::ControlModifier;
}

}  // namespace

StageView::StageView(QWidget* parent) : Canvas(parent), m_strip(new StageStrip(this)) {
  exposeAccessibleItems(*this);
  setMinimumSize(240, 200);
  setAccessibleName(tr("Devices and their chunks"));
  connectStrip();
}

void StageView::connectStrip() {
  const auto option = [this](QToolButton& button, auto apply) {
    connect(&button, &QToolButton::toggled, this, [this, apply](bool on) {
      apply(m_frame, on);
      placeStrip();
      update();
      emit optionsChanged();
    });
  };
  option(m_strip->before(), [](StageFrame& frame, bool on) { frame.before = on; });
  option(m_strip->numbers(), [](StageFrame& frame, bool on) { frame.numbers = on; });
  connect(m_strip, &StageStrip::zoomInAsked, this, &StageView::zoomIn);
  connect(m_strip, &StageStrip::zoomOutAsked, this, &StageView::zoomOut);
  connect(m_strip, &StageStrip::fitAsked, this, &StageView::fit);
}

void StageView::placeStrip() {
  const bool shown = !m_strip->isHidden();
  const int height = shown ? std::min(m_strip->heightForWidth(width() - 2), this->height() / 2) : 0;
  m_strip->setGeometry(1, this->height() - height - 1, width() - 2, height);
  setBottomInset(height + 1);
}

void StageView::resizeEvent(QResizeEvent* event) {
  placeStrip();
  Canvas::resizeEvent(event);
}

void StageView::setReplay(std::shared_ptr<const Replay> replay, const Replay* whole) {
  m_replay = std::move(replay);
  m_painter.setReplay(m_replay);
  m_strip->legend().setReplay(whole != nullptr ? whole : m_replay.get());
  m_strip->numbers().setEnabled(m_replay && m_replay->isExplicit());
  if (!m_strip->numbers().isEnabled()) m_strip->numbers().setChecked(false);
  m_frame.step = 0;
  m_frame.progress = 0;
  placeStrip();
  layOut();
  drawingChanged();
  tellDetail();
  const Device end(std::ssize(m_painter.map().cells));
  if (m_frame.focused >= end) m_frame.focused = {};
  if (m_frame.chosen >= end) choose({});
}

void StageView::setMoment(int step, double progress) {
  // The step before is looked at once, not from now on.
  if (step != m_frame.step || progress > 0) m_strip->before().setChecked(false);
  m_frame.step = step;
  m_frame.progress = progress;
  announceMoment();
  update();
}

void StageView::setStale(bool stale) {
  m_frame.stale = stale;
  update();
}

void StageView::setHovered(Device device) {
  m_frame.hovered = device;
  update();
}

void StageView::setChosen(Device device) {
  m_frame.chosen = device;
  update();
}

void StageView::setEmphasis(StageEmphasis emphasis) {
  m_painter.setEmphasis(std::move(emphasis));
  update();
}

void StageView::setPreview(const std::vector<DeviceGroup>& groups) {
  m_painter.setPreview(groups);
  update();
}

QRectF StageView::inWidget(const QRectF& drawing) const {
  return drawing.isEmpty() ? QRectF() : QRectF(toWidget(drawing.topLeft()), toWidget(drawing.bottomRight()));
}

QRectF StageView::rectOf(Device device) const {
  if (device.isNone() || device.index() >= m_painter.map().cells.size()) return {};
  return inWidget(m_painter.map().cells[device.index()].rect);
}

QRectF StageView::rectOf(Device device, std::int64_t chunk) const {
  return inWidget(m_painter.layout().rowRect(device, chunk));
}

void StageView::layOut() {
  const int strip = m_strip->isHidden() ? 0 : m_strip->height();
  const QSizeF room = QSizeF(width(), height() - strip - 1) - QSizeF(2 * Theme::kGrid, 2 * Theme::kGrid);
  m_painter.layout(room / m_magnification);
}

// Magnified it is drawn as for a screen of finer pixels, only that these are the widget's.
void StageView::setPainterScale() {
  m_painter.setScale(zoom() / m_magnification, devicePixelRatioF() * m_magnification);
}

void StageView::tellDetail() {
  setPainterScale();
  const bool glyphs = m_replay && m_painter.layout().detail() >= Detail::Glyph;
  if (glyphs == m_glyphs) return;
  m_glyphs = glyphs;
  m_strip->legend().setGlyphs(glyphs);
  emit detailChanged();
}

void StageView::setMagnification(double factor) {
  m_magnification = std::max(factor, 1.0);
  layOut();
  Canvas::fit();
  tellDetail();
}

double StageView::leastTextPixels() const {
  return StagePainter::kLeastText * QFontInfo(Theme::tabularFont()).pixelSize() * m_magnification;
}

void StageView::setStripShown(bool shown) {
  m_strip->setVisible(shown);
  placeStrip();
  fit();
}

void StageView::navigated() {
  tellDetail();
  if (!m_following) emit navigatedByUser();
}

void StageView::follow(StageView& other) {
  connect(&other, &StageView::navigatedByUser, this, [this, &other] {
    m_following = true;
    showLike(other);
    m_following = false;
  });
  const auto same = [](QToolButton& button, QToolButton& leader) {
    connect(&leader, &QToolButton::toggled, &button, [&button](bool on) {
      if (button.isEnabled()) button.setChecked(on);
    });
  };
  same(m_strip->before(), other.m_strip->before());
  same(m_strip->numbers(), other.m_strip->numbers());
}

void StageView::fit() {
  layOut();
  Canvas::fit();
  navigated();
}

void StageView::paintDrawing(QPainter& painter, const QRectF& visible) {
  setPainterScale();
  m_painter.paint(painter, m_frame, visible);
}

void StageView::hovered(std::optional<QPointF> point) {
  setPainterScale();
  emit deviceHovered(point ? m_painter.map().deviceAt(*point) : Device());
  const auto row = point ? m_painter.layout().rowAt(*point) : std::nullopt;
  if (row == m_frame.row) return;
  m_frame.row = row;
  update();
}

bool StageView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    if (walks(key) || (key.key() == Qt::Key_Escape && !m_frame.focused.isNone())) {
      event->accept();
      return true;
    }
  }
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const Device device = m_painter.map().deviceAt(toDrawing(help->pos()));
    QToolTip::showText(help->globalPos(), device.isNone() ? QString() : textOf(device), this);
    return true;
  }
  return Canvas::event(event);
}

void StageView::keyPressEvent(QKeyEvent* event) {
  const bool empty = m_painter.map().cells.empty();
  const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  if (!empty && walks(*event)) {
    moveCursor(event->key());
  } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && !empty) {
    m_frame.focused = std::max(m_frame.focused, Device(0));
    choose(m_frame.focused);
  } else if (event->key() == Qt::Key_Escape && !m_frame.focused.isNone()) {
    m_frame.focused = {};
    choose({});
  } else if (plain && event->key() == Qt::Key_B) {
    m_strip->before().click();
  } else if (plain && event->key() == Qt::Key_N) {
    m_strip->numbers().click();
  } else {
    Canvas::keyPressEvent(event);
  }
}

void StageView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const QPointF at = toDrawing(event->position());
  const auto& boxes = m_painter.map().boxes;
  // The innermost one stands last.
  const auto box =
      std::find_if(boxes.rbegin(), boxes.rend(), [&](const DeviceMap::Box& each) { return each.rect.contains(at); });
  if (box == boxes.rend()) return;
  m_frame.focused = {};
  choose({});
  zoomTo(box->rect);
}

void StageView::mousePressEvent(QMouseEvent* event) {
  m_pressedAt = event->position();
  Canvas::mousePressEvent(event);
}

void StageView::mouseReleaseEvent(QMouseEvent* event) {
  Canvas::mouseReleaseEvent(event);
  const bool dragged = (event->position() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
  if (event->button() != Qt::LeftButton || dragged) return;
  const Device device = m_painter.map().deviceAt(toDrawing(event->position()));
  m_frame.focused = device;
  choose(device == m_frame.chosen ? Device() : device);
}

void StageView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    placeStrip();
    layOut();
    drawingChanged();
  }
  Canvas::changeEvent(event);
}

void StageView::moveCursor(int key) {
  m_frame.focused = m_frame.focused.isNone() ? Device(0) : m_painter.map().neighbour(m_frame.focused, directionOf(key));
  if (!m_frame.chosen.isNone()) choose(m_frame.focused);
  reveal(m_painter.map().cells[m_frame.focused.index()].rect);
  describe();
  update();
}

void StageView::choose(Device device) {
  setChosen(device);
  describe();
  emit deviceChosen(device);
}

void StageView::describe() {
  tellFocusedItem(*this);
  if (!m_frame.focused.isNone()) announce(*this, textOf(m_frame.focused));
}

/// Once a step begins, and once when it is done: for screen readers.
void StageView::announceMoment() {
  if (!m_replay) return;
  const StageMoment moment = StageMoment::of(*m_replay, m_frame.step, m_frame.progress, m_frame.before);
  const QString of = QString::number(m_replay->program.size());
  QString sentence = tr("before step 1 of %1").arg(of);
  if (!moment.step.isNone()) {
    const QString step = tr("step %1 of %2, %3")
                             .arg(QString::number(moment.step.value() + 1), of,
                                  stepNotation(*m_replay->hierarchy, m_replay->program[moment.step.index()]));
    sentence = moment.fails           ? tr("%1: it cannot run").arg(step)
               : m_frame.progress > 0 ? step
                                      : tr("after %1").arg(step);
  }
  if (std::exchange(m_announced, sentence) != sentence) announce(*this, sentence);
}

AccessibleItem StageView::itemAt(int index) const {
  const Device device{std::int64_t(index)};
  return {deviceName(m_replay->system, device), holdingOf(device), rectOf(device).toAlignedRect()};
}

QString StageView::holdingOf(Device device) const { return m_replay->holdingText(device, stepsShown()); }

int StageView::stepsShown() const {
  const StageMoment moment = StageMoment::of(*m_replay, m_frame.step, m_frame.progress, m_frame.before);
  return moment.progress < 1 ? moment.before : moment.after;
}

QString StageView::textOf(Device device) const {
  return tr("%1: %2").arg(deviceName(m_replay->system, device), holdingOf(device));
}

}  // namespace p2::views
