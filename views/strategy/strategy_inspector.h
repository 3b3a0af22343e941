// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>
#include <functional>

#include "views/strategy/strategy_form.h"
#include "workspace/workspace.h"

class QCheckBox;
class QComboBox;
class QFileDialog;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace p2::views {

class DecimalBox;
class InlineMessage;
class Session;

/// The graph, its devices, and how its costs are predicted.
class StrategyInspector : public QWidget {
  Q_OBJECT
 public:
  explicit StrategyInspector(Session& session, QWidget* parent = nullptr);

 private:
  void makeGraph();
  void makeSpace();
  void makeModel();
  void connectFields();
  void askForFile();
  void applyBandwidth(bool confirmed);
  void edit(const QString& what, const std::function<void(StrategyChoice&)>& change, const QString& mergeKey = {});
  void refresh();
  void refreshGraph();

  Session& m_session;
  QFormLayout* m_layout;
  StrategyForm m_form;
  QComboBox* m_graph = nullptr;
  QPushButton* m_open = nullptr;
  QPushButton* m_take = nullptr;
  QSpinBox* m_batch = nullptr;
  QSpinBox* m_sequence = nullptr;
  DecimalBox* m_capacity = nullptr;
  QSpinBox* m_devices = nullptr;
  QComboBox* m_space = nullptr;
  QSpinBox* m_cutoff = nullptr;
  QCheckBox* m_exactly = nullptr;
  QComboBox* m_model = nullptr;
  DecimalBox* m_flops = nullptr;
  QLineEdit* m_bandwidth = nullptr;
  InlineMessage* m_problem = nullptr;
  QString m_doubted;  // the bandwidth that was questioned
  double m_shownBandwidth = 0;
  QPointer<QFileDialog> m_dialog;
};

}  // namespace p2::views
