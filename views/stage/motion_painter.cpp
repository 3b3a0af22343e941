// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/motion_painter.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/stage/grid_style.h"
#include "views/stage/plated_text.h"

namespace p2::views {
namespace {

constexpr double kLeastTile = 5;       // widget pixels
constexpr double kRibbonLength = 0.3;  // share of the way
constexpr double kLeastSingle = 20;    // widget pixels of a cell from which on tiles fly one by one
constexpr std::size_t kMostWires = 2048;
constexpr std::size_t kMostBundles = 512;
constexpr double kWire = 1.5;         // widget pixels
constexpr double kWidestBundle = 12;  // widget pixels
constexpr double kFewBundles = 16;
constexpr double kSum = 24;
constexpr double kBetweenSums = 96;  // widget pixels between those that form in one strip, where there is room
constexpr double kTileOpacity = 0.7;
constexpr double kBodyOpacity = 0.08;

/// The part of a line between two shares of its length.
QPolygonF partOf(const std::vector<QPointF>& way, double from, double to) {
  double length = 0;
  for (std::size_t i = 1; i < way.size(); ++i) length += QLineF(way[i - 1], way[i]).length();
  QPolygonF part{pointAlong(way, from)};
  double at = 0;
  for (std::size_t i = 1; i < way.size(); ++i) {
    if (at > from * length && at < to * length) part << way[i - 1];
    at += QLineF(way[i - 1], way[i]).length();
  }
  part << pointAlong(way, to);
  return part;
}

}  // namespace

void MotionPainter::show(const Replay& replay, StepId step, const StageLayout& layout) {
  const Choreography& motion = replay.motions[step.index()];
  m_replay = &replay;
  m_step = int(step.value());
  m_motion = &motion;
  m_layout = &layout;
  m_places = StagePlaces(replay.system, layout.map());
  m_ways.clear();
  m_wires.clear();
  m_wireLayer.drop();
  m_cargoes.clear();
  m_first.clear();
  if (!motion.groups.empty()) m_first.insert(motion.groups.front().begin(), motion.groups.front().end());
  std::set<std::tuple<double, double, double, double>> drawn;
  for (const std::vector<Place>& path : motion.paths) {
    const std::vector<QPointF>& way = m_ways.emplace_back(m_places.wayThrough(path));
    for (std::size_t i = 1; i < way.size(); ++i) {
      const auto [a, b] = std::minmax({std::pair(way[i - 1].x(), way[i - 1].y()), std::pair(way[i].x(), way[i].y())});
      if (drawn.emplace(a.first, a.second, b.first, b.second).second) m_wires.emplace_back(way[i - 1], way[i]);
    }
  }
  const std::span paths(motion.paths);
  const bool tooMany = m_wires.size() > kMostWires;
  // The ribbons' ways follow the tiles'; they are not wires.
  m_bundles =
      tooMany ? bundledWires(replay.system, m_places, paths.first(paths.size() - motion.ribbons.size()), kMostBundles)
              : std::vector<WireBundle>();
  spreadSums();
}

/// Groups whose ways cross in one place meet there side by side.
void MotionPainter::spreadSums() {
  std::map<Place, int> all;
  for (const Place& place : m_motion->sums) ++all[place];
  std::map<Place, int> met;
  m_sums.clear();
  for (const Place& place : m_motion->sums) {
    const int count = all[place];
    const double between = std::min(kBetweenSums / m_layout->zoom(), 0.9 * m_places.widthAt(place) / count);
    m_sums.push_back(m_places.joinOf(place) + QPointF((met[place]++ - (count - 1) / 2.0) * between, 0));
  }
}

bool MotionPainter::usesRibbons() const {
  if (m_motion->ribbons.empty() || m_layout->map().cells.empty()) return false;
  const double cell = m_layout->map().cells[0].rect.width() * m_layout->zoom();
  return cell < kLeastSingle || (m_motion->flights.size() > kMostShownMessages && m_layout->detail() >= Detail::Glyph);
}

bool MotionPainter::isFirst(Device device) const { return m_first.contains(device); }

/// As wide as a matrix where that leaves it high enough to be seen.
QSizeF MotionPainter::sizeOf(const Flight& flight) const {
  const double least = kLeastTile / m_layout->zoom();
  const double side = m_layout->columnWidth() * double(m_replay->members);
  const double area = flight.chunks * m_layout->rowHeight() * side;
  const QSizeF natural(side, area / side);
  if (natural.height() >= least) return natural;
  const double width = area / least;
  return width >= least ? QSizeF(width, least) : QSizeF(std::sqrt(area), std::sqrt(area));
}

QSizeF MotionPainter::ribbonSize(const Flight& ribbon) const {
  const std::vector<QPointF>& way = m_ways[ribbon.path];
  double length = 0;
  for (std::size_t i = 1; i < way.size(); ++i) length += QLineF(way[i - 1], way[i]).length();
  length *= kRibbonLength;
  if (length <= 0) return {};
  const double area = ribbon.chunks * m_layout->rowHeight() * m_layout->columnWidth() * double(m_replay->members);
  return {length, area / length};
}

QRectF MotionPainter::rowsRect(const Flight& flight, Device device) const {
  if (device.isNone() || device.index() >= m_layout->map().cells.size()) return {};
  const QRectF matrix = m_layout->matrixRect(m_layout->map().cells[device.index()].rect);
  if (flight.rows.empty()) return matrix;
  const double unit = m_layout->rowHeight();
  return {matrix.left(), matrix.top() + double(flight.rows.front().from) * unit, matrix.width(),
          double(flight.rows.back().to - flight.rows.front().from) * unit};
}

std::vector<QPointF> MotionPainter::wayOf(const Flight& flight) const {
  std::vector<QPointF> way = m_ways[flight.path];
  const bool fromSum = flight.of == flight.to;
  if (flight.sum < m_sums.size()) (fromSum ? way.front() : way.back()) = m_sums[flight.sum];
  if (!fromSum && !flight.of.isNone()) way.insert(way.begin(), rowsRect(flight, flight.of).center());
  if (!flight.to.isNone()) way.push_back(rowsRect(flight, flight.to).center());
  return way;
}

QRectF MotionPainter::tileRect(const Flight& flight, double progress) const {
  if (progress < flight.start) return {};
  const bool stays = flight.ends == Flight::End::Collides || flight.ends == Flight::End::FindsNoRow;
  // Parts stand at their meeting place until their sum has formed; where it cannot, those remain that collide.
  const double goes =
      flight.ends == Flight::End::Meets && !m_motion->failsAt && !m_motion->sums.empty() ? m_motion->sumTo : flight.end;
  if (progress >= goes && !stays) return {};
  const QPointF centre = pointAlong(wayOf(flight), placeOf(flight, progress));
  // Arrived parts make room at the meeting place for later ones.
  const bool waits = progress >= flight.end && !stays;
  const QSizeF size = sizeOf(flight) * (waits ? 0.25 : 1);
  QRectF rect(centre - QPointF(size.width(), size.height()) / 2, size);
  // At the edge of the drawing all of its area stays to be seen.
  const QRectF& room = m_layout->map().bounds;
  if (size.width() <= room.width()) rect.moveLeft(std::clamp(rect.left(), room.left(), room.right() - size.width()));
  if (size.height() <= room.height()) rect.moveTop(std::clamp(rect.top(), room.top(), room.bottom() - size.height()));
  return rect;
}

void MotionPainter::paintWires(QPainter& painter, const StageMoment& moment, const QRectF& exposed) {
  const double progress = moment.progress;
  const double over = eased((progress - m_motion->mergeTo) / 0.1);
  const double strength = m_motion->announcement(progress) * (m_motion->failsAt ? 1 : 1 - over);
  if (strength <= 0 || progress >= 1) return;
  const double opacity = painter.opacity();
  painter.setOpacity(opacity * strength);
  m_wireLayer.paint(painter, exposed, m_layout->zoom(), m_layout->devicePixelRatio(),
                    [&](QPainter& own) { drawWires(own); });
  painter.setOpacity(opacity);
}

void MotionPainter::paint(QPainter& painter, const StageMoment& moment, const QRectF& exposed) {
  const double progress = moment.progress;
  paintManner(painter);
  if (progress >= 1 && !m_motion->failsAt) return;
  if (usesRibbons()) {
    for (const Flight& ribbon : m_motion->ribbons) paintRibbon(painter, ribbon, progress);
  } else {
    for (const Flight& flight : m_motion->flights) {
      const QRectF rect = tileRect(flight, progress);
      if (!rect.isEmpty() && rect.intersects(exposed)) paintTile(painter, flight, rect, moment);
    }
  }
  paintSums(painter, progress);
  for (const Flight& flight : m_motion->flights) {
    if (flight.leads && flight.adds) paintAddition(painter, flight, progress);
  }
  paintCollision(painter, progress);
}

/// How the step sends, in the strip of what joins everything.
void MotionPainter::paintManner(QPainter& painter) const {
  if (m_motion->manner.empty()) return;
  const double pixel = 1 / m_layout->zoom();
  const QFontMetricsF metrics(painter.font());
  const QRectF whole = m_places.stripOf(0, 0);
  // The name of the network stands at the right, in larger letters, where it has room.
  const Interconnect& joins = m_replay->system.levels.front().interconnect;
  const std::string name = joins.name.empty() ? std::string(nameOf(joins.kind)) : joins.name;
  const double named = 1.4 * metrics.horizontalAdvance(qs(name)) + 8 * pixel;
  const QRectF strip = whole.adjusted(8 * pixel, 0, whole.width() > 1.5 * named ? -named : 0, 0);
  QString text = qs(m_motion->manner);
  if (metrics.horizontalAdvance(text) > strip.width()) {
    text = metrics.elidedText(qs(m_motion->shortManner()), Qt::ElideRight, strip.width());
  }
  painter.setPen(Theme::text());
  paintPlatedText(painter, strip, Qt::AlignLeft | Qt::AlignVCenter, text, Theme::surface(), pixel);
}

DeviceState MotionPainter::carriedBy(const Flight& flight, bool landed) const {
  DeviceState state(int(m_replay->members));
  const StepId step{std::int64_t(m_step)};
  for (const Cargo& cargo : landed ? flight.landed : flight.cargo) {
    addCargo(state, m_replay->trace, step, m_motion->groups[flight.group], cargo);
  }
  if (!flight.cargo.empty()) return state;
  const DeviceState& held = m_replay->stateOf(flight.of, flight.summed ? m_step + 1 : m_step);
  for (const ChunkRange& range : flight.rows) {
    for (auto row = int(range.from); row < int(range.to); ++row) {
      for (const int column : held.columns(row)) state.set(row, column);
    }
  }
  return state;
}

/// A pixel for each bit, nothing where none is held.
const QImage& MotionPainter::cargoOf(const Flight& flight) {
  QImage& image = m_cargoes[&flight];
  if (!image.isNull()) return image;
  const int members = int(m_replay->members);
  const DeviceState state = carriedBy(flight, false);
  image = QImage(members, int(countOf(flight.rows)), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  int y = 0;
  for (const ChunkRange& range : flight.rows) {
    for (auto row = int(range.from); row < int(range.to); ++row, ++y) {
      for (const int column : state.columns(row)) image.setPixelColor(column, y, memberColor(column, members));
    }
  }
  return image;
}

void MotionPainter::drawWires(QPainter& painter) const {
  QColor color = Theme::accent();
  color.setAlphaF(0.45f);
  // Many wide lines would cover the devices.
  const double most = std::max(kWire, kWidestBundle * std::min(1.0, kFewBundles / double(m_bundles.size() + 1)));
  for (const WireBundle& bundle : m_bundles) {
    const double width = std::min(kWire + std::log2(double(bundle.wires) + 1), most);
    painter.setPen(QPen(color, width / m_layout->zoom(), Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(bundle.line);
  }
  if (!m_bundles.empty()) return;
  color.setAlphaF(m_wires.size() > 64 ? 0.25f : 0.55f);
  painter.setPen(QPen(color, kWire / m_layout->zoom()));
  painter.drawLines(m_wires.data(), int(m_wires.size()));
}

void MotionPainter::paintTile(QPainter& painter, const Flight& flight, const QRectF& rect, const StageMoment& moment) {
  const double pixel = 1 / m_layout->zoom();
  const bool wrong = flight.ends != Flight::End::Lands && flight.ends != Flight::End::Meets;
  const QColor frame = wrong ? Theme::bad() : Theme::accent();
  QColor body = frame;
  // Folded rows are not where the bits of a tile would be cut from.
  const bool plain = m_layout->detail() >= Detail::Folded || flight.rows.empty() || !m_replay->isExplicit();
  body.setAlphaF(plain ? float(kTileOpacity) : float(kBodyOpacity));
  painter.fillRect(rect, body);
  if (plain) return;
  const bool lost = flight.ends == Flight::End::FindsNoRow && moment.progress >= flight.end;
  const double opacity = painter.opacity();
  painter.setOpacity((lost ? 0.45 : kTileOpacity) * opacity);
  painter.drawImage(rect, cargoOf(flight));
  painter.setOpacity(opacity);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(frame, (wrong ? 2.5 : 1.5) * pixel, lost ? Qt::DashLine : Qt::SolidLine));
  painter.drawRect(rect);
  if (!lost) return;
  paintPlate(painter, rect.center() + QPointF(0, rect.height() / 2 + 12 * pixel), QObject::tr("not held"),
             Theme::bad());
}

void MotionPainter::paintRibbon(QPainter& painter, const Flight& ribbon, double progress) const {
  if (progress < ribbon.start || progress > ribbon.end) return;
  const double at = (progress - ribbon.start) / (ribbon.end - ribbon.start) * (1 + kRibbonLength);
  const std::vector<QPointF>& way = m_ways[ribbon.path];
  QColor color = Theme::accent();
  color.setAlphaF(0.6f);
  painter.setPen(QPen(color, ribbonSize(ribbon).height(), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(partOf(way, at - kRibbonLength, at));
}

void MotionPainter::paintSums(QPainter& painter, double progress) const {
  if (progress < m_motion->sumFrom || progress > m_motion->sumTo) return;
  const double side = kSum / m_layout->zoom();
  for (const QPointF& centre : m_sums) {
    const QRectF disc(centre - QPointF(side, side) / 2, QSizeF(side, side));
    painter.setPen(QPen(Theme::accent(), 2 / m_layout->zoom()));
    painter.setBrush(Theme::surface());
    painter.drawEllipse(disc);
    painter.setPen(Theme::text());
    painter.drawText(disc, Qt::AlignCenter, QStringLiteral("Σ"));
  }
}

}  // namespace p2::views
