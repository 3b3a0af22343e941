// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "system/system.h"

class QComboBox;
class QLineEdit;
class QSpinBox;

namespace p2::views {

class InlineMessage;
class Session;

/// Where a system comes from: a preset with its number of nodes, or a line of text.
class SourceBox : public QWidget {
  Q_OBJECT
 public:
  explicit SourceBox(Session& session, QWidget* parent = nullptr);

 private:
  void makePresets();
  void makeText();
  void refresh();
  void applyPreset();
  void applyText();
  void edit(System system, const QString& mergeKey = {});

  Session& m_session;
  System m_shown;
  QComboBox* m_preset = nullptr;
  QSpinBox* m_nodes = nullptr;
  QLineEdit* m_text = nullptr;
  InlineMessage* m_problem = nullptr;
};

}  // namespace p2::views
