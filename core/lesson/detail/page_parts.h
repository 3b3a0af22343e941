// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/lesson: what preparePage() is put together from.
#pragma once

#include "lesson/lesson_page.h"

namespace p2::inline lesson {

/// Explores the setting, runs the program, and records the facts about both. Errors name the key.
[[nodiscard]] Result<void> prepareProgram(PreparedPage& prepared, std::stop_token stop);
/// The same of a run of the literal algorithm.
[[nodiscard]] Result<void> prepareScene(PreparedPage& prepared, const LiteralScene& scene, std::stop_token stop);

/// Facts about the setting and all its programs.
void addSettingFacts(PreparedPage& prepared);
/// Facts about one program, under names that begin with `prefix`.
void addProgramFacts(PreparedPage& prepared, const std::string& prefix, const Program& program,
                     const ProgramTrace& trace);

/// The cells of the page's PaintTask. Errors: a device, step or vertex that is not there, a grid too large to mark.
[[nodiscard]] Result<PaintGrid> gridOf(const PreparedPage& prepared, const PaintTask& task);
[[nodiscard]] Result<PaintGrid> rowGridOf(const PreparedPage& prepared, const PaintTask& task);

/// The answers to the page's ChoiceTask or FindTask. Errors: a step or program that is not there.
[[nodiscard]] Result<std::vector<LessonCandidate>> candidatesOf(const PreparedPage& prepared, const ChoiceTask& task);
[[nodiscard]] Result<std::vector<LessonCandidate>> candidatesOf(const PreparedPage& prepared, const FindTask& task);

/// "the root holds nothing": the failure of a premise in words.
[[nodiscard]] std::string_view failureOf(Premise premise);

/// Devices of a list as people say it: "devices 0, 1 and 2", "device 4".
[[nodiscard]] std::string devicesText(const DeviceGroup& devices);
/// "step 2 (AllReduce, gpu:Parallel(root))", counted from 1.
[[nodiscard]] std::string stepText(const PreparedPage& prepared, int step);

}  // namespace p2::inline lesson
