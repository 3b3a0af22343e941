// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

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
.half { width: 50%; }
.half p { margin: .1em 0; }
.half .blank { height: 1.4em; }
.half .short { width: 60%; }
.blank { border-bottom: 1px solid #1b2129; display: inline-block; width: 100%; height: 1.8em; }
.answer { color: #00639c; font-weight: bold; }
svg { display: block; }
.start svg { max-height: 86mm; }
@media print { body { margin: 0 .5mm 0 0; } @page { size: landscape; margin: 14mm; } })";

std::string groupsText(const StoryStep& step) {
  const std::size_t size = step.groups.empty() ? 0 : step.groups.front().size();
  return countedText(step.groups.size(), "group") + " of " + countedText(size, "device");
}

std::string membersText(const DeviceGroup& group) {
  std::string text;
  for (const Device device : group) text += (text.empty() ? "" : " ") + std::to_string(device.value());
  return text;
}

/// Rule of a step; with answers, its effect, bytes and time as well. The latter are given where the sheet cannot say
/// how to compute them.
std::string ruleHtml(const StoryStep& step, std::size_t number, bool answers, bool byHand) {
  std::string html = "<b>" + std::to_string(number) + ". " + htmlText(step.title) + "</b><p>" + groupsText(step);
  if (!step.groups.empty()) html += ", the first: " + membersText(step.groups.front());
  html += "</p><p>It runs only if</p><ul>";
  for (const std::string& premise : step.premises) html += "<li>" + htmlText(premise) + "</li>";
  html += "</ul><p>Effect:</p><p>";
  html += answers ? "<span class=\"answer\">" + htmlText(step.effect) + "</span>"
                  : "<span class=\"blank\"></span></p><p><span class=\"blank\"></span>";
  html += "</p><p>Bytes and time:</p><p>";
  if (answers) return html + "<span class=\"answer\">" + htmlText(step.facts) + "</span></p>";
  return html + (byHand ? "<span class=\"blank\"></span>" : htmlText(step.facts)) + "</p>";
}

/// The rule in few lines, so that a step of two programs fits on a page.
std::string shortRuleHtml(const StoryStep& step, std::size_t number, bool answers, bool byHand) {
  const auto fill = [answers](const std::string& answer) {
    return answers ? "<span class=\"answer\">" + htmlText(answer) + "</span>" : "<span class=\"blank short\"></span>";
  };
  std::string html = "<b>" + std::to_string(number) + ". " + htmlText(step.title) + "</b>, " + groupsText(step);
  if (!step.groups.empty()) html += ", the first: " + membersText(step.groups.front());
  for (std::size_t i = 0; i < step.premises.size(); ++i) {
    html += (i == 0 ? "<p>It runs only if " : "; ") + htmlText(step.premises[i]);
  }
  html += "</p><p>Effect: " + fill(step.effect);
  if (!answers) html += "<span class=\"blank\"></span>";
  return html + "</p><p>Bytes and time: " + (byHand || answers ? fill(step.facts) : htmlText(step.facts)) + "</p>";
}

using Stories = std::vector<const ProgramStory*>;

/// A title with a program's time would answer a blank.
std::string titleOf(const ProgramStory& story, bool answers) {
  return answers ? story.title : story.matrix + ", " + story.notation;
}

std::string headOf(const Stories& stories, bool answers) {
  const ProgramStory& first = *stories.front();
  std::string title = answers ? "Answers for the teacher: " : "";
  title += stories.size() > 1 ? "two programs, A and B" : titleOf(first, answers);
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + htmlText(title) +
                     "</title><style>" + kStyle + "</style></head><body>\n<h1>" + htmlText(title) + "</h1>\n";
  if (!answers) html += "<p class=\"name\">Name <span>&nbsp;</span> Date <span>&nbsp;</span></p>\n";
  html += "<p>" + htmlText(first.system) +
          ". Each device has a grid: a row for every chunk, a column for every device whose part the chunk contains. A "
          "grey row is held, a white one is not. At the end " +
          htmlText(first.goal) + ".</p>\n<div class=\"givens\">\n";
  std::vector<std::string> given;
  for (const ProgramStory* story : stories) {
    for (const std::string& each : story->givens) {
      if (std::find(given.begin(), given.end(), each) == given.end()) given.push_back(each);
    }
  }
  for (const std::string& each : given) html += "<p>" + htmlText(each) + "</p>\n";
  return html + "</div>\n";
}

std::string drawnText(const ProgramStory& story, Sheet sheet) {
  const std::int64_t drawn = drawnDevices(story, sheet);
  if (drawn == story.placement.deviceCount()) return {};
  if (drawn == 1) {
    return "<p>Only the first of " + countedText(story.placement.deviceCount(), "device") + " is drawn.</p>\n";
  }
  return "<p>The first " + std::to_string(drawn) + " of " + countedText(story.placement.deviceCount(), "device") +
         " are drawn.</p>\n";
}

std::string afterText(std::size_t done, bool answers) {
  return "<p>After step " + std::to_string(done) + (answers ? "" : ": mark the bits") + "</p>";
}

// Each state is printed once: as the state before the next step it would give the answer away.
std::string handoutOf(const ProgramStory& story, bool answers) {
  std::string html =
      headOf({&story}, answers) + drawnText(story, Sheet::Whole) + "<table><thead><tr><th>Step</th><th>" +
      (answers ? "Data of the devices" : "Fill in the data of the devices") +
      "</th></tr></thead>\n<tbody>\n<tr class=\"start\"><td class=\"rule\"><b>At the start</b></td><td>" +
      statesSvg(story, 0, false, Sheet::Whole) + "</td></tr>\n";
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    html += "<tr class=\"step\"><td class=\"rule\">" + ruleHtml(story.steps[i], i + 1, answers, story.byHand) +
            "</td><td>" + afterText(i + 1, answers) +
            statesSvg(story, static_cast<int>(i) + 1, !answers, Sheet::Whole) + "</td></tr>\n";
  }
  return html + "</tbody></table>\n</body></html>\n";
}

