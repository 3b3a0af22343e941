// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "system/system.h"

class QComboBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace p2::views {

class InlineMessage;
class Session;

/// The source of a system: a preset with its number of nodes, or a line of text; and how many nodes any system has,
/// and the oversubscription of the network above them.
class SourceBox : public QWidget {
  Q_OBJECT
 public:
  explicit SourceBox(Session& session, QWidget* parent = nullptr);

 private:
  void makePresets();
  void makeText();
  void makeRatio();
  void showNodes(const System& system);
  void showRatio(const System& system);
  void refresh();
  void applyPreset();
  void applyText();
  void applyNodes();
  void refuse(const Error& error);
  void showProblem(const Error& error);
  void applyRatio();
  void edit(System system, const QString& mergeKey = {});

  Session& m_session;
  System m_shown;
  QComboBox* m_preset = nullptr;
  QSpinBox* m_nodes = nullptr;
  QLineEdit* m_text = nullptr;
  QLineEdit* m_ratio = nullptr;
  QFormLayout* m_form = nullptr;
  InlineMessage* m_problem = nullptr;
};

}  // namespace p2::views
