// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/motion_painter.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <tuple>

#include "views/common/theme.h"
#include "views/stage/state_image.h"

namespace p2::views {
namespace {

constexpr double kLeastTile = 5;  // widget pixels
constexpr double kRibbonLength = 0.3;
constexpr double kLeastSingle = 20;  // widget pixels of a cell from which on tiles fly one by one
constexpr std::size_t kMostSingle = 512;
constexpr std::size_t kMostWires = 2048;
constexpr std::size_t kMostBundles = 512;
constexpr double kWidestBundle = 12;  // widget pixels
constexpr double kMostMeeting = 44;   // widget pixels of a tile's height at a meeting place
constexpr double kSum = 24;
constexpr double kBetweenSums = 96;  // widget pixels between those that form in one strip, where there is room
constexpr double kTileOpacity = 0.88;

}  // namespace

void MotionPainter::show(const Replay& replay, const Choreography& motion, const StageLayout& layout) {
  m_replay = &replay;
  m_motion = &motion;
  m_layout = &layout;
  m_places = StagePlaces(replay.system, layout.map());
  m_ways.clear();
  m_wires.clear();
  m_wireLayer.drop();
  std::set<std::tuple<double, double, double, double>> drawn;
  for (const std::vector<Place>& path : motion.paths) {
    std::vector<QPointF>& way = m_ways.emplace_back();
    for (const Place& place : path) {
      const QPointF point = m_places.pointOf(place);
      if (!way.empty() && way.back() == point) continue;
      if (!way.empty()) {
        const auto [a, b] = std::minmax({std::pair(way.back().x(), way.back().y()), std::pair(point.x(), point.y())});
        if (drawn.emplace(a.first, a.second, b.first, b.second).second) m_wires.emplace_back(way.back(), point);
      }
      way.push_back(point);
    }
  }
  const std::span paths(motion.paths);
  const bool tooMany = m_wires.size() > kMostWires;
  // Behind the ways of the tiles stand those of the ribbons, which are no wires.
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
    m_sums.push_back(m_places.pointOf(place) + QPointF((met[place]++ - (count - 1) / 2.0) * between, 0));
  }
}

bool MotionPainter::usesRibbons() const {
  if (m_motion->ribbons.empty() || m_layout->map().cells.empty()) return false;
  const double cell = m_layout->map().cells[0].rect.width() * m_layout->zoom();
  return cell < kLeastSingle || (m_motion->flights.size() > kMostSingle && m_layout->detail() >= Detail::Glyph);
}

QSizeF MotionPainter::sizeOf(const Flight& flight) const {
  const double least = kLeastTile / m_layout->zoom();
  const double side = m_layout->columnWidth() * double(m_replay->members);
  const double rows = double(countOf(flight.rows));
  return {std::max(side, least), std::max(rows * m_layout->rowHeight(), std::min(least, std::max(side, least)))};
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
  const bool fromSum = flight.summed && !flight.to.isNone() && flight.of == flight.to;
  if (!fromSum && !flight.of.isNone()) way.front() = rowsRect(flight, flight.of).center();
  if (!flight.to.isNone()) way.back() = rowsRect(flight, flight.to).center();
  if (flight.sum < m_sums.size()) (fromSum ? way.front() : way.back()) = m_sums[flight.sum];
  return way;
}

QRectF MotionPainter::tileRect(const Flight& flight, double progress) const {
  if (progress < flight.start) return {};
  const bool stays = flight.ends == Flight::End::Collides || flight.ends == Flight::End::FindsNoRow;
  // Parts stand at their meeting place until their sum has formed; where it cannot, those remain that collide.
  const double goes = flight.ends == Flight::End::Meets && !m_motion->failsAt ? m_motion->sumTo : flight.end;
  if (progress >= goes && !stays) return {};
  const double at = placeOf(flight, progress);
  const QPointF centre = pointAlong(wayOf(flight), at);
  const QSizeF full = sizeOf(flight);
  const bool fromSum = flight.summed && flight.of == flight.to;
  // Whole matrices get so small that many of them can meet in a strip.
  const double least = std::min(0.5, kMostMeeting / m_layout->zoom() / full.height());
  const bool meets = flight.ends == Flight::End::Meets;
  const double scale = fromSum ? least + (1 - least) * at
                       : meets ? 1 - (1 - least) * at
                       : flight.ends == Flight::End::Collides && flight.to.isNone()
                           ? 1 - 0.3 * at
                           : 1 - 0.4 * std::sin(std::numbers::pi * at);
  const QSizeF size = full * scale;
  return {centre - QPointF(size.width(), size.height()) / 2, size};
}

void MotionPainter::paint(QPainter& painter, const StageMoment& moment, MatrixPictures& pictures,
                          const QRectF& exposed) {
  const double progress = moment.progress;
  const double over = eased((progress - m_motion->mergeTo) / 0.1);
  const double strength = m_motion->announcement(progress) * (m_motion->failsAt ? 1 : 1 - over);
  if (strength > 0 && progress < 1) {
    const double opacity = painter.opacity();
    painter.setOpacity(opacity * strength);
    m_wireLayer.paint(painter, exposed, m_layout->zoom(), m_layout->devicePixelRatio(),
                      [&](QPainter& own) { paintWires(own); });
    painter.setOpacity(opacity);
  }
  if (progress >= 1 && !m_motion->failsAt) return;
  if (usesRibbons()) {
    for (const Flight& ribbon : m_motion->ribbons) paintRibbon(painter, ribbon, progress);
  } else {
    for (const Flight& flight : m_motion->flights) {
      const QRectF rect = tileRect(flight, progress);
      if (!rect.isEmpty() && rect.intersects(exposed)) paintTile(painter, flight, rect, moment, pictures);
    }
  }
  paintSums(painter, progress);
  paintCollision(painter, progress);
}

