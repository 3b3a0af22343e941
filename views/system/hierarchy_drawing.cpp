// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/hierarchy_drawing.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/units.h"
#include "views/common/device_map.h"

namespace p2::views {
namespace {

using Shape = HierarchyDrawing::Shape;

constexpr std::int64_t kMostDrawn = 64;  // devices
constexpr std::array<std::int64_t, 4> kFanOuts{16, 4, 2, 1};
constexpr std::int64_t kMostNamed = 4;  // devices of one instance that carry their name, not just their number
constexpr QSizeF kDevice{56, 28};
constexpr QSizeF kNumberedDevice{36, 28};
constexpr double kAspect = 1.5;  // width / height that blocks are folded towards
constexpr double kGap = 8;
constexpr double kPadding = 8;
constexpr double kBar = 24;
constexpr double kPort = 12;
constexpr double kLetter = 7.5;  // room for one letter of a caption

QString tr(const char* text) { return QCoreApplication::translate("HierarchyDrawing", text); }

QString networkName(const Interconnect& link) {
  return QString::fromStdString(link.name.empty() ? std::string(nameOf(link.kind)) : link.name);
}

QString networkCaption(const Level& level, bool numbered) {
  const Interconnect& link = level.interconnect;
  QString text = networkName(link) + QStringLiteral(" · ") + QString::fromStdString(formatBandwidth(link.bandwidth));
  if (link.latency > 0) text += QStringLiteral(" · ") + QString::fromStdString(formatSeconds(link.latency));
  if (numbered) text += QStringLiteral(" · %1 0–%2").arg(QString::fromStdString(level.name)).arg(level.count - 1);
  return text;
}

/// Where the children of one instance stand; the same for all instances of a level.
struct Block {
  std::int64_t drawn = 1;  // children
  std::int64_t places = 1;  // with the one for those left out
  std::int64_t columns = 1;
  bool network = true;     // a single child needs none
  bool ring = false;
  bool numbered = false;  // children carry their number only; the caption says what they are
  QSizeF child;
  QSizeF size;

  [[nodiscard]] bool twoRows() const { return places > columns; }
  /// From one column to the next. A ring is spread out, so that its caption fits inside it.
  [[nodiscard]] double pitch() const {
    return ring && columns > 1 ? (size.width() - child.width()) / double(columns - 1) : child.width() + kGap;
  }
  [[nodiscard]] double left() const { return (size.width() - double(columns - 1) * pitch() - child.width()) / 2; }
  [[nodiscard]] double networkTop() const {
    if (twoRows()) return child.height() + kPort;
    return ring ? child.height() : 0;
  }
  [[nodiscard]] QRectF slot(std::int64_t index) const {
    const bool lower = index >= columns;
    // A ring comes back along the lower row, so that neighbours stay neighbours.
    const std::int64_t column = !lower ? index : ring ? 2 * columns - 1 - index : index - columns;
    const double firstRow = twoRows() || ring || !network ? 0 : kBar + kPort;
    const double y = lower ? child.height() + kBar + 2 * kPort : firstRow;
    return {{left() + double(column) * pitch(), y}, child};
  }
};

QSizeF sizeOf(const Block& block, double captionWidth) {
  const double width = std::max(double(block.columns) * (block.child.width() + kGap) - kGap,
                                captionWidth + (block.ring ? block.child.width() : 0));
  if (block.twoRows()) return {width, 2 * block.child.height() + kBar + 2 * kPort};
  if (!block.network) return {width, block.child.height()};
  return {width, block.child.height() + kBar + (block.ring ? 0 : kPort)};
}

/// One row or two, whichever comes nearer to kAspect. A ring of three or more needs two to close.
Block folded(Block block, double captionWidth) {
  Block twoRows = block;
  twoRows.columns = (block.places + 1) / 2;
  block.size = sizeOf(block, captionWidth);
  twoRows.size = sizeOf(twoRows, captionWidth);
  if (block.places < 2 || (block.ring && block.places == 2)) return block;
  const auto distance = [](QSizeF size) { return std::abs(std::log(size.width() / size.height() / kAspect)); };
  return block.ring || distance(twoRows.size) < distance(block.size) ? twoRows : block;
}

Block blockOf(const Level& level, std::int64_t drawn, QSizeF child, bool devices) {
  Block block;
  block.drawn = drawn;
  block.places = drawn < level.count ? drawn + 1 : drawn;
  block.columns = block.places;
  block.network = level.count > 1;
  block.ring = level.interconnect.kind == InterconnectKind::Ring;
  block.numbered = devices && block.places > kMostNamed;
  block.child = block.numbered ? kNumberedDevice : child;
  const QString caption = block.network ? networkCaption(level, block.numbered) : QString();
  return folded(block, double(caption.size()) * kLetter);
}

class Drawer {
 public:
  explicit Drawer(const System& system) : m_system(system), m_blocks(system.levels.size()) {
    const std::vector<std::int64_t> drawn = drawnCounts(system);
    QSizeF child = kDevice;
    for (std::size_t level = m_blocks.size(); level-- > 0;) {
      m_blocks[level] = blockOf(system.levels[level], drawn[level], child, level + 1 == m_blocks.size());
      child = m_blocks[level].size + QSizeF(2 * kPadding, kHierarchyTitleHeight + kPadding);
    }
  }

