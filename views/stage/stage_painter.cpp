// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_painter.h"

#include <QPainterPath>
#include <algorithm>

#include "views/common/theme.h"
#include "views/stage/folded_runs.h"
#include "views/stage/state_image.h"

namespace p2::views {
namespace {

constexpr double kMargin = 6;   // between a cell's frame and its matrix
constexpr double kHeader = 18;  // the device's number and its group
constexpr double kBadge = 14;
constexpr double kMostImageSide = 1024;
constexpr qint64 kMostImageBytes = 128 << 20;

bool contains(const DeviceGroup& devices, Device device) {
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

}  // namespace

QColor memberColor(int member, int members) {
  if (members <= 8) return Theme::category(member);
  // The ramp begins darker than a dark surface can carry.
  const double first = Theme::isDark() ? 0.4 : 0;
  return Theme::load(first + (1 - first) * double(member) / double(members - 1));
}

void StagePainter::setReplay(std::shared_ptr<const Replay> replay) {
  m_replay = std::move(replay);
  dropImages();
  m_changed.clear();
  m_groupedStep = {};
}

void StagePainter::setPixelRatio(double pixelRatio) {
  const double ratio = std::clamp(pixelRatio, 1.0 / m_side, kMostImageSide / m_side);
  if (ratio == m_pixelRatio) return;
  m_pixelRatio = ratio;
  dropImages();
}

void StagePainter::dropImages() {
  m_images.clear();
  m_imageBytes = 0;
}

void StagePainter::layout(QSizeF viewport, double devicePixelRatio) {
  dropImages();
  m_changed.clear();
  m_pixelRatio = devicePixelRatio;
  m_colors = {Theme::surface(), Theme::line(), Theme::text(), Theme::mutedText(),
              Theme::accent(),  Theme::tint(), Theme::bad()};
  m_font = Theme::tabularFont();
  m_font.setPointSizeF(m_font.pointSizeF() * 0.85);
  m_map = {};
  if (!m_replay || viewport.isEmpty()) return;
  const double aspect = viewport.width() / viewport.height();
  for (m_side = kLargestSide;; m_side -= Theme::kGrid) {
    const QSizeF cell(m_side + 2 * kMargin, m_side + kHeader + kMargin);
    // How nested boxes wrap is a matter of luck; another aspect often fits where the viewport's own does not.
    for (const double factor : {1.0, 0.5, 2.0, 0.25, 4.0}) {
      m_map = layoutDevices(m_replay->system, cell, aspect * factor, kMostShownDevices);
      const QRectF& bounds = m_map.bounds;
      if (bounds.width() <= viewport.width() && bounds.height() <= viewport.height()) return;
    }
    if (m_side <= kSmallestSide) break;
  }
  m_map = layoutDevices(m_replay->system, QSizeF(m_side + 2 * kMargin, m_side + kHeader + kMargin), aspect,
                        kMostShownDevices);
}

void StagePainter::paint(QPainter& painter, const StageFrame& frame, const QRectF& exposed) {
  if (!m_replay) return;
  groupDevices(StepId(frame.step));
  painter.save();
  painter.setFont(m_font);
  painter.setOpacity(frame.stale ? 0.4 : 1);
  paintBoxes(painter, exposed);
  for (const DeviceMap::Cell& cell : m_map.cells) {
    if (cell.rect.intersects(exposed)) paintCell(painter, frame, cell);
  }
  painter.restore();
}

void StagePainter::groupDevices(StepId step) {
  if (step == m_groupedStep && m_groups.size() == m_map.cells.size()) return;
  m_groupedStep = step;
  m_groups.assign(m_map.cells.size(), {});
  if (step.index() >= m_replay->facts.size()) return;
  const GroupPattern& pattern = m_replay->program[step.index()].pattern;
  std::map<Device, int> heads;
  for (const DeviceMap::Cell& cell : m_map.cells) {
    const Device head = groupHead(*m_replay->hierarchy, pattern, cell.device);
    if (head.isNone()) continue;
    Group& group = m_groups[cell.device.index()];
    group.index = heads.emplace(head, int(heads.size())).first->second;
    group.failed =
        step == StepId(m_replay->validSteps()) && m_replay->failure && contains(m_replay->failure->group, cell.device);
  }
}

QRectF StagePainter::matrixRect(const QRectF& cell) const {
  return {cell.left() + kMargin, cell.top() + kHeader, double(m_side), double(m_side)};
}

QImage StagePainter::image(Device device, int steps) {
  const std::pair key(steps, m_replay->hierarchy->memberOf(device));
  if (const auto found = m_images.find(key); found != m_images.end()) return found->second;
  if (m_imageBytes > kMostImageBytes) dropImages();
  QImage made;
  const int side = std::max(1, int(m_side * m_pixelRatio));
  if (m_replay->isExplicit()) {
    made = stateImage(m_replay->stateOf(device, steps), side);
  } else if (const auto folded = m_replay->foldedOf(device, steps)) {
    made = stateImage(*folded, side);
  }
  made.setDevicePixelRatio(m_pixelRatio);
  m_imageBytes += made.sizeInBytes();
  m_images.emplace(key, made);
  return made;
}

const std::vector<std::pair<int, int>>& StagePainter::changedRows(Device device, StepId step) {
  const int done = int(step.value());
  const auto [found, isNew] = m_changed.try_emplace({done, m_replay->hierarchy->memberOf(device)});
  std::vector<std::pair<int, int>>& runs = found->second;
  if (!isNew) return runs;
  if (!m_replay->isExplicit()) {
    // Marks closer than a pixel would not be told apart.
    const double pixel = double(m_replay->members) / m_side;
    const auto foldedBefore = m_replay->foldedOf(device, done);
    const auto foldedAfter = m_replay->foldedOf(device, done + 1);
    if (!foldedBefore || !foldedAfter) return runs;
    for (const ChunkRange& range : changedRuns(*foldedBefore, *foldedAfter, pixel)) {
      runs.emplace_back(int(range.from), int(range.to) - 1);
    }
    return runs;
  }
  const DeviceState& before = m_replay->stateOf(device, done);
  const DeviceState& after = m_replay->stateOf(device, done + 1);
  for (int row = 0; row < before.size(); ++row) {
    if (before.columns(row) == after.columns(row)) continue;
    if (!runs.empty() && runs.back().second == row - 1) {
      runs.back().second = row;
    } else {
      runs.emplace_back(row, row);
    }
  }
  return runs;
}

void StagePainter::paintBoxes(QPainter& painter, const QRectF& exposed) const {
  for (const DeviceMap::Box& box : m_map.boxes) {
    if (!box.rect.intersects(exposed)) continue;
    painter.setPen(m_colors.line);
    painter.setBrush(Theme::box(box.level));
    painter.drawRoundedRect(box.rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setPen(m_colors.muted);
    const QRectF title(box.rect.left() + Theme::kGrid, box.rect.top(), box.rect.width() - 2 * Theme::kGrid,
                       DeviceMap::kTitleHeight);
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, box.label);
  }
}

void StagePainter::paintCell(QPainter& painter, const StageFrame& frame, const DeviceMap::Cell& cell) {
  paintFrame(painter, frame, cell);
  paintHeader(painter, cell);
  const int last = frame.progress > 0 ? std::min(frame.step + 1, m_replay->validSteps()) : frame.step;
  if (image(cell.device, frame.step).isNull() || image(cell.device, last).isNull()) {
    paintShare(painter, frame, cell);
    return;
  }
  paintMatrix(painter, frame, cell);
  if (m_groups[cell.device.index()].failed) paintFailure(painter, cell);
}

void StagePainter::paintFrame(QPainter& painter, const StageFrame& frame, const DeviceMap::Cell& cell) const {
  const Group& group = m_groups[cell.device.index()];
  const bool chosen = cell.device == frame.chosen;
  QPen pen(m_colors.line, 1);
  if (group.failed) {
    pen = QPen(m_colors.bad, 2, Qt::DashLine);
  } else if (group.index >= 0) {
    pen = QPen(Theme::category(group.index), 2);
  }
  painter.setPen(pen);
  painter.setBrush(chosen || cell.device == frame.hovered ? m_colors.tint : m_colors.surface);
  painter.drawRoundedRect(cell.rect.adjusted(1, 1, -1, -1), 3, 3);
  if (!chosen && cell.device != frame.focused) return;
  // The cursor and the chosen device lie outside the group's colour, which both must leave readable.
  painter.setPen(
      QPen(chosen ? m_colors.accent : m_colors.text, 1.5, cell.device == frame.focused ? Qt::DotLine : Qt::SolidLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(cell.rect.adjusted(-1.5, -1.5, 1.5, 1.5), 4, 4);
}

void StagePainter::paintHeader(QPainter& painter, const DeviceMap::Cell& cell) const {
  const QRectF header(cell.rect.left() + kMargin, cell.rect.top() + 2, m_side, kHeader - 2);
  painter.setPen(m_colors.text);
  painter.drawText(header, Qt::AlignLeft | Qt::AlignVCenter, QString::number(cell.device.value()));
  const Group& group = m_groups[cell.device.index()];
  if (group.index < 0) return;
  const QString letter = Theme::categoryLetter(group.index);
  const double width = kBadge + 6 * (double(letter.size()) - 1);
  const QRectF badge(header.right() - width, header.top() + 1, width, kBadge);
  painter.setPen(Qt::NoPen);
  painter.setBrush(Theme::category(group.index));
  painter.drawRoundedRect(badge, 3, 3);
  const Qt::BrushStyle pattern = Theme::categoryPattern(group.index);
  if (pattern != Qt::SolidPattern) {
    painter.setBrush(QBrush(Theme::onCategory(group.index), pattern));
    painter.drawRect(QRectF(badge.left(), badge.bottom() - 3, badge.width(), 3));
  }
  painter.setPen(Theme::onCategory(group.index));
  painter.drawText(badge, Qt::AlignCenter, letter);
}

void StagePainter::paintMatrix(QPainter& painter, const StageFrame& frame, const DeviceMap::Cell& cell) {
  const QRectF rect = matrixRect(cell.rect);
  const QImage before = image(cell.device, frame.step);
  painter.drawImage(rect.topLeft(), before);
  if (frame.progress <= 0 || frame.step >= m_replay->validSteps()) return;
  const double opacity = painter.opacity();
  painter.setOpacity(opacity * frame.progress);
  painter.drawImage(rect.topLeft(), image(cell.device, frame.step + 1));
  painter.setOpacity(opacity);
  const double row = before.deviceIndependentSize().height() / double(m_replay->members);
  for (const auto& [first, last] : changedRows(cell.device, StepId(frame.step))) {
    painter.fillRect(QRectF(rect.left() - 4, rect.top() + first * row, 3, (last - first + 1) * row), m_colors.accent);
  }
}

void StagePainter::paintShare(QPainter& painter, const StageFrame& frame, const DeviceMap::Cell& cell) const {
  const QRectF rect = matrixRect(cell.rect);
  painter.fillRect(rect, Theme::box(0));
  const int steps = frame.progress < 0.5 ? frame.step : std::min(frame.step + 1, m_replay->validSteps());
  const double share = m_replay->shareOf(cell.device, steps);
  painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), rect.height() * share), m_colors.tint);
  painter.setPen(m_colors.text);
  const QString text = share > 0 ? QString("1/%1").arg(std::lround(1 / share)) : QString("–");
  painter.drawText(rect, Qt::AlignCenter, text);
}

void StagePainter::paintFailure(QPainter& painter, const DeviceMap::Cell& cell) {
  const PremiseFailure& failure = *m_replay->failure;
  if (!contains(failure.members, cell.device) && !failure.members.empty()) return;
  const QRectF rect = matrixRect(cell.rect);
  const double drawn = image(cell.device, int(m_groupedStep.value())).deviceIndependentSize().width();
  const double unit = std::max(0.0, drawn) / double(m_replay->members);
  painter.setPen(QPen(m_colors.bad, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(cell.rect.adjusted(1, 1, -1, -1), 3, 3);
  double below = -1;  // rows that fall on the same pixel are marked once
  for (const int row : failure.rows) {
    if (row * unit < below) continue;
    below = row * unit + 1;
    painter.drawRect(QRectF(rect.left(), rect.top() + row * unit, drawn, unit).adjusted(-1, -1, 1, 1));
  }
  for (const int column : failure.columns) {
    painter.drawRect(QRectF(rect.left() + column * unit, rect.top(), unit, drawn).adjusted(-1, -1, 1, 1));
  }
}

}  // namespace p2::views
