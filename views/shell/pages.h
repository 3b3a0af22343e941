// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLatin1String>

namespace p2::views {

// Ids of the pages of the way from a cluster to a training job, next to those in perspective.h.
inline constexpr QLatin1String kModelPage("model");
inline constexpr QLatin1String kPlanPage("plan");
inline constexpr QLatin1String kWhyPage("why");
inline constexpr QLatin1String kWhatIfPage("whatif");
inline constexpr QLatin1String kUsePage("use");

// Parts of pages that other pages lead to, see Perspective::openPart().
inline constexpr QLatin1String kFirstLesson("first-lesson");  ///< of kLessonsPage
inline constexpr QLatin1String kRace("race");  ///< of kProgramsPage: the best program against the single collective

}  // namespace p2::views
