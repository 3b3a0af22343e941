// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lesson/lesson_page.h"

namespace p2::inline lesson {

/// An answer to a task: number of played steps, marked cells, chosen candidate, written program, typed number, or order
/// of items.
struct WatchedSteps {
  int steps = 0;
};
struct PaintedCells {
  std::vector<bool> cells;  ///< as many as PaintGrid::right
};
struct ChosenCandidate {
  std::size_t index = 0;  ///< into PreparedPage::candidates
};
struct ComposedProgram {
  std::string text;
};
struct TypedNumber {
  std::string text;  ///< "2.15 GB"
};
struct ArrangedItems {
  std::vector<std::size_t> order;  ///< places in OrderedItems::items, every one once
};
using LessonAnswer =
    std::variant<WatchedSteps, PaintedCells, ChosenCandidate, ComposedProgram, TypedNumber, ArrangedItems>;

/// Feedback for an answer.
struct LessonVerdict {
  struct Cell {
    std::size_t cell = 0;
    std::string why;
  };
  struct Condition {
    std::string text;  ///< "at most 3 steps"
    bool holds = false;
  };
  bool right = false;
  std::string sentence;               ///< why, ready to be shown
  std::vector<Cell> wrong;            ///< for a grid: every cell that is not as it should be
  std::vector<Condition> conditions;  ///< conditions on a program
};

/// Whether an answer is right, and why. A pure function of the page and the answer; an answer of another kind than the
/// task is wrong. O(cells), or the time to run and price one program.
[[nodiscard]] LessonVerdict checkAnswer(const PreparedPage& prepared, const LessonAnswer& answer);

/// An answer that is right, if the page has one: of a search the first, of a composition its solution.
[[nodiscard]] std::optional<LessonAnswer> expectedAnswer(const PreparedPage& prepared);

/// "1.5 GB": a typed number of the unit, as an example.
[[nodiscard]] std::string_view exampleOf(LessonFacts::Unit unit);

/// "chunk 2" or "chunk 2, d5": name of a cell of a grid.
[[nodiscard]] std::string cellName(const PaintGrid& grid, std::size_t cell);

}  // namespace p2::inline lesson
