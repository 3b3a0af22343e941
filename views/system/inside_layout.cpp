// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/inside_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/units.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr std::int64_t kMostDrawn = 64;  // devices
constexpr std::int64_t kMostBars = 16;   // of one network in one inside
constexpr std::int64_t kMostNamed = 4;   // of one instance that carry their name, not just their number
constexpr QSizeF kDevice{56, 28};
constexpr QSizeF kNumberedDevice{36, 28};
constexpr QSizeF kTab{72, 28};
constexpr double kNarrowBar = 56;
constexpr double kAspect = 1.5;  // width / height that blocks are folded towards
constexpr double kLetter = 7.5;  // width of one letter of a caption
constexpr double kRise = 16;     // of the link that closes a ring of one row

double widthOf(const QString& text) { return double(text.size()) * kLetter; }

QSizeF sizeOf(const Block& block, double captionWidth) {
  const double width = std::max(double(block.columns) * (block.child.width() + kGap) - kGap,
                                captionWidth + (block.ring && block.twoRows() ? block.child.width() : 0));
  if (block.twoRows()) return {width, 2 * block.child.height() + kBar + 2 * kPort};
  if (block.ring) return {width, block.child.height() + kBar + kRise};
  return {width, block.child.height() + (block.bar ? kBar + kPort : 0)};
}

/// One row or two, whichever comes nearer to kAspect.
Block folded(Block block, double captionWidth, bool mayFold) {
  Block twoRows = block;
  twoRows.columns = (block.places + 1) / 2;
  block.size = sizeOf(block, captionWidth);
  twoRows.size = sizeOf(twoRows, captionWidth);
  if (!mayFold || block.places < 2 || (block.ring && block.places == 2)) return block;
  const auto distance = [](QSizeF size) { return std::abs(std::log(size.width() / size.height() / kAspect)); };
  return block.ring || distance(twoRows.size) < distance(block.size) ? twoRows : block;
}

Block blockOf(const Level& level, const DrawnLevel& shown, QSizeF child, bool devices, bool mayFold) {
  Block block;
  block.drawn = shown.drawn;
  block.places = shown.drawn < level.count ? shown.drawn + 1 : shown.drawn;
  block.columns = block.places;
  const bool joined = level.count > 1 && level.interconnect.kind != InterconnectKind::None;
  block.ring = joined && level.interconnect.kind == InterconnectKind::Ring;
  block.bar = joined && !block.ring;
  block.numbered = devices && block.places > kMostNamed;
  block.child = block.numbered ? kNumberedDevice : shown.open >= 0 ? kTab : child;
  return folded(block, joined || block.numbered ? widthOf(levelCaption(level, block.numbered)) : 0, mayFold);
}

/// How far a network is from the levels: 1 when it joins levels alone, else one more than what it joins.
int depthOf(const System& system, int network, int limit) {
  int depth = 1;
  if (limit == 0) return depth;
  for (const Member& member : system.networks[std::size_t(network)].members) {
    const SystemPart part = partNamed(system, member.of);
    if (part.kind == SystemPart::Kind::Network) depth = std::max(depth, 1 + depthOf(system, part.index, limit - 1));
  }
  return depth;
}

