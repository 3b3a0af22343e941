// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/counted.h"
#include "base/sentence.h"
#include "lesson/detail/web_parts.h"
#include "lesson/lesson_check.h"
#include "lesson/lesson_web.h"
#include "synthesis/step_words.h"
#include "text/html.h"

namespace p2::inline lesson {
namespace {

constexpr const char* kHandoutStyle = R"(
body { font: 10.5pt/1.4 "DejaVu Sans", sans-serif; color: #1b2129; background: #fff; margin: 2em auto; max-width: 180mm; }
h1 { font-size: 15pt; margin: 0 0 .3em; } section { break-inside: avoid; margin: 1.2em 0; } p { margin: .3em 0; }
.name span { display: inline-block; border-bottom: 1px solid #1b2129; min-width: 14em; margin-right: 2em; }
.line { border-bottom: 1px solid #1b2129; height: 1.8em; } .answer { color: #00639c; } .question { font-weight: bold; }
table { border-collapse: collapse; margin: .4em 0; } td, th { border: 1px solid #8a94a1; padding: 0; font-weight: normal; font-size: 8pt; }
td { width: 4mm; min-width: 4mm; height: 4mm; text-align: center; } th { border: 0; padding: 0 .4em; text-align: right; }
ol.boxes { list-style: none; padding: 0; } ol.boxes li::before { content: "☐ "; } ol.boxes li.right::before { content: "☒ "; }
@media print { body { margin: 0 .5mm 0 0; } @page { margin: 15mm; } })";

/// Cells to be marked, 4 mm wide; marked in the key.
std::string gridHtml(const PaintGrid& grid, bool key) {
  std::string html = "<table><tr><th></th>";
  for (const std::string& column : grid.columns) html += "<th>" + htmlText(column) + "</th>";
  html += "</tr>";
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    html += "<tr><th>" + htmlText(grid.rows[row]) + "</th>";
    for (std::size_t column = 0; column < grid.columns.size(); ++column) {
      html += std::string("<td>") + (key && grid.right[row * grid.columns.size() + column] ? "×" : "") + "</td>";
    }
    html += "</tr>";
  }
  return html + "</table>";
}

std::string choicesHtml(const PreparedPage& prepared, bool key) {
  std::string html = "<ol class=\"boxes\">";
  for (const LessonCandidate& each : prepared.candidates) {
    html += std::string("<li") + (key && each.right ? " class=\"right\"" : "") + ">" +
            htmlText(titleOfCandidate(prepared, each)) + "</li>";
  }
  return html + "</ol>";
}

std::string itemsHtml(const PreparedPage& prepared, bool key) {
  std::string html = "<p>To be put in order: ";
  for (std::size_t i = 0; i < prepared.order.items.size(); ++i)
    html += (i == 0 ? "" : "; ") + htmlText(prepared.order.items[i]);
  html += ".</p><ol>";
  for (const std::size_t place : prepared.order.right) {
    html += key ? "<li class=\"answer\">" + htmlText(prepared.order.items[place]) + "</li>"
                : std::string("<li><div class=\"line\"></div></li>");
  }
  return html + "</ol>";
}

/// Where the answer goes, or the answer.
std::string answerHtml(const PreparedPage& prepared, bool key) {
  const auto& kind = prepared.page.task.kind;
  if (std::holds_alternative<PaintTask>(kind)) return gridHtml(prepared.grid, key);
  if (std::holds_alternative<OrderTask>(kind)) return itemsHtml(prepared, key);
  if (!prepared.candidates.empty()) return choicesHtml(prepared, key);
  if (std::holds_alternative<WatchTask>(kind)) return {};
  if (!key) return "<div class=\"line\"></div>";
  const auto expected = expectedAnswer(prepared);
  if (!expected) return {};
  if (const auto* typed = std::get_if<TypedNumber>(&*expected))
    return "<p class=\"answer\">" + htmlText(typed->text) + "</p>";
  if (const auto* composed = std::get_if<ComposedProgram>(&*expected)) {
    const auto program = programOf(prepared, composed->text);
    const std::string words = program.ok() ? programWords(*prepared.result().hierarchy, *program) : std::string();
    return "<p class=\"answer\">" + htmlText(words) + "</p>";
  }
  return {};
}

std::string keyHtml(const PreparedPage& prepared) {
  const LessonTask& task = prepared.page.task;
  std::string html;
  if (const auto expected = expectedAnswer(prepared); expected && !std::holds_alternative<WatchTask>(task.kind)) {
    html += "<p class=\"answer\">" + htmlText(sentenceOf(checkAnswer(prepared, *expected).sentence)) + "</p>";
  }
  if (!task.done.empty()) html += "<p class=\"answer\">" + htmlText(task.done) + "</p>";
  for (const std::string& hint : task.hints) html += "<p>Hint: " + htmlText(hint) + "</p>";
  return html;
}

/// The program's steps, as far as they give nothing away.
std::string programHtml(const PreparedPage& prepared) {
  if (prepared.program.empty() || std::holds_alternative<OrderTask>(prepared.page.task.kind)) return {};
  return "<p>Steps: " + htmlText(programWords(*prepared.result().hierarchy, prepared.program)) + "</p>";
}

}  // namespace

Result<std::string> lessonToHandout(const Lesson& lesson, bool key, std::stop_token stop) {
  const std::string title = (key ? "Key for the teacher: " : "") + lesson.title;
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + htmlText(title) +
                     "</title><style>" + kHandoutStyle + "</style></head><body>\n<h1>" + htmlText(title) + "</h1>\n";
  if (!key) html += "<p class=\"name\">Name <span>&nbsp;</span> Date <span>&nbsp;</span></p>\n";
  for (std::size_t i = 0; i < lesson.pages.size(); ++i) {
    const auto prepared = preparePage(lesson.pages[i], stop);
    if (!prepared.ok()) {
      const Error& error = prepared.error();
      return error.kind == ErrorKind::Cancelled ? error
                                                : error.at("/pages/" + std::to_string(i) + error.where.position);
    }
    html += "<section><p>" + std::to_string(i + 1) + ". " + htmlText(prepared->page.text) + "</p>" +
            programHtml(*prepared) + "<p class=\"question\">" + htmlText(prepared->page.task.question) + "</p>" +
            answerHtml(*prepared, key) + (key ? keyHtml(*prepared) : std::string()) + "</section>\n";
  }
  return html + "</body></html>\n";
}

}  // namespace p2::inline lesson
