// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/figure_slider.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <cmath>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kSliderSteps = 100;  // per decade

/// In figures of one width, as large as the other texts are.
class FigureLabel : public QLabel {
 public:
  explicit FigureLabel(QString widest) : m_widest(std::move(widest)) {
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    fit();
  }

 protected:
  void changeEvent(QEvent* event) override {
    QLabel::changeEvent(event);
    const bool other = event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange;
    if (other && font().pointSizeF() != Theme::tabularFont().pointSizeF()) fit();
  }

 private:
  void fit() {
    setFont(Theme::tabularFont());
    setMinimumWidth(fontMetrics().horizontalAdvance(m_widest));
  }

  QString m_widest;
};

}  // namespace

FigureSlider::FigureSlider(int decades, QWidget* parent) : QSlider(Qt::Horizontal, parent), m_decades(decades) {
  setPageStep(kSliderSteps / 10);
  setFigure(1);
}

void FigureSlider::setFigure(double own, std::optional<double> tried, double fallback) {
  const QSignalBlocker quiet(this);
  m_own = own;
  m_fallback = fallback;
  const int reach = kSliderSteps * m_decades;
  setRange(own > 0 ? -reach : 0, own > 0 ? reach : 2 * reach);
  const double factor = tried.value_or(own) / (own > 0 ? own : fallback);
  const int middle = own > 0 ? 0 : reach;
  setValue(tried ? middle + int(std::lround(std::log10(factor) * kSliderSteps)) : 0);
}

double FigureSlider::figure() const {
  if (!isMoved()) return m_own;
  const double decades = double(value()) / kSliderSteps;
  return m_own > 0 ? m_own * std::pow(10.0, decades) : m_fallback * std::pow(10.0, decades - m_decades);
}

void FigureSlider::mouseDoubleClickEvent(QMouseEvent*) { reset(); }

QLabel* addFigureRow(QGridLayout& grid, const QString& caption, FigureSlider& slider, const QString& widest) {
  auto* text = new FigureLabel(widest);
  const int row = grid.rowCount();
  grid.addWidget(new QLabel(caption), row, 0);
  grid.addWidget(&slider, row, 1);
  grid.addWidget(text, row, 2);
  return text;
}

void showFigure(QLabel& label, const QString& text, bool isMoved) {
  label.setText(isMoved ? QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped()) : text);
}

}  // namespace p2::views
