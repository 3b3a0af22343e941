// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "views/shell/step_planner.h"
#include "views/shell/training_text.h"

namespace p2::views {

/// The page's one sentence: the best configuration, its time, MFU and memory, and the number of its ties among the
/// rows.
[[nodiscard]] QString findingOf(const PlannerAnswer& found);
/// "The filters hide the best of all, tp 8 · dp 16: 20.1 s (1.04× faster)."; empty where they do not.
[[nodiscard]] QString hiddenBestText(const PlannerAnswer& found);
/// The shown configuration with its place and its distance from the best, and the best where the filters hide it; how
/// to choose one where it is the best.
[[nodiscard]] QString chosenText(const PlannerAnswer& found, const PlannedConfiguration* shown, int shownRow);
/// Why the choice of a row is not shown.
[[nodiscard]] QString lostChoiceText(const Error& problem);
/// "considered 4,812 · too large 3,020 · against the framework's rules 512".
[[nodiscard]] QString exclusionsText(const PlannerAnswer& found);
/// The rules with their counts, one a line.
[[nodiscard]] QString rulesText(const TrainingAnswer& answer);
/// Whether the intervals cannot tell a row from the best.
[[nodiscard]] bool isTiedWithBest(const TrainingAnswer& answer, std::size_t row);

/// The rows as a table for other programs, one line each after a line of headings; seconds and bytes.
[[nodiscard]] std::string planCsv(const PlannerAnswer& found);

}  // namespace p2::views
