// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QBoxLayout;
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
  void resizeEvent(QResizeEvent* event) override;

 private:
  QToolButton* addButton(const char* name, const QString& text, const QString& tip, bool checkable);
  [[nodiscard]] int buttonsWidth() const;
  /// Whether the legend has to stand above the buttons, since they would leave it too little room.
  [[nodiscard]] bool isNarrow(int width) const;

  StageLegend* m_legend;
  QBoxLayout* m_rows;
  QHBoxLayout* m_buttons;
  QToolButton* m_before;
  QToolButton* m_numbers;
};

}  // namespace p2::views
