// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "whatif/what_if.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace p2::views {

class MarkedSlider;

/// Sliders with number boxes, and lists, for a change of a training's question. The stops of a slider are round or
/// divide evenly, a box takes every value. At the present value a control changes nothing.
class ChangeControls : public QWidget {
  Q_OBJECT
 public:
  explicit ChangeControls(QWidget* parent = nullptr);

  /// Another question: present values, nothing changed.
  void setQuestion(const TrainingQuestion& question);
  /// Recomputation of the kept configuration.
  void setRecomputation(RecomputeKind present);
  /// Framework of the kept configuration. Those that do not run on the system's accelerator cannot be chosen.
  void setFramework(const TrainingFramework& present, const System& system);
  [[nodiscard]] WhatIfChange change() const;
  void reset();
  /// Whether the change can be adopted now: not while the question is being planned.
  void setAdoptable(bool adoptable);
  /// A further field below the changes, in the same columns.
  void addField(const QString& label, QWidget& field);
  /// Values of a quantity around the present one, for a table: one change each. Of "nodes", "spine", "nic", "batch",
  /// "sequence", and of "framework" all that run.
  [[nodiscard]] std::vector<WhatIfChange> around(const std::string& quantity) const;

 signals:
  void changed();
  void adoptWanted();  ///< the document is to have the change

 private:
  /// A slider over some values of a quantity, and a box for any value.
  struct Quantity {
    std::string key;  ///< as in kWhatIfQuantities
    MarkedSlider* slider = nullptr;
    QDoubleSpinBox* box = nullptr;
    double unit = 1;            ///< value of 1 in the box: 1e9 bytes/s for GB/s
    std::vector<double> stops;  ///< values of the slider
    std::vector<double> table;  ///< values for around()
    double present = 0;
    double stop = 0;  ///< stop of the present value, at its place among the others
    double value = 0;
  };
  void addQuantity(QGridLayout& grid, const char* key, const QString& label, const QString& toolTip);
  /// `isWide`: below its label, over the whole width.
  QComboBox* addList(QGridLayout& grid, const QString& name, const QString& label, const QString& toolTip,
                     bool isWide = false);
  void setParts(const System& system);
  void setPrecision(ProductPrecision present);
  void setValues(Quantity& quantity, double present, double step);
  /// The stops of the spine in their order, the present ratio among them; 0 where it is not known.
  static void setRatios(Quantity& spine, bool changes, double present);
  static void setRange(Quantity& quantity, bool changes);
  [[nodiscard]] std::vector<WhatIfChange> inFrameworks() const;
  void take(std::size_t quantity, double value);
  void showValues();
  [[nodiscard]] static const TrainingFramework* frameworkNamed(const QString& name);
  [[nodiscard]] static WhatIfChange changeOf(const Quantity& quantity, double value);

  std::vector<Quantity> m_quantities;
  QLabel* m_nodes = nullptr;  ///< the nodes by the name that the system gives them
  QComboBox* m_precision = nullptr;
  QComboBox* m_recomputation = nullptr;
  std::optional<RecomputeKind> m_presentRecomputation;
  QComboBox* m_framework = nullptr;
  const TrainingFramework* m_presentFramework = nullptr;
  QComboBox* m_gpu = nullptr;
  QComboBox* m_down = nullptr;
  QCheckBox* m_job = nullptr;
  QPushButton* m_adopt = nullptr;
  bool m_isAdoptable = true;
  QPushButton* m_reset = nullptr;
  std::string m_shared;  ///< part that another job would share
};

}  // namespace p2::views
