// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <vector>

#include "views/stage/choreography.h"
#include "views/stage/matrix_pictures.h"
#include "views/stage/stage_layer.h"
#include "views/stage/stage_layout.h"
#include "views/stage/stage_moment.h"
#include "views/stage/stage_places.h"
#include "views/stage/wire_bundles.h"

namespace p2::views {

/// Draws a choreography over the devices: the wires it uses, tiles and ribbons on their way, sums where tiles meet. It
/// decides nothing itself.
class MotionPainter {
 public:
  /// What is drawn from now on, on which layout. All must outlive the next call.
  void show(const Replay& replay, const Choreography& motion, const StageLayout& layout);
  void clear() { m_motion = nullptr; }
  [[nodiscard]] const Choreography* motion() const { return m_motion; }
  [[nodiscard]] const StagePlaces& places() const { return m_places; }

  void paint(QPainter& painter, const StageMoment& moment, MatrixPictures& pictures, const QRectF& exposed);
  /// Where a flight's tile is drawn at a moment of the step; empty before it starts and after it has landed.
  [[nodiscard]] QRectF tileRect(const Flight& flight, double progress) const;

 private:
  [[nodiscard]] std::vector<QPointF> wayOf(const Flight& flight) const;
  [[nodiscard]] QRectF rowsRect(const Flight& flight, Device device) const;
  [[nodiscard]] QSizeF sizeOf(const Flight& flight) const;
  [[nodiscard]] bool usesRibbons() const;
  void spreadSums();
  void paintWires(QPainter& painter) const;
  void paintTile(QPainter& painter, const Flight& flight, const QRectF& rect, const StageMoment& moment,
                 MatrixPictures& pictures) const;
  void paintRibbon(QPainter& painter, const Flight& ribbon, double progress) const;
  void paintSums(QPainter& painter, double progress) const;
  void paintPlate(QPainter& painter, QPointF centre, const QString& text) const;
  void paintCollision(QPainter& painter, double progress) const;

  const Replay* m_replay = nullptr;
  const Choreography* m_motion = nullptr;
  const StageLayout* m_layout = nullptr;
  StagePlaces m_places;
  std::vector<std::vector<QPointF>> m_ways;  // of the paths
  std::vector<QLineF> m_wires;               // each once
  std::vector<WireBundle> m_bundles;         // of them, if they are too many to be told apart
  std::vector<QPointF> m_sums;               // where each of Choreography::sums forms
  StageLayer m_wireLayer;
};

}  // namespace p2::views
