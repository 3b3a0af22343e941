// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/lesson: what preparePage() is put together from.
#pragma once

#include "lesson/lesson_page.h"

namespace p2::inline lesson {

/// Explores the setting, runs the program, and records the facts about both. Errors name the key.
[[nodiscard]] Result<void> prepareProgram(PreparedPage& prepared, std::stop_token stop);
/// As above for a run of the literal algorithm.
[[nodiscard]] Result<void> prepareScene(PreparedPage& prepared, const LiteralScene& scene, std::stop_token stop);

/// Plays the schedule, and the others of the same stages and passes for their facts.
void preparePipeline(PreparedPage& prepared, const PipelineScene& scene);
/// Prices the page's step and its variants, and plays it. Errors name the key.
[[nodiscard]] Result<void> prepareTraining(PreparedPage& prepared, const TrainingScene& scene, std::stop_token stop);

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

/// Names of variants among each other: "tensor 4, ZeRO 1", the choices that not all texts as "tp=4,zero=1" make.
[[nodiscard]] std::vector<std::string> variantTitles(const std::vector<std::string>& texts);

/// The answers to a question about variants, or about the parts of a table. Errors: a variant that is not there.
[[nodiscard]] Result<std::vector<LessonCandidate>> variantsOf(const PreparedPage& prepared, const ChoiceTask& task);
[[nodiscard]] Result<std::vector<LessonCandidate>> partsOf(const PreparedPage& prepared, const ChoiceTask& task);

/// A program on the page's placement, with its rules and its goal.
[[nodiscard]] Result<ProgramTrace> traceOf(const PreparedPage& prepared, const Program& program);

/// The items of the page's OrderTask, in an order that is not accepted as it is, where there is one. Errors: a page of
/// another kind, a stage that is not there, fewer than two items.
[[nodiscard]] Result<OrderedItems> itemsOf(const PreparedPage& prepared, const OrderTask& task);
/// The step that the program has at a place of an order.
[[nodiscard]] Program orderedProgram(const PreparedPage& prepared, const std::vector<std::size_t>& order);

/// "the root holds nothing": the failure of a premise in words.
[[nodiscard]] std::string_view failureOf(Premise premise);

/// Devices of a list in words: "devices 0, 1 and 2", "device 4".
[[nodiscard]] std::string devicesText(const DeviceGroup& devices);
/// "step 2 (AllReduce, gpu:Parallel(root))", counted from 1.
[[nodiscard]] std::string stepText(const PreparedPage& prepared, int step);

}  // namespace p2::inline lesson