/// Rows are steps, columns the programs; the shorter program leaves its last rows empty.
std::string handoutOfBoth(const Stories& stories, bool answers) {
  std::string html = headOf(stories, answers) + drawnText(*stories.front(), Sheet::Half) + "<table><thead><tr>";
  std::size_t steps = 0;
  for (std::size_t i = 0; i < stories.size(); ++i) {
    html +=
        "<th>" + std::string(1, static_cast<char>('A' + i)) + ": " + htmlText(titleOf(*stories[i], answers)) + "</th>";
    steps = std::max(steps, stories[i]->steps.size());
  }
  html += "</tr></thead>\n<tbody>\n<tr class=\"start\">";
  for (const ProgramStory* story : stories) {
    html += "<td class=\"half\"><b>At the start</b>" + statesSvg(*story, 0, false, Sheet::Half) + "</td>";
  }
  for (std::size_t i = 0; i < steps; ++i) {
    html += "</tr>\n<tr class=\"step\">";
    for (const ProgramStory* story : stories) {
      html += "<td class=\"half\">";
      if (i < story->steps.size()) {
        html += shortRuleHtml(story->steps[i], i + 1, answers, story->byHand) +
                statesSvg(*story, static_cast<int>(i) + 1, !answers, Sheet::Half);
      }
      html += "</td>";
    }
  }
  return html + "</tr>\n</tbody></table>\n</body></html>\n";
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

Result<std::string> plansToHandout(const Plan& plan, const Plan& rival, bool answers) {
  P2_TRY_ASSIGN(const ProgramStory story, storyOf(plan));
  P2_TRY_ASSIGN(const ProgramStory other, storyOf(rival));
  return handoutOfBoth({&story, &other}, answers);
}

}  // namespace p2::inline exporters
