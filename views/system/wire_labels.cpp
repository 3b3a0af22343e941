// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/wire_labels.h"

#include <QLineF>
#include <algorithm>
#include <set>

#include "views/common/text.h"
#include "views/system/network_rows.h"

namespace p2::views {
namespace {

using Shape = SystemDrawing::Shape;

constexpr std::size_t kMostLabels = 48;
constexpr double kLabelHeight = 14;
constexpr double kGap = 3;  // between a wire and its label

bool crosses(const QPolygonF& line, const QRectF& rect) {
  const QLineF sides[] = {{rect.topLeft(), rect.topRight()},
                          {rect.topRight(), rect.bottomRight()},
                          {rect.bottomRight(), rect.bottomLeft()},
                          {rect.bottomLeft(), rect.topLeft()}};
  for (qsizetype i = 0; i + 1 < line.size(); ++i) {
    if (rect.contains(line[i]) || rect.contains(line[i + 1])) return true;
    const QLineF piece(line[i], line[i + 1]);
    for (const QLineF& side : sides) {
      if (piece.intersects(side, nullptr) == QLineF::BoundedIntersection) return true;
    }
  }
  return false;
}

/// Areas that a label must not cover: a box's title, all of a rail.
QRectF taboo(const Shape& shape) {
  if (shape.kind != Shape::Kind::Box) return shape.rect;
  return {shape.rect.topLeft(), QSizeF(shape.rect.width(), kSystemTitleHeight)};
}

class Placer {
 public:
  explicit Placer(const SystemDrawing& drawing) : m_drawing(drawing) {}

  [[nodiscard]] bool full() const { return m_labels.size() >= kMostLabels; }
  [[nodiscard]] std::vector<WireLabel> labels() && { return std::move(m_labels); }

  bool place(const Shape& link, const QString& text) {
    const QSizeF size(letters(text) + 4, kLabelHeight);
    for (const QRectF& rect : candidates(link.line, size)) {
      if (!isFree(rect, link)) continue;
      m_labels.push_back({rect, text});
      return true;
    }
    return false;
  }

 private:
  /// Next to the longest piece of the line first, then across it.
  static std::vector<QRectF> candidates(const QPolygonF& line, QSizeF size) {
    qsizetype longest = 0;
    const auto piece = [&](qsizetype i) { return QLineF(line[i], line[i + 1]); };
    for (qsizetype i = 1; i + 1 < line.size(); ++i) {
      if (piece(i).length() > piece(longest).length()) longest = i;
    }
    std::vector<QRectF> rects;
    const double aside = size.width() / 2 + kGap;
    const QLineF along = piece(longest);
    const bool flat = std::abs(along.dy()) < std::abs(along.dx());
    for (const double at : {0.5, 0.25, 0.75}) {
      QRectF rect({0, 0}, size);
      rect.moveCenter(along.pointAt(at));
      if (flat) {
        rects.push_back(rect.translated(0, -size.height() / 2 - 2));
      } else {
        for (const double by : {aside, -aside, 0.0}) rects.push_back(rect.translated(by, 0));
      }
    }
    return rects;
  }

  [[nodiscard]] bool isFree(const QRectF& rect, const Shape& own) const {
    if (!m_drawing.bounds.contains(rect)) return false;
    for (const WireLabel& other : m_labels) {
      if (other.rect.intersects(rect)) return false;
    }
    return std::none_of(m_drawing.shapes.begin(), m_drawing.shapes.end(), [&](const Shape& shape) {
      if (shape.kind == Shape::Kind::Link) return &shape != &own && crosses(shape.line, rect);
      return taboo(shape).intersects(rect);
    });
  }

  const SystemDrawing& m_drawing;
  std::vector<WireLabel> m_labels;
};

QString writtenAt(double bytesPerSecond) { return bandwidthText(bytesPerSecond); }

}  // namespace

const ShownLoad* loadOf(const Shape& shape, const ShownLoads& loads) {
  const ShownLoad* busiest = nullptr;
  if (shape.kind != Shape::Kind::Link && shape.kind != Shape::Kind::Bar && shape.kind != Shape::Kind::Rail) {
    return busiest;
  }
  for (const std::string& name : shape.part.names) {
    const auto load = loads.find(name);
    if (load == loads.end()) continue;
    if (busiest == nullptr || busiest->fraction < load->second.fraction) busiest = &load->second;
  }
  return busiest;
}

std::vector<WireLabel> wireLabels(const SystemDrawing& drawing, const ShownLoads& loads) {
  Placer placer(drawing);
  if (loads.empty()) {
    std::set<int> stated;
    for (const Shape& shape : drawing.shapes) {
      if (shape.kind != Shape::Kind::Link || shape.figure <= 0 || stated.contains(shape.part.index)) continue;
      if (placer.place(shape, writtenAt(shape.figure))) stated.insert(shape.part.index);
    }
    return std::move(placer).labels();
  }
  std::vector<std::pair<const Shape*, const ShownLoad*>> busy;
  for (const Shape& shape : drawing.shapes) {
    const ShownLoad* load = shape.kind == Shape::Kind::Link ? loadOf(shape, loads) : nullptr;
    if (load != nullptr) busy.emplace_back(&shape, load);
  }
  std::stable_sort(busy.begin(), busy.end(),
                   [](const auto& a, const auto& b) { return a.second->fraction > b.second->fraction; });
  for (const auto& [shape, load] : busy) {
    if (placer.full()) break;
    placer.place(*shape, load->text.section(',', 0, 0));
  }
  return std::move(placer).labels();
}

}  // namespace p2::views
