// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/device.h"
#include "strategy/literal/literal_solver.h"
#include "training/pipeline_play.h"
#include "workspace/workspace.h"

namespace p2::inline lesson {

/// Play the page's program, or the page's run of the literal algorithm, to its end.
struct WatchTask {
  friend bool operator==(const WatchTask&, const WatchTask&) = default;
};

/// Mark cells of a grid before the step that decides them is shown.
struct PaintTask {
  enum class What {
    Chunks,    ///< the chunks that a device holds after a step
    Parts,     ///< the whole bit matrix of a device after a step: chunk by contributor
    Group,     ///< the devices that work together with a device in a step
    Partners,  ///< the devices of a device's reduction group
    Rows,      ///< literal algorithm: the rows that a vertex's table loses in a step
  };
  What what = What::Chunks;
  Device device{0};
  int step = 1;        ///< counted from 1; for Chunks and Parts 0 asks for the beginning; unused by Partners
  std::string vertex;  ///< Rows: whose table
  friend bool operator==(const PaintTask&, const PaintTask&) = default;
};

/// The tables of a training page.
enum class PartTable {
  Memory,  ///< memory of a device: parameters, gradients, optimizer, activations, buffers
  Time,    ///< where the seconds of a step go
};

/// Choose one of a few answers.
struct ChoiceTask {
  enum class About {
    Outcome,   ///< result of a step: it runs, or one of its premises fails
    Fastest,   ///< which of the named programs takes least time
    Returned,  ///< result of the literal algorithm
    Given,     ///< answers that the lesson writes down
    Variant,   ///< which of the page's variants has most or least of something
    Part,      ///< which row of the page's table is the largest
  };
  enum class Extreme { Fastest, Slowest, Smallest, Largest };  ///< by time, or by memory
  struct Answer {
    std::string text;
    bool right = false;
    std::string why;  ///< said when it is chosen
    friend bool operator==(const Answer&, const Answer&) = default;
  };
  About about = About::Given;
  int step = 1;                         ///< Outcome, counted from 1
  std::vector<std::string> programs;    ///< Fastest: texts or names of programs; Variant: names of variants
  std::vector<Answer> answers;          ///< Given
  Extreme extreme = Extreme::Fastest;   ///< Variant
  PartTable table = PartTable::Memory;  ///< Part
  friend bool operator==(const ChoiceTask&, const ChoiceTask&) = default;
};

/// Write a program that reaches the goal, or that fails as asked, under conditions.
struct ComposeTask {
  std::optional<int> atMost;     ///< steps
  std::vector<Collective> only;  ///< any if empty
  std::vector<Collective> without;
  std::optional<double> fasterThan;  ///< seconds
  std::optional<Premise> fails;      ///< the premise at which it has to fail instead of reaching the goal
  std::string solution;              ///< a program that will do
  friend bool operator==(const ComposeTask&, const ComposeTask&) = default;
};

/// Choose a candidate that satisfies the condition.
struct FindTask {
  enum class Among {
    Programs,    ///< programs of the page's placement
    Placements,  ///< each with its best program
    Steps,       ///< steps of the page's run of the literal algorithm
  };
  enum class Condition {
    Best,
    Slowest,
    SlowerThan,  ///< `seconds`
    FasterThan,  ///< `seconds`
    Loses,       ///< the first step after which no optimum is left among the valid strategies
  };
  Among among = Among::Programs;
  Condition condition = Condition::Best;
  double seconds = 0;
  friend bool operator==(const FindTask&, const FindTask&) = default;
};

/// Compute a number: one of the page's placeholders that has a value and a unit.
struct ComputeTask {
  /// A wrong way that students take, with feedback.
  struct Mistake {
    std::string fact;  ///< the placeholder whose value comes out
    std::string why;
    friend bool operator==(const Mistake&, const Mistake&) = default;
  };
  std::string fact;         ///< name of the placeholder, without braces
  double tolerance = 0.03;  ///< share of the value by which an answer may differ
  std::vector<Mistake> mistakes;
  friend bool operator==(const ComputeTask&, const ComputeTask&) = default;
};

/// Put steps into their order: the page's program, or the first passes of a stage in the page's schedule.
struct OrderTask {
  enum class What {
    Program,  ///< right is every order in which the program reaches its goal
    Passes,   ///< right is the order in which the schedule plays them
  };
  What what = What::Program;
  int stage = 0;  ///< Passes: counted from 0
  int count = 6;  ///< Passes: number, from the first on
  friend bool operator==(const OrderTask&, const OrderTask&) = default;
};

/// Task of a page. Its texts may hold placeholders, see LessonFacts.
struct LessonTask {
  std::string question;
  std::variant<WatchTask, PaintTask, ChoiceTask, ComposeTask, FindTask, ComputeTask, OrderTask> kind;
  std::vector<std::string> hints;  ///< one after another
  std::string done;                ///< text when it is solved, in addition to the computed one; may be empty
  friend bool operator==(const LessonTask&, const LessonTask&) = default;
};

/// That a program stops before a step, and at which premise.
struct ExpectedFailure {
  int step = 1;  ///< counted from 1
  Premise premise{};
  friend bool operator==(const ExpectedFailure&, const ExpectedFailure&) = default;
};

/// A run of the literal algorithm on cost tables that come with the program.
struct LiteralScene {
  std::string tables;  ///< "chain": a file of resources/lessons/literal
  LiteralOptions::Ties ties = LiteralOptions::Ties::Arbitrary;
  std::uint64_t seed = 0;
  friend bool operator==(const LiteralScene&, const LiteralScene&) = default;
};

/// A pipeline of equal stages, played.
struct PipelineScene {
  ScheduleKind schedule = ScheduleKind::OneF1B;
  int stages = 4;
  int microbatches = 8;
  int chunks = 1;          ///< virtual stages of a device; ZB-V has 2
  double forward = 1e-3;   ///< seconds of a forward pass of a microbatch through a stage
  double backward = 1e-3;  ///< for the gradient of its input
  double weights = 1e-3;   ///< for the gradient of its weights
  double send = 0;         ///< seconds of a message between neighbours
  bool shown = false;      ///< the timeline may be seen before the task is solved
  friend bool operator==(const PipelineScene&, const PipelineScene&) = default;
};

/// Training steps of one model on one machine, priced and played.
struct TrainingScene {
  std::string model;   ///< a bundled model
  std::string system;  ///< a preset, as in "dgx-h100:2"
  std::int64_t batch = 0;
  std::int64_t sequence = 0;  ///< 0 for the default
  std::string framework = "megatron";
  std::string fixed;                            ///< the choices of the page's step, as in "tp=2,pp=2"
  std::map<std::string, std::string> variants;  ///< more choices, by name, to be compared and quoted
  bool shown = false;                           ///< timeline and tables may be seen before the task is solved
  friend bool operator==(const TrainingScene&, const TrainingScene&) = default;
};

/// One idea: a text, a stage and a task.
struct LessonPage {
  std::string text;
  Workspace setting;    ///< the lesson's setting with the page's overrides; none for literal pages
  std::string program;  ///< a text, or the name of one of `programs`; empty for the beginning alone
  std::map<std::string, std::string> programs;  ///< named texts, to be compared and quoted
  bool partial = false;                         ///< the program runs but need not reach the goal
  std::optional<ExpectedFailure> fails;         ///< it is to fail there
  std::optional<LiteralScene> literal;          ///< in place of setting and program
  std::optional<PipelineScene> pipeline;        ///< in place of setting and program
  std::optional<TrainingScene> training;        ///< in place of setting and program
  LessonTask task;
  /// Whether the page is about a program on the lesson's system, and needs that setting.
  [[nodiscard]] bool isProgram() const { return !literal && !pipeline && !training; }
  friend bool operator==(const LessonPage&, const LessonPage&) = default;
};

/// A few minutes on one subject, as read from a file: a plain value.
struct Lesson {
  std::string title;
  int minutes = 4;
  std::vector<LessonPage> pages;
  std::string course = {};  ///< that it belongs to, as in "Collectives"; empty for none
  friend bool operator==(const Lesson&, const Lesson&) = default;
};

inline constexpr std::string_view kLessonFormat = "p2-lesson";

/// The lesson file: {"format": "p2-lesson", "version": 1, …}; schema in resources/schemas. Static checks only: types,
/// words, steps from 1 on. Errors name the JSON pointer.
[[nodiscard]] Result<Lesson> lessonFromJson(std::string_view text, std::stop_token stop = {});

/// Something that keeps a lesson from being taken.
struct LessonProblem {
  std::string where;    ///< a JSON pointer: "/pages/2/task/hints"
  std::string problem;  ///< one sentence: the error and the remedy
  friend bool operator==(const LessonProblem&, const LessonProblem&) = default;
};

/// A lesson as far as it can be read, and all static errors in it.
struct LessonReading {
  Lesson lesson;
  std::vector<LessonProblem> problems;
  std::vector<bool> readable;  ///< by page, whether it has none of them
};
/// As lessonFromJson(), with every error. Errors: no JSON, another format, cancelled.
[[nodiscard]] Result<LessonReading> readLesson(std::string_view text, std::stop_token stop = {});

/// The premise of that name (nameOf()); the error lists all.
[[nodiscard]] Result<Premise> premiseFrom(std::string_view name);

}  // namespace p2::inline lesson