  HierarchyDrawing draw() {
    if (m_blocks.empty()) return {};
    m_drawing.bounds = QRectF({0, 0}, m_blocks[0].size);
    drawChildren(0, 0, {0, 0});
    return std::move(m_drawing);
  }

 private:
  void drawChildren(std::size_t level, std::int64_t parent, QPointF origin) {
    const Block& block = m_blocks[level];
    const std::int64_t count = m_system.levels[level].count;
    if (block.network) drawNetwork(level, parent, origin);
    for (std::int64_t child = 0; child < block.drawn; ++child) {
      drawInstance(level, parent * count + child, block.slot(child).translated(origin));
    }
    if (block.places == block.drawn) return;
    add({Shape::Kind::More, int(level), -1, block.slot(block.drawn).translated(origin), {},
         block.numbered ? QStringLiteral("…") : tr("+ %L1 more").arg(count - block.drawn),
         tr("%L1 more instances of %2 like these, %L3 in all")
             .arg(count - block.drawn)
             .arg(levelName(level))
             .arg(count)});
  }

  void drawInstance(std::size_t level, std::int64_t instance, const QRectF& rect) {
    const bool device = level + 1 == m_blocks.size();
    const QString number = QString::number(instance % m_system.levels[level].count);
    const QString label = m_blocks[level].numbered ? number : levelName(level) + ' ' + number;
    const QString name = instanceName(m_system, int(level), instance);
    add({device ? Shape::Kind::Device : Shape::Kind::Box, int(level), instance, rect, {}, label,
         device ? tr("device %1: %2").arg(instance).arg(name) : name});
    if (!device) drawChildren(level + 1, instance, rect.topLeft() + QPointF(kPadding, kHierarchyTitleHeight));
  }

  void drawNetwork(std::size_t level, std::int64_t parent, QPointF origin) {
    const Block& block = m_blocks[level];
    const Interconnect& link = m_system.levels[level].interconnect;
    const QString caption = networkCaption(m_system.levels[level], block.numbered);
    const QRectF bar(origin.x(), origin.y() + block.networkTop(), block.size.width(), kBar);
    const QString owner = level == 0 ? QString() : tr(" of %1").arg(instanceName(m_system, int(level) - 1, parent));
    const QString name = tr("%1%2: a %3, %4 per %5 and direction")
                             .arg(networkName(link), owner, QString::fromUtf8(nameOf(link.kind).data()),
                                  QString::fromStdString(formatBandwidth(link.bandwidth)),
                                  block.ring ? tr("link") : tr("port"));
    if (block.ring) {
      drawRingLinks(level, parent, origin);
      add({Shape::Kind::Caption, int(level), -1, bar, {}, caption, name});
    } else {
      drawPorts(level, parent, origin, bar);
      add({Shape::Kind::Switch, int(level), -1, bar, {}, caption, name});
    }
  }

