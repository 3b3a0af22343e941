// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "explore/explore.h"
#include "lesson/lesson.h"
#include "lesson/lesson_facts.h"
#include "synthesis/program_trace.h"
#include "timeline/timeline.h"
#include "training/pipeline_play.h"

namespace p2::inline lesson {

/// Solution of a PaintTask: the cells, which of them are right, and why. Cells are counted row by row.
struct PaintGrid {
  std::vector<std::string> rows;     ///< their labels
  std::vector<std::string> columns;  ///< theirs; a single empty one where a cell is a row
  std::vector<bool> right;           ///< [cell] whether it has to be marked
  std::vector<std::string> why;      ///< [cell] why it has to be, or must not
};

/// One of the answers to a ChoiceTask or a FindTask.
struct LessonCandidate {
  std::string title;
  bool right = false;
  std::string why;            ///< said when it is chosen
  Program program = {};       ///< that it stands for, if it stands for one
  std::size_t placement = 0;  ///< index in the page's exploration, where it stands for one
};

/// Items of an OrderTask.
struct OrderedItems {
  std::vector<std::string> items;  ///< in the order in which they are offered
  std::vector<std::size_t> right;  ///< a right order, as places in `items`
};

/// Memory, or time by cause, of the page's step and its variants: a column for each.
struct LessonTable {
  std::string title;                 ///< "Memory of a device"
  std::vector<std::string> columns;  ///< "tensor 2", choices in which they differ; the page's own step first
  std::vector<std::string> rows;
  std::vector<std::vector<double>> values;  ///< [row][column], bytes or seconds; the last row is the sum
  LessonFacts::Unit unit = LessonFacts::Unit::Bytes;
};

/// A page with all computed parts: values of placeholders, stage, right answers and their reasons. preparePage() makes
/// it from the lesson alone, so a lesson never contains results.
struct PreparedPage {
  LessonPage page;  ///< placeholders filled in
  LessonFacts facts;

  // For a page about a program.
  std::shared_ptr<const Exploration> exploration;  ///< null for literal pages
  std::size_t placement = 0;                       ///< index into exploration->placements
  Program program;
  std::optional<ProgramTrace> trace;

  // For a page about the literal algorithm.
  std::shared_ptr<const StrategyProblem> problem;
  std::shared_ptr<const LiteralSolution> solution;  ///< with a trace

  // For a page about a pipeline or a training step.
  std::shared_ptr<const Timeline> timeline;  ///< whole step; null on other pages
  std::vector<double> moments;               ///< seconds at which passes of a pipeline begin, and the end
  std::vector<LessonTable> tables;           ///< of training steps

  PaintGrid grid;                           ///< for a PaintTask
  OrderedItems order;                       ///< for an OrderTask
  std::vector<LessonCandidate> candidates;  ///< for a ChoiceTask or FindTask, in the offered order

  [[nodiscard]] const PlacementResult& result() const { return exploration->placements[placement]; }
  /// Whether timeline and tables may be seen before the task is solved.
  [[nodiscard]] bool isShownBefore() const;
  /// Steps of the program or of the literal run, or moments of the pipeline.
  [[nodiscard]] int steps() const;
  /// Steps that may be shown before the task is solved: those before the one that it asks about.
  [[nodiscard]] int stepsBeforeAnswer() const;
};

/// Runs and prices the subject of a page. Errors: cancelled; any error of the page, in one sentence whose place is a
/// JSON pointer within the page ("/program").
[[nodiscard]] Result<PreparedPage> preparePage(const LessonPage& page, std::stop_token stop = {});

/// A timeline as far as it has come: slices that begin before `time`, cut there.
[[nodiscard]] Timeline timelineUpTo(const Timeline& timeline, double time);

/// The program of a text: instructions, a name that the page gives to some, or best, flat or slowest. Errors: as
/// parseProgram().
[[nodiscard]] Result<Program> programOf(const PreparedPage& prepared, const std::string& text);

}  // namespace p2::inline lesson
