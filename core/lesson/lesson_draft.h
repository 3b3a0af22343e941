// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "workspace/workspace.h"

namespace p2::inline lesson {

/// A page as a teacher fills it in.
struct DraftPage {
  enum class Task {
    Watch,    ///< play the program
    Mark,     ///< mark what `device` holds after `step`
    Outcome,  ///< choose the result of `step`
    Order,    ///< put the steps in order
    Compute,  ///< compute the placeholder `fact`
    Compose,  ///< write a program; the page's program is the solution and is not shown
  };
  std::string text;
  std::string program;  ///< instructions
  Task task = Task::Watch;
  int device = 0;
  int step = 1;      ///< counted from 1
  std::string fact;  ///< as in "seconds"
  std::string question;
  std::vector<std::string> hints;
  std::string done;
  friend bool operator==(const DraftPage&, const DraftPage&) = default;
};

/// A lesson that is being made. A plain value.
struct LessonDraft {
  std::string title;
  int minutes = 4;
  Workspace setting;  ///< system, axes, options and placement of every page
  std::vector<DraftPage> pages;
  friend bool operator==(const LessonDraft&, const LessonDraft&) = default;
};

/// The question of a page's task until the teacher words it: "Mark what device 0 holds after step 1."
[[nodiscard]] std::string defaultQuestion(const DraftPage& page);

/// A first version from a document with its chosen placement: watch the program, mark a step, put it together, one page
/// each, with texts to be written over. Errors: a document without a program.
[[nodiscard]] Result<LessonDraft> draftFrom(const Workspace& workspace);

/// The lesson file. Marks programs that fail or end early as such. Errors: cancelled.
[[nodiscard]] Result<std::string> draftToJson(const LessonDraft& draft, std::stop_token stop = {});

}  // namespace p2::inline lesson
