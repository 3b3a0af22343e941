// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>
#include <optional>

class QGridLayout;
class QLabel;

namespace p2::views {

/// A slider around a figure, so many decades below and above it, evenly in the logarithm. A double click brings the
/// figure back.
class FigureSlider : public QSlider {
  Q_OBJECT
 public:
  explicit FigureSlider(int decades, QWidget* parent = nullptr);

  /// Moves it without a word to where it stands for `tried`, its own figure being in the middle. Around nothing it goes
  /// from nothing upwards, around `usual`.
  void setFigure(double own, std::optional<double> tried = {}, double usual = 1);
  /// What it stands at.
  [[nodiscard]] double figure() const;
  /// Whether that is another than its own.
  [[nodiscard]] bool isMoved() const { return value() != 0; }
  void reset() { setValue(0); }

 protected:
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  int m_decades;
  double m_own = 1;
  double m_usual = 1;
};

/// A row of a form: the caption, the slider, and the label in which its figure is to be written, with room for
/// `widest`.
QLabel* addFigureRow(QGridLayout& grid, const QString& caption, FigureSlider& slider, const QString& widest);
/// Writes a figure there, in bold while the slider is moved.
void showFigure(QLabel& label, const QString& text, bool isMoved);

}  // namespace p2::views
