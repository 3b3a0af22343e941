// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "base/progress.h"
#include "views/common/theme.h"
#include "views/present/shown_run.h"

namespace p2::views {

// Writes a shown run to files, on any thread. An existing file is replaced only by a complete new one.

// Two runs stand side by side, A and B, after as many steps each.

/// One moment as png, svg or pdf, by the suffix of the path. Errors: another suffix, a file that cannot be written.
[[nodiscard]] Result<void> writeStep(const ShownRun& run, int steps, double progress, const Theme::Look& look,
                                     const QString& path);
/// The beginning and every step as pages of a PDF, for a lecture: title, devices, legend, rule and sizes, light.
/// Errors: cancelled, a file that cannot be written.
[[nodiscard]] Result<void> writeSlides(const ShownRun& run, const Theme::Look& look, const QString& path,
                                       std::stop_token stop = {});
/// All steps in motion as an animated GIF that rests before the first and after every step; steps move as long as in
/// the window (paceOf()). Errors: cancelled, a file
/// that cannot be written.
[[nodiscard]] Result<void> writeAnimation(const ShownRun& run, const Theme::Look& look, const QString& path,
                                          std::stop_token stop = {}, const Progress& progress = {});
/// A text, as it is.
[[nodiscard]] Result<void> writeText(const std::string& text, const QString& path);

}  // namespace p2::views
