// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "views/common/timeline.h"
#include "views/stage/replay.h"

namespace p2::views {

/// A run as it is shown to others: presented, or put into a file.
struct ShownRun {
  struct Caption {
    QString title;       ///< "Step 2 of 3: AllReduce·node∥root"
    QString premises;    ///< "✓ every member holds data · ✓ …": why it is legal; empty where it is not
    QString rule;        ///< what follows, or why it does not go
    QString facts;       ///< "537 MB per device · busiest link: node 0 ↑, 1.61 GB · 268 ms"
    bool wrong = false;  ///< the rule says why it does not go
    friend bool operator==(const Caption&, const Caption&) = default;
  };
  std::shared_ptr<const Replay> replay;
  QString title;                               ///< "[[2 4]] · RS·AR·AG · 283 ms"
  std::vector<Caption> captions;               ///< of every step that is played, and of the end
  std::shared_ptr<const ShownRun> rival = {};  ///< B of A|B, drawn next to it; null for one run alone

  /// The sentence for a position of the timeline: the current step, or at the end the result.
  [[nodiscard]] const Caption& captionAt(const Timeline& timeline) const;
};

/// `steps` is the stated number of steps, if more than the shown ones.
[[nodiscard]] ShownRun shownRun(const std::shared_ptr<const Replay>& replay, std::size_t steps = 0);
/// "RS in node → AR across nodes: 2.83 s"; without a time for a program that does not reach its goal
[[nodiscard]] QString timedTitle(const Replay& replay);
/// timedTitle() "on placement [[2,4]]"
[[nodiscard]] QString runTitle(const Replay& replay);
/// The caption as rich text, for a large label.
[[nodiscard]] QString toHtml(const ShownRun::Caption& caption);

}  // namespace p2::views
