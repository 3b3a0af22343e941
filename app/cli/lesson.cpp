// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/answer_keys.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "base/counted.h"
#include "base/lists.h"
#include "lesson/answer_code.h"
#include "lesson/bundled_lessons.h"
#include "lesson/lesson_check.h"
#include "lesson/lesson_validator.h"
#include "lesson/lesson_web.h"
#include "text/argument.h"
#include "text/text_file.h"
#include "text/text_table.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

struct LessonRequest {
  std::string source;
  AnswerForm form = AnswerForm::AsText;
  bool answers = false;
  bool placeholders = false;
  std::optional<std::string> format;  ///< html, handout or key
  std::optional<std::string> output;
  std::optional<std::string> codes;  ///< a file of names and codes
  std::vector<std::string> lessons;  ///< files of lessons that the codes may be of
};

/// A bundled lesson by its name, or a file.
Result<std::string> textOf(const std::string& source) {
  const auto bundled = bundledLesson(source);
  if (bundled.ok()) return std::string(*bundled);
  auto text = readTextFile(source);
  if (text.ok() || ArgumentText(source).isPath()) return text;
  return bundled.error();
}

constexpr AnswerKey kValid{"valid", "Whether a lesson can be completed"};
constexpr AnswerKey kProblems{"problems", "Why it cannot: where (the place in the file) and problem"};

constexpr Column<LessonProblem> kProblemColumns[] = {
    {"where", "", [](const LessonProblem& each) { return Value::text(each.where); }},
    {"problem", "", [](const LessonProblem& each) { return Value::text(each.problem); }},
};

Result<int> check(const LessonRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(const auto text, textOf(request.source));
  P2_TRY_ASSIGN(const auto problems, lessonProblems(text));
  Document answer;
  answer.field(kValid, Value::flag(problems.empty()));
  for (const LessonProblem& each : problems) {
    answer.line((each.where.empty() ? std::string() : each.where + ": ") + each.problem);
  }
  if (problems.empty()) answer.line("valid");
  Table table = tableOver<LessonProblem>(kProblemColumns, problems);
  table.layout = Value::Layout::Lines;
  answer.table(kProblems, std::move(table));
  writeAnswer(out, answer, request.form);
  return problems.empty() ? kDone : kNo;
}

struct LessonRow {
  std::string_view name;
  Lesson lesson;
};

constexpr Column<LessonRow> kLessonColumns[] = {
    {"name", "name", [](const LessonRow& row) { return Value::text(row.name); }, Align::Left},
    {"minutes", "minutes", [](const LessonRow& row) { return Value::whole(row.lesson.minutes); }, Align::Left,
     "Minutes that a lesson takes"},
    {"pages", "pages", [](const LessonRow& row) { return Value::whole(std::int64_t(row.lesson.pages.size())); },
     Align::Left},
    {"title", "title", [](const LessonRow& row) { return Value::text(row.lesson.title); }, Align::Left},
};

Result<int> list(std::ostream& out, AnswerForm form) {
  std::vector<LessonRow> rows;
  for (const BundledFile& file : bundledLessons()) {
    P2_TRY_ASSIGN(auto lesson, lessonFromJson(file.json).within(std::string(file.name)));
    rows.push_back({file.name, std::move(lesson)});
  }
  Table table = tableOver<LessonRow>(kLessonColumns, rows);
  table.layout = Value::Layout::Lines;
  Document answer;
  answer.table("lessons", std::move(table));
  writeAnswer(out, answer, form);
  return kDone;
}

std::string answerText(const PreparedPage& page, const LessonAnswer& answer) {
  if (const auto* chosen = std::get_if<ChosenCandidate>(&answer)) return page.candidates[chosen->index].title;
  if (const auto* composed = std::get_if<ComposedProgram>(&answer)) return composed->text;
  if (const auto* typed = std::get_if<TypedNumber>(&answer)) return typed->text;
  if (const auto* arranged = std::get_if<ArrangedItems>(&answer)) {
    return joined(arranged->order, ", ", [&](const std::size_t place) { return page.order.items[place]; });
  }
  const auto* painted = std::get_if<PaintedCells>(&answer);
  if (painted == nullptr) return page.moments.empty() && page.timeline ? "look at the timeline" : "play to the end";
  std::string text;
  for (std::size_t cell = 0; cell < painted->cells.size(); ++cell) {
    if (painted->cells[cell]) text += (text.empty() ? "" : "; ") + cellName(page.grid, cell);
  }
  return text;
}

