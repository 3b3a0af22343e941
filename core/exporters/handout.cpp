// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/counted.h"
#include "exporters/exporters.h"
#include "exporters/program_story.h"
#include "exporters/state_svg.h"

namespace p2 {
namespace {

constexpr const char* kStyle = R"(
body { font: 11pt/1.4 "DejaVu Sans", sans-serif; color: #1b2129; background: #fff; margin: 2em auto; max-width: 62em; }
h1 { font-size: 15pt; margin: 0 0 .3em; } p { margin: .3em 0; }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid #c3cad3; padding: .6em; text-align: left; vertical-align: top; }
tr { page-break-inside: avoid; break-inside: avoid; }
ul { margin: .3em 0; padding-left: 1.2em; }
.blank { border-bottom: 1px solid #1b2129; display: inline-block; min-width: 16em; height: 1.4em; }
.answer { color: #00639c; font-weight: bold; }
svg { max-width: 100%; height: auto; }
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
  html += "</p><ul>";
  for (const std::string& premise : step.premises) html += "<li>" + htmlText(premise) + "</li>";
  html += "</ul><p>What follows:</p><p>";
  html += answers ? "<span class=\"answer\">" + htmlText(step.effect) + "</span>"
                  : "<span class=\"blank\"></span></p><p><span class=\"blank\"></span>";
  html += "</p><p>Bytes and time:</p><p>";
  html += answers ? "<span class=\"answer\">" + htmlText(step.facts) + "</span>" : "<span class=\"blank\"></span>";
  return html + "</p></td>";
}

std::string handoutOf(const ProgramStory& story, bool answers) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + htmlText(story.title) +
      "</title><style>" + kStyle + "</style></head><body>\n<h1>" + htmlText(story.title) + "</h1>\n<p>" +
      htmlText(story.system) +
      ". A grid per device: a row is a chunk, a column whose part it contains; grey rows are held, white "
      "ones are not. In the end " +
      htmlText(story.goal) + ".</p>\n";
  if (story.placement.deviceCount() > kMostDrawnDevices) {
    html += "<p>Drawn are the first " + std::to_string(kMostDrawnDevices) + " of " +
            countedText(story.placement.deviceCount(), "device") + ".</p>\n";
  }
  html += "<table><thead><tr><th>Step</th><th>Before</th><th>After";
  html += answers ? "" : ": fill in";
  html += "</th></tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    html += "<tr class=\"step\">" + ruleCell(story.steps[i], i + 1, answers) + "<td>" +
            statesSvg(story, int(i), false) + "</td><td>" + statesSvg(story, int(i) + 1, !answers) + "</td></tr>\n";
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

}  // namespace p2
