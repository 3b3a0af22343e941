// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "views/stage/replay.h"

namespace p2::views {

/// How a stage is read: what rows, columns, fills, frames and marks mean. Wraps to the width it gets.
class StageLegend : public QWidget {
  Q_OBJECT
 public:
  explicit StageLegend(QWidget* parent = nullptr);
  /// Also shows the colours of the contributors if each has its own.
  void setReplay(const Replay* replay);
  /// What a digit means instead of what a filled bit means.
  void setNumbers(bool numbers);

  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  enum class Symbol { None, Hues, Part, Missing, NotHeld, Changed, Root, Group };
  struct Entry {
    Symbol symbol = Symbol::None;
    QString text;
    QPointF at = {};  // of its left upper corner
  };
  void fill();
  [[nodiscard]] std::vector<Entry> laidOut(int width) const;
  [[nodiscard]] double symbolWidth(Symbol symbol) const;
  [[nodiscard]] double lineHeight() const;
  void paintSymbol(QPainter& painter, Symbol symbol, const QRectF& rect) const;

  std::vector<Entry> m_entries;
  std::vector<int> m_hues;  // the contributors' devices, in column order
  bool m_numbers = false;
};

}  // namespace p2::views