void addAnswer(Document& document, const PreparedPage& page) {
  const LessonTask& task = page.page.task;
  for (const std::string& hint : task.hints) document.line("hint: " + hint);
  const auto expected = expectedAnswer(page);
  if (!expected) return;
  document.line("answer: " + answerText(page, *expected) + " — " + checkAnswer(page, *expected).sentence);
  if (!task.done.empty()) document.line(task.done);
}

void addPage(Document& document, std::size_t number, std::size_t of, const PreparedPage& page,
             const LessonRequest& request) {
  const LessonTask& task = page.page.task;
  document.line("").line("-- " + std::to_string(number) + " of " + std::to_string(of) + " --").line(page.page.text);
  if (const auto& pipeline = page.page.pipeline) {
    document.line("pipeline: " + page.facts.values().at("schedule") + ", " + countedText(pipeline->stages, "stage") +
                  ", " + countedText(pipeline->microbatches, "microbatch"));
  }
  if (const auto& training = page.page.training) {
    document.line("training: " + training->model + " on " + training->system + ", " + training->fixed);
  }
  if (!page.program.empty()) document.line("program: " + programText(*page.result().hierarchy, page.program));
  document.line("task: " + task.question);
  if (std::holds_alternative<ChoiceTask>(task.kind)) {
    for (const LessonCandidate& each : page.candidates) document.line("  ( ) " + each.title);
  }
  for (const std::string& item : page.order.items) document.line("  [ ] " + item);
  if (request.placeholders) {
    for (const auto& [name, value] : page.facts.values()) document.line("  {" + name + "} = " + value);
  }
  if (request.answers) addAnswer(document, page);
}

Result<std::string> exported(const Lesson& lesson, const std::string& format) {
  if (format == "html") return lessonToPage(lesson);
  if (format == "handout" || format == "key") return lessonToHandout(lesson, format == "key");
  return Error{"\"" + format + "\" is not a format of lessons; use html, handout or key", "--to"};
}

Result<int> show(const LessonRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(const auto text, textOf(request.source));
  P2_TRY_ASSIGN(const auto lesson, lessonFromJson(text).within(request.source));
  if (request.output && !request.format) return Error{"a format is needed: html, handout or key", "--to"};
  if (request.format) {
    auto written = exported(lesson, *request.format);
    if (!written.ok())
      return written.error().where.position == "--to" ? written.error() : written.error().within(request.source);
    if (!request.output) {
      out << *written;
      return kDone;
    }
    P2_TRY(writeTextFile(*request.output, *written));
    return kDone;
  }
  std::vector<PreparedPage> pages;
  for (std::size_t i = 0; i < lesson.pages.size(); ++i) {
    auto page = preparePage(lesson.pages[i]);
    if (!page.ok()) {
      const Error& error = page.error();
      return error.at("/pages/" + std::to_string(i) + error.where.position).within(request.source);
    }
    pages.push_back(std::move(page).value());
  }
  Document answer;
  answer.line(lesson.title + " (" + countedText(lesson.minutes, "minute") + ")");
  for (std::size_t i = 0; i < pages.size(); ++i) addPage(answer, i + 1, pages.size(), pages[i], request);
  answer.writeText(out);
  return kDone;
}

