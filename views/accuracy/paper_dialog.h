// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QStandardItemModel>

#include "explore/paper_results.h"
#include "views/shell/derived.h"

class QCheckBox;
class QLabel;

namespace p2::views {

/// Whether the paper measured a machine like this, by the name of its preset.
[[nodiscard]] bool isPaperMachine(const System& system);

/// The measured times of the paper's appendix next to predictions: single AllReduce and best program, ring and tree.
class PaperDialog : public QDialog {
  Q_OBJECT
 public:
  PaperDialog(JobQueue& jobs, const System& system, QWidget* parent = nullptr);

 private:
  using Predictions = std::vector<PaperSeconds>;
  void fill();

  QString m_machine;  ///< "gcp-a100:4"
  QStandardItemModel m_model;
  QLabel* m_finding;
  QCheckBox* m_onlyHere;
  Derived<int, Predictions> m_predictions;
};

}  // namespace p2::views