  void drawPorts(std::size_t level, std::int64_t parent, QPointF origin, const QRectF& bar) {
    const Block& block = m_blocks[level];
    for (std::int64_t slot = 0; slot < block.places; ++slot) {
      const QRectF child = block.slot(slot).translated(origin);
      const bool above = child.center().y() < bar.center().y();
      const QPointF from(child.center().x(), above ? child.bottom() : child.top());
      const QPointF to(from.x(), above ? bar.top() : bar.bottom());
      addLink(level, parent, slot, QLineF(from, to), std::nullopt);
    }
  }

  void drawRingLinks(std::size_t level, std::int64_t parent, QPointF origin) {
    const Block& block = m_blocks[level];
    // Two neighbours share one link, not the two ways round a ring of two.
    const std::int64_t links = block.places == 2 ? 1 : block.places;
    for (std::int64_t slot = 0; slot < links; ++slot) {
      const std::int64_t next = (slot + 1) % block.places;
      const QRectF a = block.slot(slot).translated(origin);
      const QRectF b = block.slot(next).translated(origin);
      QLineF line(a.center(), b.center());
      if (std::abs(a.center().y() - b.center().y()) < 1) {
        const bool rightwards = a.x() < b.x();
        line = {{rightwards ? a.right() : a.left(), a.center().y()},
                {rightwards ? b.left() : b.right(), b.center().y()}};
      } else {
        const bool down = a.y() < b.y();
        line = {{a.center().x(), down ? a.bottom() : a.top()}, {b.center().x(), down ? b.top() : b.bottom()}};
      }
      addLink(level, parent, slot, line, next < block.drawn ? std::optional(next) : std::nullopt);
    }
  }

  void addLink(std::size_t level, std::int64_t parent, std::int64_t slot, const QLineF& line,
               std::optional<std::int64_t> next) {
    const Block& block = m_blocks[level];
    const Interconnect& link = m_system.levels[level].interconnect;
    const std::int64_t first = parent * m_system.levels[level].count;
    const bool known = slot < block.drawn;
    const QString from = known ? instanceName(m_system, int(level), first + slot) : tr("more %1").arg(levelName(level));
    const QString network = networkName(link);
    const QString to = next ? levelName(level) + ' ' + QString::number(*next) + tr(" on the ") + network
                            : tr("the ") + network;
    add({Shape::Kind::Link, int(level), known ? first + slot : -1, {}, line, {},
         tr("%1 ↔ %2, %3 each way")
             .arg(from, to, QString::fromStdString(formatBandwidth(link.bandwidth)))});
  }

  [[nodiscard]] QString levelName(std::size_t level) const {
    return QString::fromStdString(m_system.levels[level].name);
  }
  void add(Shape shape) { m_drawing.shapes.push_back(std::move(shape)); }

  const System& m_system;
  std::vector<Block> m_blocks;
  HierarchyDrawing m_drawing;
};

double distance(QPointF point, const QLineF& line) {
  const QPointF way = line.p2() - line.p1();
  const double length = QPointF::dotProduct(way, way);
  const double along = length > 0 ? std::clamp(QPointF::dotProduct(point - line.p1(), way) / length, 0.0, 1.0) : 0;
  return QLineF(point, line.p1() + along * way).length();
}

}  // namespace

std::vector<std::int64_t> drawnCounts(const System& system) {
  std::vector<std::int64_t> drawn;
  std::int64_t product = 1;
  for (const Level& level : system.levels) {
    drawn.push_back(std::min(level.count, kFanOuts[0]));
    product *= drawn.back();
  }
  // The outside is collapsed first: what one node looks like says more than how many there are.
  for (std::size_t fanOut = 1; fanOut < kFanOuts.size(); ++fanOut) {
    for (std::int64_t& count : drawn) {
      if (product <= kMostDrawn) return drawn;
      product /= count;
      count = std::min(count, kFanOuts[fanOut]);
      product *= count;
    }
  }
  return drawn;
}

HierarchyDrawing drawHierarchy(const System& system) { return Drawer(system).draw(); }

const HierarchyDrawing::Shape* HierarchyDrawing::at(QPointF point, double reach) const {
  const auto hit = std::find_if(shapes.rbegin(), shapes.rend(), [&](const Shape& shape) {
    return shape.kind == Shape::Kind::Link ? distance(point, shape.line) <= reach : shape.rect.contains(point);
  });
  return hit == shapes.rend() ? nullptr : &*hit;
}

}  // namespace p2::views
