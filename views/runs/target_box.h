// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGroupBox>
#include <vector>

#include "remote/run_request.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace p2::views {

class InlineMessage;

/// The target of runs: this machine, or hosts reached by ssh, each with its launcher. Remembered between sessions.
class TargetBox : public QGroupBox {
  Q_OBJECT
 public:
  explicit TargetBox(QWidget* parent = nullptr);

  /// The chosen target, or its error.
  [[nodiscard]] Result<Target> target() const;

 signals:
  void changed();

 private:
  QLineEdit* addLine(QFormLayout& form, const char* name, const QString& label, const QString& tip,
                     const QString& placeholder);
  void makeChooser(QFormLayout& form);
  void makeFields(QFormLayout& form);
  void load();
  /// Keeps targets that another window has added meanwhile.
  void save();
  void show(int index);
  void take();
  void addTarget();
  void removeTarget();

  std::vector<Target> m_targets;
  std::vector<Target> m_saved;  // as they were last read or written here
  QComboBox* m_chooser = nullptr;
  QToolButton* m_remove = nullptr;
  QLineEdit* m_host = nullptr;
  QLineEdit* m_runner = nullptr;
  QComboBox* m_launcher = nullptr;
  QLineEdit* m_hostfile = nullptr;
  QSpinBox* m_ranks = nullptr;
  QCheckBox* m_byNode = nullptr;
  QLineEdit* m_environment = nullptr;
  QLineEdit* m_arguments = nullptr;
  InlineMessage* m_problem = nullptr;
};

}  // namespace p2::views
