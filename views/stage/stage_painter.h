// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QImage>
#include <QPainter>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "views/common/device_map.h"
#include "views/stage/replay.h"

namespace p2::views {

/// The moment of a replay that is to be drawn.
struct StageFrame {
  int step = 0;         ///< steps done; step `step` is next or under way
  double progress = 0;  ///< of the step under way, 0 … 1
  Device hovered;
  Device focused;      ///< under the keyboard's cursor
  Device chosen;       ///< shown large beside the map
  bool stale = false;  ///< belongs to a workspace that has changed since
};

/// Colour of each contribution column: a category up to eight members, a ramp beyond.
[[nodiscard]] QColor memberColor(int member, int members);

/// Draws every device's bit matrix along the hierarchy; only its share where that has too many runs. Matrices are
/// turned into images once per state, so that a frame is little more than one blit per device.
class StagePainter {
 public:
  /// Largest side of a matrix, in logical pixels; the smallest at which bits still mean something.
  static constexpr int kLargestSide = 160;
  static constexpr int kSmallestSide = 32;

  void setReplay(std::shared_ptr<const Replay> replay);
  /// Chooses the largest matrices with which the devices fit into the viewport, as far as the limits allow, and drops
  /// the images drawn so far.
  void layout(QSizeF viewport, double devicePixelRatio);
  /// From now on draws matrices with so many pixels for every unit of the map: the screen's pixels by the zoom.
  void setPixelRatio(double pixelRatio);
  [[nodiscard]] const DeviceMap& map() const { return m_map; }

  /// Draws the part inside `exposed`, in the coordinates of map().
  void paint(QPainter& painter, const StageFrame& frame, const QRectF& exposed);

 private:
  struct Group {
    int index = -1;  // among the groups shown, −1 outside any
    bool failed = false;
  };
  struct Colors {
    QColor surface, line, text, muted, accent, tint, bad;
  };
  void groupDevices(StepId step);
  void dropImages();
  [[nodiscard]] QRectF matrixRect(const QRectF& cell) const;
  /// Null if what the device holds cannot be drawn bit by bit.
  QImage image(Device device, int steps);
  const std::vector<std::pair<int, int>>& changedRows(Device device, StepId step);
  void paintBoxes(QPainter& painter, const QRectF& exposed) const;
  void paintCell(QPainter& painter, const StageFrame& frame, const DeviceMap::Cell& cell);
  void paintFrame(QPainter& painter, const StageFrame& frame, const DeviceMap::Cell& cell) const;
  void paintHeader(QPainter& painter, const DeviceMap::Cell& cell) const;
  void paintMatrix(QPainter& painter, const StageFrame& frame, const DeviceMap::Cell& cell);
  void paintShare(QPainter& painter, const StageFrame& frame, const DeviceMap::Cell& cell) const;
  void paintFailure(QPainter& painter, const DeviceMap::Cell& cell);

  std::shared_ptr<const Replay> m_replay;
  DeviceMap m_map;
  Colors m_colors;
  QFont m_font;
  int m_side = kSmallestSide;
  double m_pixelRatio = 1;
  StepId m_groupedStep;
  std::vector<Group> m_groups;                                                     // by device, for m_groupedStep
  std::map<std::pair<int, MemberId>, QImage> m_images;                             // by steps done and member
  qint64 m_imageBytes = 0;                                                         // of all of them
  std::map<std::pair<int, MemberId>, std::vector<std::pair<int, int>>> m_changed;  // runs [first, last]
};

}  // namespace p2::views
