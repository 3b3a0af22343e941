// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "views/strategy/split_bar.h"

namespace p2::views {

/// A few costs as bars below each other, each with its name, its number and how it compares with the first; the bar has
/// computing, reducing and exchanging one after the other, and the memory of a device stands next to it.
class ComparisonBars : public QWidget {
  Q_OBJECT
 public:
  struct Bar {
    QString name;
    QString meaning;             ///< for the tool tip
    std::optional<double> cost;  ///< nothing: `text` says why
    QString text;
    std::optional<SplitShares> split = {};  ///< parts of the cost; none where only the sum is known
    QString memory = {};                    ///< memory of a device; empty if unknown
    bool fits = true;                       ///< whether a device has that much
    friend bool operator==(const Bar&, const Bar&) = default;
  };

  explicit ComparisonBars(QWidget* parent = nullptr);

  /// Room for this many bars is kept, so that nothing jumps when they arrive.
  void reserve(std::size_t bars);
  void setBars(std::vector<Bar> bars);
  void setStale(bool stale);
  [[nodiscard]] const std::vector<Bar>& bars() const { return m_bars; }
  /// "data parallelism: 24.6 ms, 2.00×, 61 GB".
  [[nodiscard]] QString textOf(std::size_t bar) const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] int rowHeight() const;
  [[nodiscard]] QString factorOf(const Bar& bar) const;
  [[nodiscard]] int memoryWidth() const;
  [[nodiscard]] bool hasSplits() const;
  [[nodiscard]] double longest() const;  // the cost that a bar over all the width stands for
  void paintReason(QPainter& painter, const Bar& bar, const QRectF& row) const;
  void paintWords(QPainter& painter, const Bar& bar, const QRectF& line) const;
  void paintBar(QPainter& painter, std::size_t bar, const QRectF& row) const;

  std::vector<Bar> m_bars;
  std::size_t m_reserved = 0;
  bool m_stale = false;
};

}  // namespace p2::views
