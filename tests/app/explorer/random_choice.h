// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QWidget>
#include <random>

namespace p2::test {

/// Choices by chance, the same ones for the same seed.
class RandomChoice {
 public:
  explicit RandomChoice(unsigned seed) : m_random(seed) {}

  /// A number from 0 up to, but without, `count`.
  int below(int count) { return int(m_random() % unsigned(count)); }
  /// Whether this is the one time in so many.
  bool oneIn(int times) { return below(times) == 0; }
  template <class List>
  auto of(const List& list) {
    return list[typename List::size_type(below(int(list.size())))];
  }
  QPoint placeIn(const QWidget& widget) { return {below(widget.width()), below(widget.height())}; }

 private:
  std::mt19937 m_random;
};

}  // namespace p2::test
