// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPainter>
#include <memory>
#include <vector>

#include "views/stage/glyphs.h"
#include "views/stage/grid_style.h"
#include "views/stage/matrix_pictures.h"
#include "views/stage/motion_painter.h"
#include "views/stage/stage_emphasis.h"
#include "views/stage/stage_groups.h"
#include "views/stage/stage_layer.h"
#include "views/stage/stage_layout.h"
#include "views/stage/stage_moment.h"

namespace p2::views {

/// The moment of a replay that is to be drawn.
struct StageFrame {
  int step = 0;          ///< steps done; step `step` is next or under way
  double progress = 0;   ///< progress of the current step, 0 … 1
  bool before = false;   ///< at rest: show the holdings before the last step
  bool numbers = false;  ///< sums instead of bits, see numbersImage()
  Device hovered;
  std::optional<StageLayout::Row> row;  ///< under the mouse
  Device focused;                       ///< under the keyboard's cursor
  Device chosen;                        ///< shown large next to the map
  bool stale = false;                   ///< belongs to a workspace that has changed since
};

/// Draws what every device holds along the hierarchy, in as much detail as there is room for.
class StagePainter {
 public:
  /// Smallest share of the application's text size.
  static constexpr double kLeastText = 0.75;

  void setReplay(std::shared_ptr<const Replay> replay);
  /// Lays the devices out as large as they fit into the viewport.
  void layout(QSizeF viewport);
  /// Widget pixels per unit of the map and screen pixels per widget pixel, from now on.
  void setScale(double zoom, double devicePixelRatio);
  [[nodiscard]] const StageLayout& layout() const { return m_layout; }
  [[nodiscard]] const DeviceMap& map() const { return m_layout.map(); }
  void setEmphasis(StageEmphasis emphasis) { m_emphasis = std::move(emphasis); }
  void setPreview(const std::vector<DeviceGroup>& groups);

  /// Draws the part inside `exposed`, in the coordinates of map().
  void paint(QPainter& painter, const StageFrame& frame, const QRectF& exposed);

 private:
  struct Colors {
    QColor surface, line, text, muted, accent, tint, bad;
  };
  void forgetStep();
  void prepare(const StageFrame& frame);
  [[nodiscard]] const Choreography* motion() const { return m_motion.motion(); }
  /// How strongly a device is drawn: those that take no part in the step step back.
  [[nodiscard]] double strengthOf(Device device) const;
  [[nodiscard]] bool showsNodes() const;
  void paintBoxes(QPainter& painter, const QRectF& exposed) const;
  void paintStrip(QPainter& painter, std::size_t level, std::int64_t parent) const;
  /// Names of the boxes and of what joins them: on plates over the wires of a step.
  void paintNames(QPainter& painter, const QRectF& exposed, bool plated) const;
  void paintGround(QPainter& painter, const QRectF& exposed) const;
  void paintOutlines(QPainter& painter, const QRectF& exposed) const;
  void paintHulls(QPainter& painter, const QRectF& exposed) const;
  void paintDevices(QPainter& painter, const StageFrame& frame, const QRectF& exposed);
  void paintCell(QPainter& painter, const StageFrame& frame, const DeviceMap::Cell& cell);
  void paintFrame(QPainter& painter, const DeviceMap::Cell& cell, const QColor& fill) const;
  void paintCursor(QPainter& painter, const StageFrame& frame, const DeviceMap::Cell& cell) const;
  void paintMatrix(QPainter& painter, const DeviceMap::Cell& cell);
  /// While a step is under way: some of the pictures that its end will need.
  void makeAhead(const QRectF& exposed);
  void paintLabels(QPainter& painter, const DeviceMap::Cell& cell) const;
  void paintChanges(QPainter& painter, const DeviceMap::Cell& cell);
  void paintGlyph(QPainter& painter, const DeviceMap::Cell& cell);
  void paintNode(QPainter& painter, const DeviceMap::Box& box);
  void paintFailure(QPainter& painter, const DeviceMap::Cell& cell);
  [[nodiscard]] QFont fontOf(double share) const;  // share of the text's size, at any zoom of the map
  [[nodiscard]] double pixel() const { return 1 / m_layout.zoom(); }

  std::shared_ptr<const Replay> m_replay;
  StageLayout m_layout;
  MatrixPictures m_pictures;
  Glyphs m_glyphs;
  StageEmphasis m_emphasis;
  std::vector<DeviceGroup> m_previewed;
  StageGroups m_preview;
  Colors m_colors;
  QFont m_font;
  StageMoment m_moment;  // being painted
  bool m_numbers = false;
  MotionPainter m_motion;
  LandedStates m_landed;  // of m_groupedStep
  StageLayer m_ground;    // boxes and empty cells
  StageLayer m_names;     // the names again, over the wires
  StageLayer m_outlines;  // outlines of the groups, with their letters
  StepId m_groupedStep;
  StageGroups m_groups;               // of m_groupedStep
  std::vector<QPainterPath> m_hulls;  // of m_groups
};

}  // namespace p2::views
