// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/counted.h"
#include "exporters/detail/program_story.h"
#include "exporters/detail/state_svg.h"
#include "exporters/exporters.h"
#include "text/html.h"

namespace p2::inline exporters {
namespace {

constexpr const char* kStyle = R"(
body { font: 10pt/1.35 "DejaVu Sans", sans-serif; color: #1b2129; background: #fff; margin: 2em auto; max-width: 270mm; }
h1 { font-size: 15pt; margin: 0 0 .3em; } p { margin: .3em 0; }
table { border-collapse: collapse; width: 100%; }
.name span { display: inline-block; border-bottom: 1px solid #1b2129; min-width: 16em; margin-right: 2em; }
.givens { border: 1px solid #c3cad3; padding: .2em 1em; margin: .6em 0; }
th, td { border: 1px solid #c3cad3; padding: .6em; text-align: left; vertical-align: top; }
tr { page-break-inside: avoid; break-inside: avoid; }
ul { margin: .3em 0; padding-left: 1.2em; }
.rule { min-width: 75mm; }
.blank { border-bottom: 1px solid #1b2129; display: inline-block; width: 100%; height: 1.8em; }
.answer { color: #00639c; font-weight: bold; }
svg { display: block; }
@media print { body { margin: 0; } @page { size: landscape; margin: 14mm; } })";

std::string groupsText(const StoryStep& step) {
  const std::size_t size = step.groups.empty() ? 0 : step.groups.front().size();
  return countedText(step.groups.size(), "group") + " of " + countedText(size, "device");
}

std::string membersText(const DeviceGroup& group) {
  std::string text;
  for (const Device device : group) text += (text.empty() ? "" : " ") + std::to_string(device.value());
  return text;
}

std::string ruleCell(const StoryStep& step, std::size_t number, bool answers) {
  std::string html =
      "<td class=\"rule\"><b>" + std::to_string(number) + ". " + htmlText(step.title) + "</b><p>" + groupsText(step);
  if (!step.groups.empty()) html += ", the first: " + membersText(step.groups.front());
  html += "</p><p>It runs only if</p><ul>";
  for (const std::string& premise : step.premises) html += "<li>" + htmlText(premise) + "</li>";
  html += "</ul><p>Effect:</p><p>";
  html += answers ? "<span class=\"answer\">" + htmlText(step.effect) + "</span>"
                  : "<span class=\"blank\"></span></p><p><span class=\"blank\"></span>";
  html += "</p><p>Bytes and time:</p><p>";
  html += answers ? "<span class=\"answer\">" + htmlText(step.facts) + "</span>" : "<span class=\"blank\"></span>";
  return html + "</p></td>";
}

std::string headOf(const ProgramStory& story, bool answers) {
  const std::string kind = answers ? "Answers for the teacher: " : "";
  // A title with the program's time would answer a blank.
  const std::string title = kind + (answers ? story.title : story.matrix + ", " + story.notation);
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + htmlText(title) +
                     "</title><style>" + kStyle + "</style></head><body>\n<h1>" + htmlText(title) + "</h1>\n";
  if (!answers) html += "<p class=\"name\">Name <span>&nbsp;</span> Date <span>&nbsp;</span></p>\n";
  html += "<p>" + htmlText(story.system) +
          ". Each device has a grid: a row for every chunk, a column for every device whose part the chunk contains. A "
          "grey row is held, a white one is not. At the end " +
          htmlText(story.goal) + ".</p>\n<div class=\"givens\">\n";
  for (const std::string& given : story.givens) html += "<p>" + htmlText(given) + "</p>\n";
  html += "</div>\n";
  if (drawnDevices(story) < story.placement.deviceCount()) {
    html += "<p>Drawn are the first " + std::to_string(drawnDevices(story)) + " of " +
            countedText(story.placement.deviceCount(), "device") + ".</p>\n";
  }
  return html;
}

// The state after a step is printed once: as the state before the next one it would give the answer away.
std::string handoutOf(const ProgramStory& story, bool answers) {
  std::string html = headOf(story, answers) + "<table><thead><tr><th>Step</th><th>" +
                     (answers ? "Data of the devices" : "Fill in the data of the devices") +
                     "</th></tr></thead>\n<tbody>\n<tr><td class=\"rule\"><b>At the start</b></td><td>" +
                     statesSvg(story, 0, false) + "</td></tr>\n";
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    const int done = static_cast<int>(i) + 1;
    html += "<tr class=\"step\">" + ruleCell(story.steps[i], i + 1, answers) + "<td><p>After step " +
            std::to_string(done) + (answers ? "" : ": mark the bits") + "</p>" + statesSvg(story, done, !answers) +
            "</td></tr>\n";
  }
  return html + "</tbody></table>\n</body></html>\n";
}

}  // namespace

Result<std::string> planToHandout(const Plan& plan, const ExportOptions&) {
  P2_TRY_ASSIGN(const ProgramStory story, storyOf(plan));
  return handoutOf(story, false);
}

Result<std::string> planToAnswers(const Plan& plan, const ExportOptions&) {
  P2_TRY_ASSIGN(const ProgramStory story, storyOf(plan));
  return handoutOf(story, true);
}

}  // namespace p2::inline exporters
