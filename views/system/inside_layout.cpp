// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/inside_layout.h"

#include <algorithm>
#include <cmath>

#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/system/network_rows.h"
#include "views/system/system_part.h"

namespace p2::views {

namespace {

/// The part whose instances, within the level's parent, the network joins in rings; none otherwise.
std::optional<SystemPart> ringsOf(const System& system, const Network& network, std::size_t level) {
  if (network.interconnect.kind != InterconnectKind::Ring || network.members.size() != 1) return std::nullopt;
  if (levelIndex(system, network.within) != int(level) - 1) return std::nullopt;
  const Member& member = network.members.front();
  const SystemPart part = partNamed(system, member.of);
  if (part.index < 0 || member.first != 0 || member.count != 0) return std::nullopt;
  return part;
}

constexpr std::int64_t kMostNamed = 4;  // of one instance that carry their name, not just their number
constexpr QSizeF kDevice{60, 28};
constexpr QSizeF kNumberedDevice{44, 28};
constexpr double kChip = 84;     // least width
constexpr double kPorts = 10;    // from one wire of a chip to the next
constexpr double kAspect = 1.5;  // width / height that blocks are folded towards
constexpr double kLaneGap = 32;  // between children that lanes or a ring lead between
constexpr double kMostArc = 72;  // height of the arcs of a mesh
constexpr double kArcStep = 18;  // … from one distance of its members to the next

Joint jointOf(const System& system, const InsideLayout& inside, std::size_t level) {
  const Level& own = system.levels[level];
  if (inside.torus) return Joint::Torus;
  if (own.count <= 1 || own.interconnect.kind == InterconnectKind::None) return Joint::None;
  if (own.interconnect.kind == InterconnectKind::Ring) return Joint::Ring;
  if (own.interconnect.kind == InterconnectKind::Mesh) return Joint::Mesh;
  return gatewaysOf(system, level).empty() ? Joint::BarAbove : Joint::BarBelow;
}

double arcHeight(const Block& block) {
  return std::min(kMostArc, kArcStep * double(std::max<std::int64_t>(block.places - 1, 1)));
}

/// Where children and caption stand, and how large it all is, with as many columns as the block has.
Block measured(Block block, double caption) {
  const double middle = block.openSlot >= 0 ? block.open.height() : block.child.height();
  double width = double(block.columns) * (block.child.width() + block.gap) - block.gap;
  if (block.openSlot >= 0) width += block.open.width() - block.child.width();
  double height = middle;
  block.top = 0;
  if (block.twoRows()) {
    block.captionTop = block.joint == Joint::None ? -1 : middle + kWire;
    height = 2 * middle + (block.captionTop < 0 ? kGap : kBar + 2 * kWire);
    if (block.joint == Joint::Ring) caption += 2 * block.child.width();
  } else if (block.joint == Joint::BarAbove) {
    block.captionTop = 0;
    block.top = kBar + kWire;
  } else if (block.joint == Joint::BarBelow) {
    block.captionTop = middle + kWire;
    height += kWire + kBar;
  } else if (block.joint == Joint::Ring || block.joint == Joint::Mesh) {
    block.captionTop = 0;
    block.top = kBar + (block.joint == Joint::Ring ? kRise : arcHeight(block));
  }
  block.size = {std::max(width, caption), block.top + height};
  return block;
}

/// One row or two, whichever comes nearer to kAspect.
Block folded(Block block, double caption, bool mayFold) {
  Block twoRows = block;
  twoRows.columns = (block.places + 1) / 2;
  block = measured(block, caption);
  const bool pair = block.places < 2 || (block.joint == Joint::Ring && block.places == 2);
  if (!mayFold || pair || block.joint == Joint::Mesh || block.joint == Joint::BarBelow) return block;
  twoRows = measured(twoRows, caption);
  const auto distance = [](QSizeF size) { return std::abs(std::log(size.width() / size.height() / kAspect)); };
  return distance(twoRows.size) < distance(block.size) ? twoRows : block;
}

/// How much larger an open child of a torus is than the others.
QSizeF openExcess(const Block& block) {
  return block.openSlot < 0 ? QSizeF(0, 0) : (block.open - block.child).expandedTo({0, 0});
}

Block torusBlock(Block block, const Torus& torus) {
  block.columns = torus.columns;
  block.gap = kTorusGap;
  block.top = kTorusGap;
  block.size = QSizeF(double(torus.columns) * (block.child.width() + kTorusGap),
                      double(torus.rows) * (block.child.height() + kTorusGap)) +
               openExcess(block);
  return block;
}

/// Others stand in the middle of an open child's row and column, so that rings stay straight.
QRectF torusSlot(const Block& block, std::int64_t index) {
  const QSizeF excess = openExcess(block);
  const auto shift = [](std::int64_t place, std::int64_t open, double more) {
    return place > open ? more : place == open ? more / 2 : 0;
  };
  const std::int64_t column = index % block.columns;
  const std::int64_t row = index / block.columns;
  const std::int64_t open = std::max<std::int64_t>(block.openSlot, 0);
  const double x = kTorusGap + double(column) * (block.child.width() + block.gap) +
                   shift(column, open % block.columns, excess.width());
  const double y =
      block.top + double(row) * (block.child.height() + kTorusGap) + shift(row, open / block.columns, excess.height());
  const QRectF closed({x, y}, block.child);
  if (index != block.openSlot) return closed;
  const double dx = excess.width() / 2;
  const double dy = excess.height() / 2;
  return closed.adjusted(-dx, -dy, dx, dy);
}

/// How wide a chip is: its wires lead to this many instances of networks, side by side.
QSizeF chipSize(const System& system, std::size_t level) {
  std::int64_t wires = 1;
  for (int i = 0; i < int(system.networks.size()); ++i) {
    const Network& network = system.networks[std::size_t(i)];
    const bool below = levelIndex(system, network.within) < int(level) && !joinsNeighbours(system, i, level);
    if (below) wires += std::min(network.instances, kMostAbreast);
  }
  return {std::max(kChip, double(wires) * kPorts), 2 * kBar};
}

Block blockOf(const System& system, const InsideLayout& inside, std::size_t level, QSizeF child) {
  const Level& own = system.levels[level];
  const DrawnLevel& shown = inside.level;
  const bool devices = level + 1 == system.levels.size();
  Block block;
  block.joint = jointOf(system, inside, level);
  // A torus is its grid, whole.
  block.drawn = block.joint == Joint::Torus ? own.count : shown.drawn;
  block.places = block.drawn < own.count ? block.drawn + 1 : block.drawn;
  block.columns = block.places;
  block.numbered = devices && block.places > kMostNamed;
  block.child = block.numbered ? kNumberedDevice : child;
  for (const NetworkRow& row : inside.rows) {
    if (row.aligned) block.child.setWidth(std::max(block.child.width(), row.runs.front().width));
  }
  if (shown.open >= 0) {
    block.openSlot = shown.open - shown.first;
    block.open = {std::max(child.width(), kChip), std::max(child.height(), 2 * kBar)};
    block.child = chipSize(system, level);
  }
  if (block.joint == Joint::Torus) return torusBlock(block, *inside.torus);
  const bool neighbours = block.joint == Joint::Ring || !inside.lanes.empty();
  block.gap = !neighbours ? kGap : devices && inside.lanes.empty() ? 2 * kGap : kLaneGap;
  // Links to networks below would run behind a second row of children.
  const bool mayFold = inside.rows.empty() && shown.open < 0 && inside.lanes.empty();
  const bool captioned = block.joint != Joint::None;
  return folded(block, captioned ? letters(levelCaption(own, block.numbered)) : 0, mayFold);
}

/// Lays the rows below the block and takes the room that they need.
void placeRows(InsideLayout& inside) {
  const double arcs = inside.lanes.empty() ? 0 : kRise;
  inside.blockAt = {inside.labels, arcs};
  double width = inside.block.size.width();
  double y = arcs + inside.block.size.height();
  for (NetworkRow& row : inside.rows) {
    row.top = y + kWire;
    y = row.top + row.height;
    double bars = 0;
    for (const BarRun& run : row.runs) {
      const double each = run.style == BarRun::Style::Rails ? 0 : run.width + kGap;
      bars += double(run.drawn + (run.rest ? 1 : 0)) * each;
    }
    if (!row.aligned) width = std::max(width, bars);
  }
  inside.blockAt.rx() += (width - inside.block.size.width()) / 2;
  inside.size = {inside.labels + width + inside.taps, y};
}

}  // namespace

std::optional<Torus> torusOf(const System& system, std::size_t level) {
  const std::int64_t count = system.levels[level].count;
  Torus torus;
  for (int i = 0; i < int(system.networks.size()); ++i) {
    const Network& network = system.networks[std::size_t(i)];
    const auto part = ringsOf(system, network, level);
    if (!part || part->kind != SystemPart::Kind::Level || part->index != int(level) || network.instances < 2) continue;
    const bool inTurn = network.assignment == Network::Assignment::InTurn;
    (inTurn ? torus.alongColumns : torus.alongRows) = i;
    (inTurn ? torus.columns : torus.rows) = network.instances;
  }
  const bool both = torus.alongRows >= 0 && torus.alongColumns >= 0;
  if (!both || torus.rows * torus.columns != count) return std::nullopt;
  return torus;
}

bool joinsNeighbours(const System& system, int network, std::size_t level) {
  const Network& rings = system.networks[std::size_t(network)];
  const auto part = ringsOf(system, rings, level);
  if (!part || rings.assignment != Network::Assignment::InTurn || system.levels[level].count < 2) return false;
  const bool inside = part->kind == SystemPart::Kind::Level
                          ? part->index > int(level)
                          : levelIndex(system, system.networks[std::size_t(part->index)].within) >= int(level);
  return inside && instancesWithin(system, *part, int(level)) == rings.instances;
}

QString interconnectCaption(const Interconnect& link) {
  QString text = interconnectName(link);
  const QString kind = qs(nameOf(link.kind));
  if (!text.contains(kind, Qt::CaseInsensitive) && link.kind != InterconnectKind::Switch) {
    text += QStringLiteral(" · ") + kind;
  }
  if (link.colour >= 0) text.prepend(Theme::categoryLetter(link.colour) + QStringLiteral(" · "));
  text += QStringLiteral(" · ") + bandwidthText(link.bandwidth);
  if (link.latency > 0) text += QStringLiteral(" · ") + secondsText(link.latency);
  return text;
}

QString networkCaption(const Network& network) {
  const Interconnect& link = network.interconnect;
  QString text = interconnectCaption(link);
  if (link.kind != InterconnectKind::Switch) return text;
  const QString bandwidth = bandwidthText(link.bandwidth);
  return text.replace(bandwidth, QObject::tr("%1 a port").arg(bandwidth));
}

QString levelCaption(const Level& level, bool numbered) {
  const bool joined = level.interconnect.kind != InterconnectKind::None && level.count > 1;
  QString text = joined ? interconnectCaption(level.interconnect) : QString();
  if (!numbered) return text;
  const QString range = QStringLiteral("%1 0–%2").arg(qs(level.name)).arg(level.count - 1);
  return joined ? text + QStringLiteral(" · ") + range : range;
}

QString ringsCaption(const Network& network) {
  return QStringLiteral("%1 ×%2 · %3")
      .arg(interconnectName(network.interconnect))
      .arg(network.instances)
      .arg(bandwidthText(network.interconnect.bandwidth));
}

QString chipText(const System& system, std::size_t level, std::int64_t child) {
  System held;
  held.levels.assign(system.levels.begin() + std::ptrdiff_t(level) + 1, system.levels.end());
  QString inside = qs(describe(held));
  return QStringLiteral("%1 %2\n%3")
      .arg(qs(system.levels[level].name))
      .arg(child)
      .arg(inside.replace(QStringLiteral(" × "), QStringLiteral("\n× ")));
}

double Block::pitch() const {
  if (joint == Joint::Ring && columns > 1 && openSlot < 0) {
    return (size.width() - child.width()) / double(columns - 1);
  }
  return child.width() + gap;
}

QRectF Block::slot(std::int64_t index) const {
  if (joint == Joint::Torus) return torusSlot(*this, index);
  const double wider = openSlot < 0 ? 0 : open.width() - child.width();
  const double left = (size.width() - double(columns - 1) * pitch() - child.width() - wider) / 2;
  if (openSlot >= 0) {
    const double x = left + double(index) * pitch() + (index > openSlot ? wider : 0);
    return {x, top, index == openSlot ? open.width() : child.width(), open.height()};
  }
  const bool lower = index >= columns;
  // A ring comes back along the lower row, so that neighbours stay neighbours.
  const std::int64_t column = !lower ? index : joint == Joint::Ring ? 2 * columns - 1 - index : index - columns;
  const double y = lower ? size.height() - child.height() : top;
  return {{left + double(column) * pitch(), y}, child};
}

QRectF InsideLayout::barRect(std::size_t row, std::size_t run, std::int64_t index) const {
  const NetworkRow& own = rows[row];
  const double left = labels;
  const auto isRail = [](const NetworkRow& r) { return r.runs.front().style == BarRun::Style::Rails; };
  if (isRail(own)) return {0, own.top + double(index) * kRailPitch, size.width(), kRailPitch};
  // What joins rails reaches below the wires that come from them.
  const auto end = rows.begin() + std::ptrdiff_t(row);
  const double width = size.width() - labels - (std::any_of(rows.begin(), end, isRail) ? 0 : taps);
  if (own.aligned) {
    const QRectF child = block.slot(index).translated(blockAt);
    return {child.left(), own.top, child.width(), kBar};
  }
  std::int64_t before = 0;
  std::int64_t all = 0;
  for (std::size_t i = 0; i < own.runs.size(); ++i) {
    const std::int64_t bars = own.runs[i].drawn + (own.runs[i].rest ? 1 : 0);
    if (i < run) before += bars;
    all += bars;
  }
  const double pitch = width / double(all);
  const double each = std::max(own.runs[run].width, pitch - 2 * kPadding);
  return {left + (double(before + index) + 0.5) * pitch - each / 2, own.top, each, kBar};
}

std::vector<InsideLayout> measureInsides(const System& system, const std::vector<DrawnLevel>& shown) {
  std::vector<InsideLayout> insides(std::max<std::size_t>(shown.size(), 1));
  QSizeF child = kDevice;
  for (std::size_t i = insides.size(); i-- > 0;) {
    InsideLayout& inside = insides[i];
    if (i < shown.size()) {
      inside.level = shown[i];
      inside.torus = torusOf(system, i);
      for (int network = 0; network < int(system.networks.size()); ++network) {
        if (joinsNeighbours(system, network, i)) inside.lanes.push_back(network);
      }
    }
    layRows(system, i, inside);
    if (i < shown.size()) inside.block = blockOf(system, inside, i, child);
    placeRows(inside);
    child = inside.size + QSizeF(2 * kPadding, kSystemTitleHeight + kPadding);
  }
  return insides;
}

}  // namespace p2::views
