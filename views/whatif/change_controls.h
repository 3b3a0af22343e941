// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "whatif/what_if.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSlider;

namespace p2::views {

/// Sliders and lists for a change of a training's question. Values next to the present one are round or divide evenly;
/// at the present value a control changes nothing.
class ChangeControls : public QWidget {
  Q_OBJECT
 public:
  explicit ChangeControls(QWidget* parent = nullptr);

  /// Another question: present values, nothing changed.
  void setQuestion(const TrainingQuestion& question);
  [[nodiscard]] WhatIfChange change() const;
  void reset();
  /// Whether the change can be adopted now: not while the question is being planned.
  void setAdoptable(bool adoptable);
  /// Values of a quantity around the present one, for a table: one change each. Of "nodes", "spine", "nic", "batch" and
  /// "sequence".
  [[nodiscard]] std::vector<WhatIfChange> around(const std::string& quantity) const;

 signals:
  void changed();
  void adoptWanted();  ///< the document is to have the change

 private:
  /// A slider over some values of a quantity.
  struct Quantity {
    std::string key;  ///< as in kWhatIfQuantities
    QSlider* slider = nullptr;
    QLabel* figure = nullptr;
    std::vector<double> values;
    int present = 0;  ///< place of the present value
  };
  void addSlider(QGridLayout& grid, const char* key, const QString& label, const QString& toolTip);
  QComboBox* addList(QGridLayout& grid, const QString& name, const QString& label, const QString& toolTip);
  void setParts(const System& system);
  void setValues(Quantity& quantity, std::vector<double> values, double present);
  void showFigures();
  [[nodiscard]] static WhatIfChange changeOf(const Quantity& quantity, double value);
  [[nodiscard]] QString figureOf(const Quantity& quantity) const;

  std::vector<Quantity> m_quantities;
  QComboBox* m_gpu = nullptr;
  QComboBox* m_down = nullptr;
  QCheckBox* m_job = nullptr;
  QPushButton* m_adopt = nullptr;
  bool m_isAdoptable = true;
  QPushButton* m_reset = nullptr;
  std::string m_shared;  ///< part that another job would share
};

}  // namespace p2::views
