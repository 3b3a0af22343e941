// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/glyphs.h"

#include <algorithm>

#include "views/common/theme.h"
#include "views/stage/grid_style.h"

namespace p2::views {
namespace {

constexpr std::int64_t kMostBars = 32;

}  // namespace

void Glyphs::setReplay(std::shared_ptr<const Replay> replay) {
  m_replay = std::move(replay);
  m_bars.clear();
  m_classes.clear();
}

const Glyphs::Bars& Glyphs::of(Device device, int steps) {
  const auto [found, isNew] = m_bars.try_emplace({steps, m_replay->hierarchy->memberOf(device)});
  Bars& bars = found->second;
  if (!isNew) return bars;
  const double chunks = double(m_replay->trace.chunks());
  const double members = double(m_replay->members);
  if (m_replay->trace.mostRunsOf(device, steps) > kMostBars) {
    const Holding held = m_replay->trace.holdingOf(device, steps);
    bars.emplace_back(0, 0, double(held.leastSummed) / members, double(held.chunks) / chunks);
    return bars;
  }
  for (const FoldedState& part : m_replay->trace.partsOf(device, steps)) {
    const double width = double(countOf(part.columns)) / members;
    for (const ChunkRange& range : part.rows) {
      bars.emplace_back(0, double(range.from) / chunks, width, double(range.to - range.from) / chunks);
    }
  }
  return bars;
}

void Glyphs::paint(QPainter& painter, const QRectF& rect, const Bars& bars, double pixel) {
  const GridInk ink = GridInk::current();
  painter.fillRect(rect, ink.ground);
  QColor missing = ink.frame;
  missing.setAlphaF(0.3f);
  for (const QRectF& bar : bars) {
    const double top = rect.top() + bar.top() * rect.height();
    const double height = std::max(bar.height() * rect.height(), pixel);
    painter.fillRect(QRectF(rect.left(), top, rect.width(), height), missing);
    painter.fillRect(QRectF(rect.left(), top, std::max(bar.width() * rect.width(), 2 * pixel), height), ink.frame);
  }
}

const std::vector<Glyphs::Class>& Glyphs::classesOf(std::int64_t node, int steps) {
  const auto [found, isNew] = m_classes.try_emplace({steps, node});
  std::vector<Class>& classes = found->second;
  if (!isNew) return classes;
  const std::int64_t count = m_replay->system.levels.back().count;
  for (std::int64_t i = node * count; i < (node + 1) * count; ++i) {
    const Holding holding = m_replay->trace.holdingOf(Device(i), steps);
    const auto known =
        std::find_if(classes.begin(), classes.end(), [&](const Class& each) { return each.holding == holding; });
    if (known == classes.end()) {
      classes.push_back({holding, 1});
    } else {
      ++known->devices;
    }
  }
  return classes;
}

void Glyphs::paintNode(QPainter& painter, const QRectF& rect, std::int64_t node, int steps, double pixel) {
  const std::vector<Class>& classes = classesOf(node, steps);
  const double width = rect.width() / double(classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const QRectF tile(rect.left() + double(i) * width, rect.top(), width - 2 * pixel, rect.height());
    const Holding& held = classes[i].holding;
    Bars bars;
    if (held.chunks > 0) {
      bars.emplace_back(0, 0, double(held.leastSummed) / double(m_replay->members),
                        double(held.chunks) / double(m_replay->trace.chunks()));
    }
    paint(painter, tile, bars, pixel);
    const QString count = QStringLiteral("×%1").arg(classes[i].devices);
    const QString text = classes.size() == 1 ? QObject::tr("%1, same pattern").arg(count) : count;
    const QFontMetricsF metrics(painter.font());
    const QString shown = metrics.horizontalAdvance(text) < tile.width() ? text : count;
    if (metrics.horizontalAdvance(shown) > tile.width() || metrics.height() > tile.height()) continue;
    const QSizeF label(metrics.horizontalAdvance(shown) + 4 * pixel, metrics.height());
    const QRectF plate(tile.center() - QPointF(label.width(), label.height()) / 2, label);
    painter.fillRect(plate, Theme::surface());
    painter.setPen(Theme::text());
    painter.drawText(plate, Qt::AlignCenter, shown);
  }
}

}  // namespace p2::views
