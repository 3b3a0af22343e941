// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "views/shell/derived.h"
#include "views/system/load_survey.h"

class QAction;
class QComboBox;
class QPushButton;
class QToolButton;

namespace p2::views {

class InlineMessage;
class LoadLegend;
class Session;

/// Subject of the loads in the drawing: nothing, the chosen program, or one step of it, which the session shares with
/// other views of the program. Without any, why axes that do not fit the system have none, with a button. The survey is
/// a job; until it arrives the last one is passed on as stale.
class LoadBar : public QWidget {
  Q_OBJECT
 public:
  explicit LoadBar(Session& session, QWidget* parent = nullptr);

  /// The action that shows the next load: none, the program, the step, none.
  [[nodiscard]] QAction* nextAction() const { return m_next; }

 signals:
  void loadsChanged(const p2::views::ShownLoads& loads);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  enum class Show { Nothing, Program, Step, Single };

  void makeChoice();
  void makeSingle();
  void choose(Show show);
  void listSteps();
  void follow();
  void refresh();
  void present(const LoadSurvey& survey);
  void showStale();
  void clear(const QString& problem);
  /// Shows the problem, unless the axes do not fit the system: no load can be shown then.
  void say(const QString& problem);
  [[nodiscard]] std::optional<LoadQuestion> question() const;

  Session& m_session;
  QComboBox* m_choice = nullptr;
  QToolButton* m_single = nullptr;
  LoadLegend* m_legend = nullptr;
  InlineMessage* m_problem = nullptr;
  QPushButton* m_fit = nullptr;
  QAction* m_next = nullptr;
  Show m_show = Show::Nothing;
  Derived<LoadQuestion, LoadSurvey> m_survey;
};

}  // namespace p2::views
