// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

#include "views/placement/placement_notes.h"
#include "views/shell/derived.h"

namespace p2::views {

class Session;

/// Warns about placements that are good for one reduction but slow for the rest of the step: a sentence, and notes for
/// the rows of placements. Hidden if there is nothing to warn about.
class StepGuard : public QLabel {
  Q_OBJECT
 public:
  explicit StepGuard(Session& session, QWidget* parent = nullptr);

  /// Computes only while seen.
  void setSeen(bool seen);
  /// Whether a plan of the whole step stands above. The sentence then says that it is about communication alone, and of
  /// the plan's own communication it names no other placement.
  void setPlanLeads(bool leads);
  [[nodiscard]] const PlacementNotes& notes() const { return m_notes; }
  /// The kind of the notes, known before the notes.
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
  bool m_planLeads = false;
};

}  // namespace p2::views
