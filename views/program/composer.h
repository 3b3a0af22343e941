// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "views/program/composing.h"
#include "views/shell/derived.h"

class QLabel;

namespace p2::views {

class NextStepsPanel;
class ProgramEdit;
class Session;
class StepChips;

/// Composes a program step by step: chips that can be moved and taken away, everything that can follow, and the
/// same as text. Has an undo of its own.
class Composer : public QWidget {
  Q_OBJECT
 public:
  explicit Composer(Session& session, QWidget* parent = nullptr);

  /// Shows a program of the selected placement.
  void setProgram(const Program& program);
  /// Whether something is being typed that is no program yet.
  [[nodiscard]] bool isTyping() const;
  /// The step that is looked at, and the number of steps done in the picture: the next steps are those after it.
  void setStep(int step);
  void setDone(int steps);
  /// Shows the error of the typed program; empty if none.
  void setProblem(const QString& sentence);
  /// All that is known of the program; null while it is being worked out.
  [[nodiscard]] std::shared_ptr<const Composing> composing() const { return m_composing.current(); }

 signals:
  /// The user made another program of it, by typing it or by its steps; `step` is the one to look at, −1 if none.
  void programComposed(const p2::Program& program, int step);
  void stepChosen(int step);
  void previewed(const std::vector<p2::DeviceGroup>& groups);
  void composingChanged();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct GuideQuestion {
    std::shared_ptr<const Exploration> exploration;
    std::size_t placement = 0;
    [[nodiscard]] const SynthesisHierarchy* hierarchy() const {
      return exploration->placements[placement].hierarchy.get();
    }
    /// More programs of the same workspace are the same question. Opening the workspace again asks a new one.
    friend bool operator==(const GuideQuestion& a, const GuideQuestion& b) {
      return a.placement == b.placement &&
             (a.exploration == b.exploration ||
              (a.hierarchy() == b.hierarchy() && a.exploration->workspace == b.exploration->workspace));
    }
  };
  void makeWidgets();
  void compose(const Program& program, int step);
  /// Facts about the current program; null while they are computed.
  [[nodiscard]] std::shared_ptr<const Composing> ofThisProgram() const;
  void put(const Instruction& instruction);
  void walkHistory(int by);
  void showProgram();
  void askForNext();
  /// The first steps of the program, as many as are done in the picture and can run; none if that is all of it.
  [[nodiscard]] std::optional<Program> shownBeginning() const;
  void ask();
  void follow();
  void open(bool on);

  Session& m_session;
  StepChips* m_chips;
  NextStepsPanel* m_panel;
  ProgramEdit* m_edit;
  QLabel* m_status;
  Program m_program;
  std::shared_ptr<const SynthesisHierarchy> m_hierarchy;
  std::vector<Program> m_history;
  std::size_t m_at = 0;
  Derived<GuideQuestion, ProgramGuide> m_guide;
  Derived<ComposingQuestion, Composing> m_composing;
  Derived<ComposingQuestion, Composing> m_next;  // of shownBeginning(), for the panel
  int m_done = 0;
};

}  // namespace p2::views
