// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>
#include <optional>

class QGridLayout;
class QLabel;

namespace p2::views {

/// A logarithmic slider that spans a number of decades below and above a figure. A double click restores the figure.
class FigureSlider : public QSlider {
  Q_OBJECT
 public:
  explicit FigureSlider(int decades, QWidget* parent = nullptr);

  /// Moves to `tried` without signals, with `own` in the middle. If `own` is 0 the slider starts at 0 and is centred at
  /// `fallback`.
  void setFigure(double own, std::optional<double> tried = {}, double fallback = 1);
  /// The current value.
  [[nodiscard]] double figure() const;
  /// Whether that is another than its own.
  [[nodiscard]] bool isMoved() const { return value() != 0; }
  void reset() { setValue(0); }

 protected:
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  int m_decades;
  double m_own = 1;
  double m_fallback = 1;
};

/// A row of a form: the caption, the slider, and the label in which its figure is to be written, with room for
/// `widest`.
QLabel* addFigureRow(QGridLayout& grid, const QString& caption, FigureSlider& slider, const QString& widest);
/// Writes a figure there, in bold while the slider is moved.
void showFigure(QLabel& label, const QString& text, bool isMoved);

}  // namespace p2::views