std::vector<NetworkRow> rowsOf(const System& system, int within) {
  std::vector<std::pair<int, int>> order;  // depth, network
  constexpr int kDeepest = 8;              // members may still be cyclic
  for (int i = 0; i < int(system.networks.size()); ++i) {
    // Nothing stands inside a device; who says so is shown, and told, in the system itself.
    const int standsIn = levelIndex(system, system.networks[std::size_t(i)].within);
    if ((standsIn + 1 == int(system.levels.size()) ? -1 : standsIn) != within) continue;
    order.emplace_back(depthOf(system, i, kDeepest), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<NetworkRow> rows;
  for (const auto& [depth, i] : order) {
    const Network& network = system.networks[std::size_t(i)];
    const std::int64_t drawn = std::clamp<std::int64_t>(network.instances, 1, kMostBars);
    const QString text = drawn == 1 ? interconnectCaption(network.interconnect)
                                    : interconnectName(network.interconnect) + QStringLiteral(" 0");
    rows.push_back({i, drawn, drawn <= kMostNamed ? widthOf(text) + 2 * kPadding : kNarrowBar});
  }
  return rows;
}

}  // namespace

QString interconnectCaption(const Interconnect& link) {
  QString text = interconnectName(link);
  const QString kind = QString::fromUtf8(nameOf(link.kind).data());
  if (!text.contains(kind, Qt::CaseInsensitive) && link.kind != InterconnectKind::Switch) {
    text += QStringLiteral(" · ") + kind;
  }
  if (link.colour >= 0) text.prepend(Theme::categoryLetter(link.colour) + QStringLiteral(" · "));
  text += QStringLiteral(" · ") + QString::fromStdString(formatBandwidth(link.bandwidth));
  if (link.latency > 0) text += QStringLiteral(" · ") + QString::fromStdString(formatSeconds(link.latency));
  return text;
}

QString levelCaption(const Level& level, bool numbered) {
  const bool joined = level.interconnect.kind != InterconnectKind::None && level.count > 1;
  QString text = joined ? interconnectCaption(level.interconnect) : QString();
  if (!numbered) return text;
  const QString range = QStringLiteral("%1 0–%2").arg(QString::fromStdString(level.name)).arg(level.count - 1);
  return joined ? text + QStringLiteral(" · ") + range : range;
}

double Block::pitch() const {
  return ring && columns > 1 ? (size.width() - child.width()) / double(columns - 1) : child.width() + kGap;
}

double Block::barTop() const {
  if (twoRows()) return child.height() + kPort;
  return ring ? child.height() + kRise : 0;
}

QRectF Block::slot(std::int64_t index) const {
  const bool lower = index >= columns;
  // A ring comes back along the lower row, so that neighbours stay neighbours.
  const std::int64_t column = !lower ? index : ring ? 2 * columns - 1 - index : index - columns;
  const double left = (size.width() - double(columns - 1) * pitch() - child.width()) / 2;
  const double firstRow = twoRows() ? 0 : ring ? kRise : bar ? kBar + kPort : 0;
  const double y = lower ? child.height() + kBar + 2 * kPort : firstRow;
  return {{left + double(column) * pitch(), y}, child};
}

QRectF InsideLayout::openRect() const {
  return {{(size.width() - openSize.width()) / 2, block.size.height() + (block.places > 0 ? kGap : 0)}, openSize};
}

QRectF InsideLayout::barRect(std::size_t row, std::int64_t instance) const {
  const NetworkRow& own = rows[row];
  const double above = openSize.isEmpty() ? block.size.height() : openRect().bottom();
  const double pitch = size.width() / double(own.drawn);
  const double width = std::max(own.barWidth, pitch - 2 * kPadding);
  const double x = (double(instance) + 0.5) * pitch - width / 2;
  return {x, above + double(row + 1) * (2 * kPort) + double(row) * kBar, width, kBar};
}

std::vector<DrawnLevel> drawnLevels(const System& system, const std::vector<std::int64_t>& open) {
  std::vector<DrawnLevel> levels(system.levels.size());
  std::int64_t devices = 1;
  for (std::size_t i = levels.size(); i-- > 0;) {
    const std::int64_t count = system.levels[i].count;
    const std::int64_t wanted = i < open.size() ? std::clamp<std::int64_t>(open[i], 0, count - 1) : 0;
    levels[i].first = wanted / kMostAbreast * kMostAbreast;
    levels[i].drawn = std::min(count - levels[i].first, kMostAbreast);
    const bool innermost = i + 1 == levels.size();
    if (innermost || (count <= kMostAbreast && devices * count <= kMostDrawn)) {
      devices *= levels[i].drawn;
    } else {
      levels[i].open = wanted;
    }
  }
  return levels;
}

std::vector<InsideLayout> measureInsides(const System& system, const std::vector<std::int64_t>& open) {
  const std::vector<DrawnLevel> shown = drawnLevels(system, open);
  std::vector<InsideLayout> insides(std::max<std::size_t>(shown.size(), 1));
  QSizeF child = kDevice;
  for (std::size_t i = insides.size(); i-- > 0;) {
    InsideLayout& inside = insides[i];
    inside.rows = rowsOf(system, int(i) - 1);
    if (i < shown.size()) {
      inside.level = shown[i];
      // Links to networks below would run behind a second row of children; tabs seldom have any.
      const bool mayFold = inside.rows.empty() || shown[i].open >= 0;
      inside.block = blockOf(system.levels[i], shown[i], child, i + 1 == shown.size(), mayFold);
      if (shown[i].open >= 0) inside.openSize = child;
    }
    inside.size = {std::max(inside.block.size.width(), inside.openSize.width()), inside.block.size.height()};
    if (!inside.openSize.isEmpty()) inside.size.rheight() = inside.openRect().bottom();
    for (const NetworkRow& row : inside.rows) {
      inside.size.rwidth() = std::max(inside.size.width(), double(row.drawn) * (row.barWidth + kGap));
      inside.size.rheight() += kBar + 2 * kPort;
    }
    child = inside.size + QSizeF(2 * kPadding, kSystemTitleHeight + kPadding);
  }
  return insides;
}

}  // namespace p2::views
