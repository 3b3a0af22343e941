// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "views/common/owned.h"
#include "views/shell/derived.h"
#include "views/shell/perspective.h"
#include "views/stage/replay.h"

class QStackedWidget;
class QToolButton;

namespace p2::views {

class Composer;
class EmptyPage;
class Player;
class PlayerBar;
class ProgramListPanel;
class ProgramShowing;
class Session;
class SteppedStage;

/// The programs of the selected placement and what each of their steps does to every device.
class ProgramPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit ProgramPerspective(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] static PerspectiveFace face() { return {kProgramsPage, tr("Programs"), QStringLiteral("program")}; }
  [[nodiscard]] static PagePlace place() { return {.position = 80, .group = kCollectivesGroup, .key = "Ctrl+8"}; }
  [[nodiscard]] QList<QAction*> viewActions() override;
  /// kRace: the best program against the single collective in true time, playing.
  void openPart(const QString& part) override;

 private:
  /// Question of a replay.
  struct Question {
    std::shared_ptr<const Exploration> exploration;
    std::size_t placement = 0;
    Program program;
    /// More programs of the same workspace are the same question.
    friend bool operator==(const Question& a, const Question& b) {
      return a.placement == b.placement && a.program == b.program &&
             (a.exploration == b.exploration || a.exploration->workspace == b.exploration->workspace);
    }
  };
  QWidget* makePrograms();
  QWidget* makeStepper();
  void connectStepper();
  void connectSession();
  [[nodiscard]] static bool isSamePlace(const Question& a, const Question& b);
  [[nodiscard]] Question questionOf(const Program& program) const;
  void followSelection();
  void carryDraftOver();
  void showSelection();
  [[nodiscard]] bool showsSelection() const;
  void followStep();
  void showFreshness();
  void connectComposer();
  void tryProgram(const Program& program, int step);
  void showDraft();
  void describeDraft();
  void requestReplay(const Program& program, bool typed);
  void followReplay();
  void showReplay(std::shared_ptr<const Replay> replay, bool typed);
  void restart(bool atEnd);
  void followComparing();
  void showMoment();
  void followRule(StepId step, bool ends);
  void showFindings();
  void takeHint();
  [[nodiscard]] PaceScale scale() const;

  Session& m_session;
  QStackedWidget* m_pages = nullptr;
  EmptyPage* m_empty = nullptr;
  ProgramListPanel* m_list = nullptr;
  Composer* m_composer = nullptr;
  Player* m_player = nullptr;
  PlayerBar* m_bar = nullptr;
  QToolButton* m_trueScale = nullptr;
  SteppedStage* m_stepper = nullptr;
  ProgramShowing* m_showing = nullptr;

  std::optional<Question> m_selection;  // the last one followed, which a typed program may have replaced on screen
  Derived<Question, Replay> m_running;
  std::optional<Program> m_draft;                              // the program typed or composed last
  std::shared_ptr<const SynthesisHierarchy> m_draftHierarchy;  // the draft's
  QString m_lostDraft;  // a sentence about a draft that does not fit the system of now
  QString m_draftFacts;
  bool m_typed = false;                    // whether m_running's program was
  int m_wanted = -1;                       // the step of it to begin with
  std::shared_ptr<const Replay> m_replay;  // that is shown
  HiddenFirst m_hidden{*this};
};

}  // namespace p2::views