constexpr Column<CodeLine> kCodeColumns[] = {
    {"line", "", [](const CodeLine& line) { return Value::whole(line.line); }, Align::Left},
    {"name", "name", [](const CodeLine& line) { return Value::text(line.name); }, Align::Left},
    {"lesson", "lesson", [](const CodeLine& line) { return Value::text(line.lesson); }, Align::Left},
    {"solved", "solved", [](const CodeLine& line) { return Value::whole(line.solved()); }, Align::Left,
     "Pages that a student has solved"},
    {"pages", "pages", [](const CodeLine& line) { return Value::whole(std::int64_t(line.pages.size())); }, Align::Left},
    {"tries", "tries", [](const CodeLine& line) { return Value::text(line.triesText()); }, Align::Left,
     "Checks that each page took, a dash where it is not solved, a plus sign where a hint was shown"},
    {"problem", "problem", [](const CodeLine& line) { return Value::text(line.problem); }, Align::Left,
     "Why a code does not count; empty if it does"},
};

Result<int> codes(const LessonRequest& request, std::ostream& out) {
  std::vector<Lesson> lessons;
  for (const BundledFile& file : bundledLessons()) {
    P2_TRY_ASSIGN(auto lesson, lessonFromJson(file.json).within(std::string(file.name)));
    lessons.push_back(std::move(lesson));
  }
  for (const std::string& source : request.lessons) {
    P2_TRY_ASSIGN(const auto text, textOf(source));
    P2_TRY_ASSIGN(auto lesson, lessonFromJson(text).within(source));
    lessons.push_back(std::move(lesson));
  }
  P2_TRY_ASSIGN(const auto text, readTextFile(*request.codes));
  P2_TRY_ASSIGN(const auto lines, readCodes(text, lessons).within(*request.codes));
  Table table = tableOver<CodeLine>(kCodeColumns, lines);
  table.layout = Value::Layout::Lines;
  Document answer;
  answer.table("codes", std::move(table));
  writeAnswer(out, answer, request.form);
  const bool all = std::all_of(lines.begin(), lines.end(), [](const CodeLine& line) { return line.problem.empty(); });
  return all ? kDone : kNo;
}

}  // namespace

std::vector<AnswerKey> lessonKeys() {
  return together({{kValid, kProblems}, keysOf(kLessonColumns), keysOf(kCodeColumns)});
}

void addLesson(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("lesson", "List, print and check lessons");
  command->require_subcommand(0, 1);
  const auto request = std::make_shared<LessonRequest>();
  addValue(*command, "--read-codes FILE", request->codes,
           "A file with a name and the code of an exported page on every line");
  addValue(*command, "--lesson FILE", request->lessons,
           "With --read-codes: a lesson of your own whose codes may be in the file; may be repeated");
  addJson(*command, request->form);
  command->callback([request, command, &chosen] {
    if (!command->get_subcommands().empty()) return;
    chosen = [request](std::ostream& out) -> Result<int> {
      if (request->codes) return codes(*request, out);
      return Error{"a command is needed: list, show, check, or --read-codes FILE; see p2 lesson --help"};
    };
  });
  const auto add = [&](const char* name, const char* help) {
    CLI::App* sub = command->add_subcommand(name, help);
    if (std::string_view(name) != "list") {
      addValue(*sub, "FILE", request->source, "A lesson file, or the name of a bundled lesson")->required();
    }
    if (std::string_view(name) != "show") addJson(*sub, request->form);
    return sub;
  };
  add("check", "Check that a lesson can be completed, and if not, say why")->callback([request, &chosen] {
    chosen = [request](std::ostream& out) { return check(*request, out); };
  });
  add("list", "List the bundled lessons")->callback([request, &chosen] {
    chosen = [request](std::ostream& out) { return list(out, request->form); };
  });
  CLI::App* shown = add("show", "Print a lesson's pages with the numbers filled in");
  shown->add_flag("--answers", request->answers, "Also hints and answers");
  shown->add_flag("--placeholders", request->placeholders, "Also the values of the placeholders of each page");
  addValue(*shown, "--to FORMAT", request->format,
           "Write html (a web page for students), handout, or key (for the teacher)");
  addValue(*shown, "-o,--output FILE", request->output, "The file to write (standard output)");
  shown->callback([request, &chosen] { chosen = [request](std::ostream& out) { return show(*request, out); }; });
}

}  // namespace p2::cli
