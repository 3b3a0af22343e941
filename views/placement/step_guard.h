// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

#include "views/placement/placement_notes.h"
#include "views/shell/derived.h"

namespace p2::views {

class Session;

/// Guards who looks at one reduction against placements that make the rest of the step slow: a sentence, and notes to
/// stand next to the placements. Hidden where there is nothing to guard against.
class StepGuard : public QLabel {
  Q_OBJECT
 public:
  explicit StepGuard(Session& session, QWidget* parent = nullptr);

  /// Nothing is asked while nobody looks.
  void setSeen(bool seen);
  [[nodiscard]] const PlacementNotes& notes() const { return m_notes; }
  /// Of which kind the notes will be once they are known.
  [[nodiscard]] PlacementNotes::Kind expectedKind() const;
  /// Whether the notes answer an earlier question.
  [[nodiscard]] bool isStale() const { return m_stale; }

 signals:
  void notesChanged();  ///< notes() or isStale()
  void workloadWanted();
  void placementWanted(int row);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void ask();
  void present();
  void showSentence();
  [[nodiscard]] bool hasWorkload() const;
  [[nodiscard]] const DerivedBase& derived() const;

  Session& m_session;
  Derived<Workspace, OtherAxes> m_others;
  Derived<StepQuestion, StepRanking> m_step;
  QString m_misfit;  // why the workload is not one of these axes; empty where it is
  PlacementNotes m_notes;
  bool m_stale = false;
  bool m_seen = false;
};

}  // namespace p2::views
