// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "step/step_ranking.h"
#include "views/shell/derived.h"

namespace p2::views {

class Session;

/// Proposes to a session the placement that is best for a whole step of its workload (Session::propose()), whichever
/// perspective is open.
class StepProposal : public QObject {
  Q_OBJECT
 public:
  explicit StepProposal(Session& session, QObject* parent = nullptr);

 private:
  void ask();
  void propose();

  Session& m_session;
  Derived<StepQuestion, StepRanking> m_step;
};

}  // namespace p2::views
