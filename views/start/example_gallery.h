// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <functional>

#include "system/system.h"

class QToolButton;

namespace p2::views {

/// The examples, each as a picture of its machine; a click or Space opens it.
class ExampleGallery : public QWidget {
  Q_OBJECT
 public:
  /// Draws a system into a picture of that size, in the theme's colours.
  using Sketch = std::function<QImage(const System&, QSize, double ratio)>;
  explicit ExampleGallery(Sketch sketch, QWidget* parent = nullptr);

  [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }
  [[nodiscard]] QSize minimumSizeHint() const override;
  /// Whether every example has its picture.
  [[nodiscard]] bool isComplete() const { return m_drawn >= m_buttons.size(); }

 signals:
  /// The name of the example.
  void wanted(const QString& name);
  /// The last picture is drawn.
  void completed();

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void place();
  /// Draws one missing picture and schedules the next, so that the page never blocks.
  void drawNext();

  Sketch m_sketch;
  std::vector<QToolButton*> m_buttons;
  std::size_t m_drawn = 0;
  bool m_drawing = false;
};

}  // namespace p2::views
