// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "views/common/inline_message.h"
#include "views/literal/literal_run.h"

namespace p2::views {

// Texts of a run of the literal algorithm. Rows are counted from 1, as tables number them.

/// "c1 (2, 1)": the number of a configuration and its parts.
[[nodiscard]] QString configurationText(const StrategyProblem& problem, std::size_t vertex, std::size_t choice);
/// "0", "12.5", "4.1e+10": costs have a unit of their own.
[[nodiscard]] QString literalCostText(double cost);

/// "PaSE, Alg. 1, line 18": PaSE is the paper that literalPaper() names.
[[nodiscard]] QString linesText(const LiteralRun& run, std::size_t moment);
/// The citation of the algorithm.
[[nodiscard]] QString literalPaper();
/// The events of a moment and their reasons.
[[nodiscard]] QString momentText(const LiteralRun& run, std::size_t moment);

struct InvariantText {
  InlineMessage::Kind kind = InlineMessage::Kind::Note;
  QString sentence;
};
/// Theorem 1's invariant at a moment, or why it is not checked.
[[nodiscard]] InvariantText invariantText(const LiteralRun& run, std::size_t moment);

/// Why a row of a vertex's table is gone at a moment; empty while it is there.
[[nodiscard]] QString fateText(const LiteralRun& run, std::size_t vertex, std::uint64_t row, std::size_t moment);

/// Whether a moment is between partition and choice, when the table of v_min is seen as sets.
[[nodiscard]] bool showsSets(const LiteralMoment& moment);

}  // namespace p2::views
