// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "views/stage/landed_states.h"

namespace p2::views {

/// What devices hold, as images that are made once and kept: a frame is little more than one blit per device.
class MatrixPictures {
 public:
  void setReplay(std::shared_ptr<const Replay> replay);
  /// Images of that size in pixels, from now on.
  void setSize(QSize size);
  /// Equal rows and columns as one where there is no room for bits, from now on.
  void setFolded(bool folded);
  /// Sums instead of bits, from now on.
  void setNumbers(bool numbers);
  void drop();

  /// Holding of the device after `steps` steps; null if that cannot be drawn bit by bit.
  const QImage& of(Device device, int steps);
  /// Its holding in the middle of step `step`, with arriving data and without drops. Null as
  /// above, and without explicit matrices.
  const QImage& joined(Device device, int step);

  /// Its holding while a step is under way, after `count` messages have landed. Kept until another number is asked
  /// for.
  const QImage& landed(Device device, const LandedStates& states, std::size_t count);

  /// Whether of() has something to draw; makes no picture.
  [[nodiscard]] bool canDraw(Device device, int steps) const;
  /// Makes one missing picture of `steps` steps done or of the joined holding on the way; whether one was missing.
  bool makeAhead(Device device, int steps);

  /// Runs [first, last] of the rows that step `step` changes.
  const std::vector<std::pair<int, int>>& changedRows(Device device, int step);

 private:
  using Key = std::tuple<int, MemberId, bool>;
  [[nodiscard]] QImage draw(const DeviceState& state) const;
  [[nodiscard]] QImage fitted(const QImage& image) const;
  [[nodiscard]] QImage make(Device device, int steps, bool join) const;
  const QImage& at(Device device, int steps, bool join);

  std::shared_ptr<const Replay> m_replay;
  QSize m_size{1, 1};
  bool m_folded = false;
  bool m_numbers = false;
  struct Landed {
    StepId step;
    std::size_t count = 0;
    DeviceState state;
    QImage image;
  };
  std::map<Key, QImage> m_images;
  std::map<Device, Landed> m_landed;
  qint64 m_bytes = 0;
  std::map<std::pair<int, MemberId>, std::vector<std::pair<int, int>>> m_changed;
};

}  // namespace p2::views
