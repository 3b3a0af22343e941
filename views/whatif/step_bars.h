// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "timeline/step_timeline.h"
#include "views/common/view_figure.h"

namespace p2::views {

/// Steps below each other on one scale: a name with its figures, and a bar of where the time goes; below them a legend
/// of the parts.
class StepBars : public QWidget {
  Q_OBJECT
 public:
  struct Step {
    QString name;     ///< "before"
    QString figures;  ///< "59.8 s (48.7–73.4), 50 % MFU"
    QString details;  ///< degrees, or the reason why there is no step
    std::vector<WaterfallBar> parts;
    bool stale = false;
  };
  explicit StepBars(QWidget* parent = nullptr);

  void setSteps(std::vector<Step> steps);
  /// Leaves the details to the tooltips.
  void setBrief(bool brief);
  [[nodiscard]] const std::vector<Step>& steps() const { return m_steps; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] int heightForWidth(int width) const override;
  /// Names in the legend: the parts of the steps, in the order of the bars.
  [[nodiscard]] QStringList legend() const;
  /// The bars in any width, with the parts of each step as a table. Paints only while the widget lives.
  [[nodiscard]] ViewPicture picture() const;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] double lineHeight() const { return fontMetrics().height() + 2; }
  /// With a name, a bar and, unless brief, the details.
  [[nodiscard]] double stepHeight() const { return (m_brief ? 2.2 : 3.6) * lineHeight(); }
  [[nodiscard]] double longest() const;
  [[nodiscard]] QRectF barOf(std::size_t step, double width) const;
  [[nodiscard]] bool has(SliceKind kind) const;
  void paintStep(QPainter& painter, std::size_t step, double width) const;
  void paintLegend(QPainter& painter, double width) const;
  [[nodiscard]] std::string csv() const;

  std::vector<Step> m_steps;
  bool m_brief = false;
};

}  // namespace p2::views
