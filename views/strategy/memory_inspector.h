// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

#include "views/strategy/strategy_form.h"
#include "workspace/strategy_choice.h"

class QComboBox;
class QFormLayout;
class QLineEdit;

namespace p2::views {

class InlineMessage;
class Session;

/// Memory of a strategy's devices in a training step, its number formats, and its limit.
class MemoryInspector : public QWidget {
  Q_OBJECT
 public:
  explicit MemoryInspector(Session& session, QWidget* parent = nullptr);

 private:
  void makeFields();
  void connectFields();
  void applyLimit(bool confirmed);
  void edit(const QString& what, const std::function<void(GraphCostOptions&)>& change);
  void refresh();

  Session& m_session;
  QFormLayout* m_layout;
  StrategyForm m_form;
  QComboBox* m_elements = nullptr;
  QComboBox* m_zero = nullptr;
  QLineEdit* m_limit = nullptr;
  QString m_doubted;  // the limit that was questioned
  InlineMessage* m_problem = nullptr;
};

}  // namespace p2::views
