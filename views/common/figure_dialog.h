// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <functional>

#include "views/common/plot_export.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace p2::views {

/// Width, text size, title and legend of a figure, with a preview. The choice is remembered.
class FigureDialog : public QDialog {
  Q_OBJECT
 public:
  FigureDialog(std::function<ExportedPlot(const FigureStyle&)> exported, QWidget* parent = nullptr);
  [[nodiscard]] FigureStyle style() const;

 private:
  void preview();

  std::function<ExportedPlot(const FigureStyle&)> m_exported;
  QComboBox* m_width;
  QComboBox* m_points;
  QCheckBox* m_title;
  QCheckBox* m_legend;
  QLabel* m_preview;
  QLabel* m_size;
};

}  // namespace p2::views
