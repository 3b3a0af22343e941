// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lesson/lesson_page.h"

namespace p2::inline lesson {

/// An answer to a task: number of played steps, marked cells, chosen candidate, or written program.
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
using LessonAnswer = std::variant<WatchedSteps, PaintedCells, ChosenCandidate, ComposedProgram>;

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
  std::vector<Cell> wrong;            ///< of a grid: every cell that is not as it should be
  std::vector<Condition> conditions;  ///< conditions on a program
};

/// Whether an answer is right, and why. A pure function of the page and the answer; an answer of another kind than the
/// task is wrong. O(cells), or the time to run and price one program.
[[nodiscard]] LessonVerdict checkAnswer(const PreparedPage& prepared, const LessonAnswer& answer);

/// An answer that is right, if the page has one: of a search the first, of a composition its solution.
[[nodiscard]] std::optional<LessonAnswer> expectedAnswer(const PreparedPage& prepared);

/// "chunk 2" or "chunk 2, d5": name of a cell of a grid.
[[nodiscard]] std::string cellName(const PaintGrid& grid, std::size_t cell);

}  // namespace p2::inline lesson