void MotionPainter::paintWires(QPainter& painter) const {
  QColor color = Theme::accent();
  color.setAlphaF(0.45f);
  for (const WireBundle& bundle : m_bundles) {
    const double width = std::min(1.5 + std::log2(double(bundle.wires) + 1), kWidestBundle);
    painter.setPen(QPen(color, width / m_layout->zoom(), Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(bundle.line);
  }
  if (!m_bundles.empty()) return;
  color.setAlphaF(m_wires.size() > 64 ? 0.25f : 0.55f);
  painter.setPen(QPen(color, 1.5 / m_layout->zoom()));
  painter.drawLines(m_wires.data(), int(m_wires.size()));
}

void MotionPainter::paintTile(QPainter& painter, const Flight& flight, const QRectF& rect, const StageMoment& moment,
                              MatrixPictures& pictures) const {
  const double pixel = 1 / m_layout->zoom();
  const bool wrong = flight.ends != Flight::End::Lands && flight.ends != Flight::End::Meets;
  const QColor frame = wrong ? Theme::bad() : Theme::accent();
  // Folded rows are not where the bits of a tile would be cut from.
  if (m_layout->detail() >= Detail::Folded || flight.rows.empty()) {
    painter.fillRect(rect, frame);
    return;
  }
  const QImage& image = pictures.of(flight.of, flight.summed ? moment.after : moment.before);
  if (image.isNull()) return painter.fillRect(rect, frame);
  const bool lost = flight.ends == Flight::End::FindsNoRow && moment.progress >= flight.end;
  const double opacity = painter.opacity();
  // What lies below shines through; what is not held there must not look as if it were.
  painter.setOpacity((lost ? 0.45 : kTileOpacity) * opacity);
  const double rows = double(countOf(flight.rows));
  const double source = double(image.height()) / double(m_replay->members);
  double top = rect.top();
  for (const ChunkRange& range : flight.rows) {
    const double height = rect.height() * double(range.to - range.from) / rows;
    painter.drawImage(QRectF(rect.left(), top, rect.width(), height), image,
                      QRectF(0, double(range.from) * source, image.width(), double(range.to - range.from) * source));
    top += height;
  }
  painter.setOpacity(opacity);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(frame, (wrong ? 2.5 : 1.5) * pixel, lost ? Qt::DashLine : Qt::SolidLine));
  painter.drawRect(rect.adjusted(-pixel, -pixel, pixel, pixel));
  if (lost) paintPlate(painter, rect.center() + QPointF(0, rect.height() / 2 + 12 * pixel), QObject::tr("not held"));
}

/// Words on a plate in the colour of what is wrong.
void MotionPainter::paintPlate(QPainter& painter, QPointF centre, const QString& text) const {
  const double pixel = 1 / m_layout->zoom();
  const QFontMetricsF metrics(painter.font());
  const QSizeF size(metrics.horizontalAdvance(text) + 10 * pixel, metrics.height() + 2 * pixel);
  const QRectF plate(centre - QPointF(size.width(), size.height()) / 2, size);
  painter.setPen(Qt::NoPen);
  painter.setBrush(Theme::bad());
  painter.drawRoundedRect(plate, 3 * pixel, 3 * pixel);
  painter.setPen(Theme::surface());
  painter.drawText(plate, Qt::AlignCenter, text);
}

/// Below the parts that collide: what their sum would be, digit i counting device i's part.
void MotionPainter::paintCollision(QPainter& painter, double progress) const {
  if (!m_motion->failsAt || progress < *m_motion->failsAt || !m_replay->failure || !m_replay->isExplicit()) return;
  const PremiseFailure& failure = *m_replay->failure;
  const auto collides = [](const Flight& flight) { return flight.ends == Flight::End::Collides; };
  const auto found = std::find_if(m_motion->flights.begin(), m_motion->flights.end(), collides);
  if (found == m_motion->flights.end() || failure.rows.empty()) return;
  QString sum = QStringLiteral("2×");
  if (failure.premise == Premise::ColumnsDisjoint && m_replay->members <= kMostNumbered) {
    sum += QStringLiteral("  ");
    for (int column = int(m_replay->members); column-- > 0;) {
      const auto holds = [&](Device device) {
        return m_replay->stateOf(device, m_replay->validSteps()).test(failure.rows[0], column);
      };
      sum += QString::number(std::count_if(failure.members.begin(), failure.members.end(), holds));
    }
  }
  const QRectF tile = tileRect(*found, progress);
  paintPlate(painter, tile.center() + QPointF(0, tile.height() / 2 + 14 / m_layout->zoom()), sum);
}

void MotionPainter::paintRibbon(QPainter& painter, const Flight& ribbon, double progress) const {
  if (progress < ribbon.start || progress > ribbon.end) return;
  const double at = (progress - ribbon.start) / (ribbon.end - ribbon.start) * (1 + kRibbonLength);
  const std::vector<QPointF>& way = m_ways[ribbon.path];
  QColor color = Theme::accent();
  color.setAlphaF(0.6f);
  const double width = 2 + 1.5 * std::log2(double(ribbon.tiles) + 1);
  painter.setPen(QPen(color, width / m_layout->zoom(), Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(pointAlong(way, at - kRibbonLength), pointAlong(way, at));
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
