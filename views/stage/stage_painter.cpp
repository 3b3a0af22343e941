// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <chrono>

#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/stage/plated_text.h"
#include "views/stage/stage_marks.h"

namespace p2::views {
namespace {

constexpr double kLeastHulled = 24;  // widget pixels of a cell whose group is outlined although others are between
constexpr double kDimmed = 0.3;
constexpr std::chrono::milliseconds kAheadPerFrame{3};

}  // namespace

void StagePainter::setReplay(std::shared_ptr<const Replay> replay) {
  m_replay = std::move(replay);
  m_pictures.setReplay(m_replay);
  m_glyphs.setReplay(m_replay);
  forgetStep();
}

void StagePainter::forgetStep() {
  m_groupedStep = {};
  m_groups = {};
  m_hulls.clear();
  m_motion.clear();
  m_landed = {};
  m_ground.drop();
  m_names.drop();
  m_outlines.drop();
}

void StagePainter::setPreview(const std::vector<DeviceGroup>& groups) {
  m_previewed = groups;
  m_preview = StageGroups(m_previewed, map().cells.size());
}

void StagePainter::layout(QSizeF viewport) {
  m_pictures.drop();
  forgetStep();
  m_colors = {Theme::surface(), Theme::line(), Theme::text(), Theme::mutedText(),
              Theme::accent(),  Theme::tint(), Theme::bad()};
  m_font = Theme::tabularFont();
  if (m_replay) {
    m_layout.arrange(m_replay->system, m_replay->members, viewport, kMostShownDevices, QFontMetricsF(m_font).height());
  } else {
    m_layout = {};
  }
  setPreview(m_previewed);
}

void StagePainter::setScale(double zoom, double devicePixelRatio) {
  m_layout.setScale(zoom, devicePixelRatio);
  m_pictures.setSize(m_layout.matrixPixels());
  m_pictures.setFolded(m_layout.detail() == Detail::Folded);
}

QFont StagePainter::fontOf(double share) const {
  QFont font = m_font;
  font.setPointSizeF(std::max(m_font.pointSizeF() * share * pixel(), 0.1));
  return font;
}

void StagePainter::paint(QPainter& painter, const StageFrame& frame, const QRectF& exposed) {
  if (!m_replay) return;
  prepare(frame);
  painter.save();
  painter.setOpacity(frame.stale ? 0.4 : 1);
  const double opacity = painter.opacity();
  const double ratio = m_layout.devicePixelRatio();
  m_ground.paint(painter, exposed, m_layout.zoom(), ratio, [&](QPainter& own) { paintGround(own, exposed); });
  paintDevices(painter, frame, exposed);
  painter.setOpacity(opacity * (motion() == nullptr ? 1 : motion()->announcement(m_moment.progress)));
  if (m_groups.any()) {
    m_outlines.paint(painter, exposed, m_layout.zoom(), ratio, [&](QPainter& own) { paintOutlines(own, exposed); });
  }
  painter.setOpacity(opacity);
  painter.setFont(fontOf(0.85));
  if (motion() != nullptr) {
    m_motion.paintWires(painter, m_moment, exposed);
    m_names.paint(painter, exposed, m_layout.zoom(), ratio, [&](QPainter& own) { paintNames(own, exposed, true); });
    m_motion.paint(painter, m_moment, exposed);
  }
  if (m_preview.any()) paintPreview(painter, m_layout, m_preview);
  paintEmphasis(painter, m_layout, m_emphasis);
  if (frame.row && m_layout.detail() < Detail::Glyph) paintRowOfGroup(painter, m_layout, m_groups, *frame.row);
  painter.restore();
  makeAhead(exposed);
}

void StagePainter::makeAhead(const QRectF& exposed) {
  if (motion() == nullptr || m_layout.detail() >= Detail::Glyph || m_moment.before == m_moment.after) return;
  const auto begin = std::chrono::steady_clock::now();
  for (const DeviceMap::Cell& cell : map().cells) {
    if (!cell.rect.intersects(exposed) || !m_pictures.canDraw(cell.device, m_moment.after)) continue;
    while (m_pictures.makeAhead(cell.device, m_moment.after)) {
      if (std::chrono::steady_clock::now() - begin > kAheadPerFrame) return;
    }
  }
}

void StagePainter::paintGround(QPainter& painter, const QRectF& exposed) const {
  paintBoxes(painter, exposed);
  paintNames(painter, exposed, false);
  if (showsNodes()) return;
  for (const DeviceMap::Cell& cell : map().cells) {
    if (cell.rect.intersects(exposed)) paintFrame(painter, cell, m_colors.surface);
  }
}

void StagePainter::paintOutlines(QPainter& painter, const QRectF& exposed) const {
  paintHulls(painter, exposed);
  if (!m_layout.hasHeader()) return;
  painter.setFont(fontOf(0.85));
  for (const DeviceMap::Cell& cell : map().cells) {
    if (!cell.rect.intersects(exposed)) continue;
    const StageGroups::Membership& member = m_groups.of(cell.device);
    paintBadge(painter, m_layout.headerRect(cell.rect), member, member.failed ? m_colors.bad : m_colors.text, pixel());
  }
}

/// Whether devices are too small to be drawn one by one.
bool StagePainter::showsNodes() const {
  return m_layout.detail() == Detail::Classes && m_replay->system.levels.size() > 1;
}

void StagePainter::paintDevices(QPainter& painter, const StageFrame& frame, const QRectF& exposed) {
  const double opacity = painter.opacity();
  painter.setRenderHint(QPainter::Antialiasing, m_layout.detail() < Detail::Glyph);
  for (const DeviceMap::Box& box : map().boxes) {
    const bool innermost = std::size_t(box.level) + 2 == m_replay->system.levels.size();
    if (showsNodes() && innermost && box.rect.intersects(exposed)) paintNode(painter, box);
  }
  for (const DeviceMap::Cell& cell : map().cells) {
    if (showsNodes() || !cell.rect.intersects(exposed)) continue;
    painter.setOpacity(opacity * strengthOf(cell.device));
    paintCell(painter, frame, cell);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setOpacity(opacity);
}

void StagePainter::prepare(const StageFrame& frame) {
  m_pictures.setSize(m_layout.matrixPixels());
  m_pictures.setFolded(m_layout.detail() == Detail::Folded);
  m_numbers = frame.numbers;
  m_pictures.setNumbers(m_numbers);
  m_moment = StageMoment::of(*m_replay, frame.step, frame.progress, frame.before);
  const StepId step = m_moment.step;
  if (step != m_groupedStep) {
    m_groups = StageGroups(*m_replay, step, map().cells.size());
    m_hulls.clear();
    m_outlines.drop();
    for (const DeviceGroup& group : m_groups.groups()) m_hulls.push_back(hullOf(group, map(), 1));
  }
  if (step.isNone()) {
    m_motion.clear();
  } else if (step != m_groupedStep || motion() == nullptr) {
    m_motion.show(*m_replay, step, m_layout);
    m_landed = LandedStates(*m_replay, step);
  }
  m_groupedStep = step;
}

double StagePainter::strengthOf(Device device) const {
  if (motion() == nullptr || !m_groups.any()) return 1;
  const double alone = m_motion.isFirst(device) ? 0 : motion()->spotlight(m_moment.progress);
  const double back = eased((m_moment.progress - motion()->dropTo) / (1 - motion()->dropTo + 1e-9));
  const double outside = m_groups.of(device).group >= 0 ? 0 : motion()->announcement(m_moment.progress) * (1 - back);
  return 1 - (1 - kDimmed) * std::max(alone, outside);
}

void StagePainter::paintBoxes(QPainter& painter, const QRectF& exposed) const {
  for (const DeviceMap::Box& box : map().boxes) {
    if (!box.rect.intersects(exposed)) continue;
    painter.setPen(QPen(m_colors.line, pixel()));
    painter.setBrush(Theme::box(box.level));
    painter.drawRoundedRect(box.rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    paintStrip(painter, std::size_t(box.level) + 1, box.instance);
  }
  paintStrip(painter, 0, 0);
}

void StagePainter::paintNames(QPainter& painter, const QRectF& exposed, bool plated) const {
  // The strip for it grows and shrinks with the map.
  painter.setFont(fontOf(std::min(1.0, DeviceMap::kTitleHeight * m_layout.zoom() / QFontMetricsF(m_font).height())));
  painter.setPen(m_colors.muted);
  const double grid = Theme::kGrid;
  const auto write = [&](const QRectF& rect, Qt::Alignment side, const QString& text, const QColor& ground) {
    const Qt::Alignment alignment = side | Qt::AlignVCenter;
    plated ? paintPlatedText(painter, rect, alignment, text, ground, pixel())
           : painter.drawText(rect, int(alignment), text);
  };
  const StagePlaces places(m_replay->system, map());
  // What joins the instances below, as far as there is room next to the name of their box.
  const auto writeJoint = [&](std::size_t level, std::int64_t parent, const QColor& ground) {
    const Interconnect& joins = m_replay->system.levels[level].interconnect;
    if (joins.kind == InterconnectKind::None) return;
    const QRectF strip = places.stripOf(level, parent);
    const QString name = qs(joins.name.empty() ? std::string(nameOf(joins.kind)) : joins.name);
    if (QFontMetricsF(painter.font()).horizontalAdvance(name) + 12 * grid >= strip.width()) return;
    write(strip.adjusted(grid, 0, -grid, 0), Qt::AlignRight, name, ground);
  };
  for (const DeviceMap::Box& box : map().boxes) {
    if (!box.rect.intersects(exposed)) continue;
    const QRectF title(box.rect.left() + grid, box.rect.top(), box.rect.width() - 2 * grid, DeviceMap::kTitleHeight);
    // Where only one of them has room, the number tells more than what all boxes are called.
    const bool fits = painter.fontMetrics().horizontalAdvance(box.label) <= title.width();
    write(title, Qt::AlignLeft, fits ? box.label : box.label.section(' ', -1), Theme::box(box.level));
    writeJoint(std::size_t(box.level) + 1, box.instance, Theme::box(box.level));
  }
  writeJoint(0, 0, m_colors.surface);
}

/// The line of the switch, bus or ring that joins the instances below.
void StagePainter::paintStrip(QPainter& painter, std::size_t level, std::int64_t parent) const {
  const Interconnect& joins = m_replay->system.levels[level].interconnect;
  if (joins.kind == InterconnectKind::None) return;
  const QRectF strip = StagePlaces(m_replay->system, map()).stripOf(level, parent);
  const double grid = Theme::kGrid;
  painter.setPen(QPen(m_colors.line, 2 * pixel()));
  const double y = strip.bottom() - 2;
  painter.drawLine(QPointF(strip.left() + grid, y), QPointF(strip.right() - grid, y));
}

void StagePainter::paintHulls(QPainter& painter, const QRectF& exposed) const {
  painter.setBrush(Qt::NoBrush);
  const bool small = map().cells.empty() || map().cells[0].rect.width() * m_layout.zoom() < kLeastHulled;
  for (std::size_t group = 0; group < m_hulls.size(); ++group) {
    const DeviceGroup& devices = m_groups.groups()[group];
    if (!m_hulls[group].controlPointRect().intersects(exposed)) continue;
    if (small && devices.size() > 1 && m_hulls[group].toSubpathPolygons().size() > 1) continue;
    const bool failed = m_groups.of(devices.front()).failed;
    painter.setPen(groupPen(int(group), failed ? m_colors.bad : m_colors.text, (failed ? 2.5 : 1.6) * pixel()));
    painter.drawPath(m_hulls[group]);
  }
}

void StagePainter::paintNode(QPainter& painter, const DeviceMap::Box& box) {
  const bool over = motion() == nullptr || m_moment.progress >= motion()->mergeTo;
  const QRectF inside = box.rect.adjusted(Theme::kGrid, DeviceMap::kTitleHeight, -Theme::kGrid, -Theme::kGrid);
  painter.setFont(fontOf(0.85));
  m_glyphs.paintNode(painter, inside, box.instance, over ? m_moment.after : m_moment.before, pixel());
}

}  // namespace p2::views
