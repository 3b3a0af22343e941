// SPDX-License-Identifier: GPL-3.0-or-later
// Private to the drawing: the shapes drawn so far, and their places.
#pragma once

#include <map>
#include <set>

#include "system/part_states.h"
#include "views/system/inside_layout.h"

namespace p2::views {

/// A place of the drawing that stands for instances of a level or network: one of them, or many that are folded away,
/// then with all that is in them.
struct Anchor {
  SystemPart::Kind kind = SystemPart::Kind::Level;
  int index = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;  ///< one more
  QRectF rect;
  bool folded = false;
  bool rail = false;
};

/// The drawing in the making.
class DrawnParts {
 public:
  using Shape = SystemDrawing::Shape;

  DrawnParts(const System& system, std::vector<InsideLayout> insides);

  [[nodiscard]] const System& system() const { return m_system; }
  [[nodiscard]] const InsideLayout& inside(std::size_t level) const { return m_insides[level]; }
  [[nodiscard]] const std::vector<Anchor>& anchors() const { return m_anchors; }
  /// The number of a child over the whole system.
  [[nodiscard]] std::int64_t instance(std::size_t level, std::int64_t parent, std::int64_t child) const;
  [[nodiscard]] QString levelName(std::size_t level) const;

  [[nodiscard]] Shape shapeOf(Shape::Kind kind, const Place& place, const QRectF& rect) const;
  /// Adds a shape; its interconnect, colour and whether it is out of order are found out here.
  void add(Shape shape);
  void addAnchor(const Anchor& anchor) { m_anchors.push_back(anchor); }
  /// The drawing, with links above the boxes that they leave.
  [[nodiscard]] SystemDrawing finished() &&;

 private:
  const System& m_system;
  std::vector<InsideLayout> m_insides;
  [[nodiscard]] QString stateOf(const Shape& shape) const;
  [[nodiscard]] bool hidesStates(const std::string& name) const;

  std::set<std::string> m_disabled;
  std::vector<std::pair<StatePart, QString>> m_states;  // with their marks
  std::vector<Anchor> m_anchors;
  SystemDrawing m_drawing;
};

/// "270 GB/s each way": the bandwidth of an interconnect's link, in words.
[[nodiscard]] QString bandwidthWords(const Interconnect& link);
/// An arc from one point to another that rises by as much in its middle.
[[nodiscard]] QPolygonF arcBetween(QPointF from, QPointF to, QPointF rise);
[[nodiscard]] QString drawingTr(const char* text);

/// Draws the interconnect of a level among the children of an instance of the level above: its bar or caption and the
/// links. The children must be drawn, so that it finds their gateways.
void drawInterconnect(DrawnParts& parts, std::size_t level, std::int64_t parent, QPointF at);
/// Draws the rings of a torus, or those that lead from child to child.
void drawTorus(DrawnParts& parts, std::size_t level, std::int64_t parent, QPointF at);
void drawLanes(DrawnParts& parts, int network, std::size_t level, std::int64_t parent, QPointF at);
/// Draws the links of the networks to their visible members, or to the chips that these are folded into. Network
/// defines the assignment of members to instances.
void joinMembers(DrawnParts& parts);

}  // namespace p2::views
