// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "views/stage/replay.h"

namespace p2::views {

/// What devices hold where there is no room for bits: bars whose height and place are the chunks and whose width is the
/// share of the group that they are summed over. Worked out once and kept.
class Glyphs {
 public:
  /// Bars in a square of side 1.
  using Bars = std::vector<QRectF>;

  void setReplay(std::shared_ptr<const Replay> replay);
  const Bars& of(Device device, int steps);
  static void paint(QPainter& painter, const QRectF& rect, const Bars& bars, double pixel);

  /// Devices of an innermost instance that hold as much as each other.
  struct Class {
    Holding holding;
    std::int64_t devices = 0;
  };
  const std::vector<Class>& classesOf(std::int64_t node, int steps);
  /// One bar for each class of a node, and how many devices are in it: "×16, same pattern".
  void paintNode(QPainter& painter, const QRectF& rect, std::int64_t node, int steps, double pixel);

 private:
  std::shared_ptr<const Replay> m_replay;
  std::map<std::pair<int, MemberId>, Bars> m_bars;
  std::map<std::pair<int, std::int64_t>, std::vector<Class>> m_classes;
};

}  // namespace p2::views
