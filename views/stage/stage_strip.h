// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QToolButton;

namespace p2::views {

class StageLegend;

/// The strip below a stage: its legend and display switches.
class StageStrip : public QWidget {
  Q_OBJECT
 public:
  explicit StageStrip(QWidget* parent = nullptr);

  [[nodiscard]] StageLegend& legend() { return *m_legend; }
  [[nodiscard]] QToolButton& before() { return *m_before; }
  [[nodiscard]] QToolButton& numbers() { return *m_numbers; }
  [[nodiscard]] int heightForWidth(int width) const override;

 signals:
  void zoomInAsked();
  void zoomOutAsked();
  void fitAsked();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QToolButton* addButton(const char* name, const QString& text, const QString& tip, bool checkable);
  /// Width of the legend and height of both, in a strip of this width. A legend with too little room left of the
  /// buttons takes the whole width; the buttons then share its last line if they fit, or follow below.
  [[nodiscard]] QSize extentFor(int width) const;

  StageLegend* m_legend;
  QWidget* m_switches;
  QHBoxLayout* m_buttons;  // in m_switches
  QToolButton* m_before;
  QToolButton* m_numbers;
};

}  // namespace p2::views
