// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "base/progress.h"
#include "views/common/theme.h"
#include "views/present/shown_run.h"

namespace p2::views {

// Writes a shown run to files, on any thread. An existing file is replaced only by a complete new one.

/// How many seconds of movement a step has in an animation.
inline constexpr double kAnimatedSeconds = 2;

/// One moment as png, svg or pdf, by the suffix of the path. Errors: another suffix, a file that cannot be written.
[[nodiscard]] Result<void> writeStep(const ShownRun& run, int steps, double progress, const Theme::Look& look,
                                     const QString& path);
/// All steps in motion as an animated GIF that rests before the first and after every step. Errors: cancelled, a file
/// that cannot be written.
[[nodiscard]] Result<void> writeAnimation(const ShownRun& run, const Theme::Look& look, const QString& path,
                                          std::stop_token stop = {}, const Progress& progress = {});
/// A text, as it is.
[[nodiscard]] Result<void> writeText(const std::string& text, const QString& path);

}  // namespace p2::views
