// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <map>
#include <set>
#include <vector>

#include "views/stage/choreography.h"
#include "views/stage/landed_states.h"
#include "views/stage/stage_layer.h"
#include "views/stage/stage_layout.h"
#include "views/stage/stage_moment.h"
#include "views/stage/stage_places.h"
#include "views/stage/wire_bundles.h"

namespace p2::views {

/// Draws a choreography over the devices: the wires it uses, tiles and ribbons on their way, sums where tiles meet, and
/// additions of single tiles that lead. Tiles and ribbons have the area of their chunks in a matrix. It decides nothing
/// itself.
class MotionPainter {
 public:
  /// The step that is drawn from now on, on which layout. Both must outlive the next call.
  void show(const Replay& replay, StepId step, const StageLayout& layout);
  void clear() { m_motion = nullptr; }
  [[nodiscard]] const Choreography* motion() const { return m_motion; }
  [[nodiscard]] const StagePlaces& places() const { return m_places; }

  /// Wires of the step, drawn before the names of the boxes.
  void paintWires(QPainter& painter, const StageMoment& moment, const QRectF& exposed);
  /// Tiles, ribbons, sums and the manner of the step.
  void paint(QPainter& painter, const StageMoment& moment, const QRectF& exposed);
  /// Rectangle of a flight's tile at a moment of the step; empty before it starts and after it has landed.
  [[nodiscard]] QRectF tileRect(const Flight& flight, double progress) const;
  /// Length along the way and width of a ribbon.
  [[nodiscard]] QSizeF ribbonSize(const Flight& ribbon) const;
  /// Whether bundles between nodes are drawn instead of tiles.
  [[nodiscard]] bool usesRibbons() const;
  /// Whether a device is in the group that sends first.
  [[nodiscard]] bool isFirst(Device device) const;
  /// "3 + 5", and once it has landed "3 + 5 → 8": the addition of a leading flight; empty at other times.
  [[nodiscard]] QString additionText(const Flight& flight, double progress) const;
  /// Where words round a point are drawn: inside the drawing, however wide they are.
  [[nodiscard]] QRectF plateRect(const QFont& font, QPointF centre, const QString& text) const;

 private:
  [[nodiscard]] std::vector<QPointF> wayOf(const Flight& flight) const;
  [[nodiscard]] QRectF rowsRect(const Flight& flight, Device device) const;
  [[nodiscard]] QSizeF sizeOf(const Flight& flight) const;
  [[nodiscard]] DeviceState carriedBy(const Flight& flight, bool landed) const;
  [[nodiscard]] const QImage& cargoOf(const Flight& flight);
  void spreadSums();
  void paintManner(QPainter& painter) const;
  void paintAddition(QPainter& painter, const Flight& flight, double progress) const;
  void drawWires(QPainter& painter) const;
  void paintTile(QPainter& painter, const Flight& flight, const QRectF& rect, const StageMoment& moment);
  void paintRibbon(QPainter& painter, const Flight& ribbon, double progress) const;
  void paintSums(QPainter& painter, double progress) const;
  void paintPlate(QPainter& painter, QPointF centre, const QString& text, const QColor& color) const;
  void paintCollision(QPainter& painter, double progress) const;

  const Replay* m_replay = nullptr;
  int m_step = 0;
  const Choreography* m_motion = nullptr;
  const StageLayout* m_layout = nullptr;
  StagePlaces m_places;
  std::vector<std::vector<QPointF>> m_ways;  // points of the paths
  std::vector<QLineF> m_wires;               // each once
  std::vector<WireBundle> m_bundles;         // bundles of wires, if these are too many to distinguish
  std::map<const Flight*, QImage> m_cargoes;
  std::set<Device> m_first;
  std::vector<QPointF> m_sums;  // where each of Choreography::sums forms
  StageLayer m_wireLayer;
};

}  // namespace p2::views
