// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "workload/sources.h"

namespace p2::views {

class InlineMessage;
class Session;

/// The outcome of making a workload the document's.
struct TakenWorkload {
  QString problem;  ///< why it is not; empty where it is
  QString what;     ///< its size, assumptions and omissions
};

/// Shows the outcome in the message, until the document has another workload.
void sayTaken(Session& session, InlineMessage& message, const TakenWorkload& taken);

/// Gives the document the workload and its axes: one undoable edit of this name.
[[nodiscard]] TakenWorkload takeWorkload(Session& session, const QString& edit, const Result<WorkloadSource>& source);

}  // namespace p2::views
