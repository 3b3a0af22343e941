// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <string_view>
#include <vector>

#include "workspace/strategy_choice.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSpinBox;
class QWidget;

namespace p2::views {

class Session;

/// Rows of a form for the fields of a strategy's question, made from strategyFields(): label, tooltip, range and
/// choices. An edit of a field is an edit of the document.
class StrategyForm {
 public:
  /// `session` and `layout` outlive the form.
  StrategyForm(Session& session, QFormLayout& layout) : m_session(session), m_layout(layout) {}

  /// A row for a field with a widget of its own: label and tooltip of the field of that key, or as given.
  void add(QWidget& field, const char* name, std::string_view key);
  void add(QWidget& field, const char* name, const QString& label, const QString& toolTip);
  /// A whole number; `edit` may have %1 for it. Edits in a row become one.
  QSpinBox* number(const char* name, std::string_view key, const QString& edit);
  /// One of the field's choices; `edit` has %1 for it.
  QComboBox* words(const char* name, std::string_view key, const QString& edit);
  QCheckBox* flag(const char* name, std::string_view key, const QString& editOn, const QString& editOff);

  /// Shows a choice in number(), words() and flag().
  void show(const StrategyChoice& choice) const;

 private:
  template <class Change>
  void edit(const QString& what, const Change& change, const QString& mergeKey = {}) const;

  Session& m_session;
  QFormLayout& m_layout;
  std::vector<std::function<void(const StrategyChoice&)>> m_shown;
};

}  // namespace p2::views
