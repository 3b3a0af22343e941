// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <string>

#include "base/counted.h"
#include "base/lists.h"
#include "exporters/detail/formats.h"
#include "exporters/detail/page_files.h"
#include "exporters/detail/program_story.h"
#include "text/html.h"

namespace p2::inline exporters {
namespace {

/// Side of a bit on paper, in millimetres: large enough to be filled in by hand. Grids that would be wider than their
/// room get smaller bits.
constexpr double kBitMillimetres = 4;

/// Room for the grids of a row of a handout.
enum class Sheet {
  Whole,  ///< next to the rule: 150 mm, at most two lines of grids
  Half,   ///< a column for each of two programs: 120 mm, at most three lines of grids
};

constexpr double kHeader = 5;
constexpr double kGap = 5;
constexpr std::int64_t kMostColumns = 8;
constexpr double kMostHeight = 150;  // millimetres of a landscape page that a row of a handout takes

/// Millimetres of width for the grids of a row.
double widthOf(Sheet sheet) { return sheet == Sheet::Whole ? 150 : 120; }

/// Side of a bit of a grid of `members` rows.
double bitSide(int members, Sheet sheet) { return std::min(kBitMillimetres, (widthOf(sheet) - kGap) / members); }

std::int64_t gridColumns(int members, Sheet sheet) {
  const double grid = members * bitSide(members, sheet) + kGap;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(widthOf(sheet) / grid), 1, kMostColumns);
}

/// Lines of grids, as many as leave room for the rule on a landscape page.
std::int64_t mostLines(int members, Sheet sheet) {
  const double line = members * bitSide(members, sheet) + kHeader + kGap;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(kMostHeight / line), 1, sheet == Sheet::Whole ? 2 : 3);
}

/// Two decimals are finer than any printer of handouts.
std::string svgLength(double value) {
  const auto hundredths = std::llround(value * 100);
  const auto part = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) +
         (hundredths % 100 == 0 ? "" : "." + std::string(2 - part.size(), '0') + part);
}

std::string rectText(double x, double y, double width, double height, const std::string& more) {
  return "<rect x=\"" + svgLength(x) + "\" y=\"" + svgLength(y) + "\" width=\"" + svgLength(width) + "\" height=\"" +
         svgLength(height) + "\" " + more + "/>";
}

/// Hues where every contributor has its own; else one ink, and the place alone says whose part it is.
std::string inkOf(int column, int members) {
  const auto inks = contributorInks();
  return std::string(members <= int(inks.size()) ? inks[std::size_t(column)] : inks[0]);
}

std::string bitsText(const DeviceState& state, double x, double y, double bit) {
  const int members = state.size();
  std::string text;
  for (const int row : state.rows()) {
    text += rectText(x, y + row * bit, members * bit, bit, "fill=\"#e4e8ee\"");
    const std::vector<int> columns = state.columns(row);
    for (std::size_t i = 0; i < columns.size();) {
      std::size_t end = i + 1;
      const std::string ink = inkOf(columns[i], members);
      while (end < columns.size() && columns[end] == columns[end - 1] + 1 && inkOf(columns[end], members) == ink) ++end;
      text += rectText(x + columns[i] * bit, y + row * bit, double(end - i) * bit, bit, "fill=\"" + ink + "\"");
      i = end;
    }
  }
  return text;
}

std::string linesText(int members, double x, double y, double bit) {
  const double grid = members * bit;
  std::string text = rectText(x, y, grid, grid, "fill=\"none\" stroke=\"#515b68\" stroke-width=\"0.3\"");
  for (int i = 1; i < members; ++i) {
    text += "<path d=\"M" + svgLength(x) + " " + svgLength(y + i * bit) + "h" + svgLength(grid) + "M" +
            svgLength(x + i * bit) + " " + svgLength(y) + "v" + svgLength(grid) +
            "\" stroke=\"#8a94a1\" stroke-width=\"0.15\"/>";
  }
  return text;
}

/// The number of devices that a row of a handout has room for.
std::int64_t drawnDevices(const ProgramStory& story, Sheet sheet) {
  const int members = static_cast<int>(story.trace.chunks());
  return std::min(story.placement.deviceCount(), mostLines(members, sheet) * gridColumns(members, sheet));
}

/// The first drawnDevices() of a story after `steps` steps as an SVG drawing in millimetres: a grid each, a row per
/// chunk, a column per contributor. `blank` draws empty grids, to be filled in.
std::string statesSvg(const ProgramStory& story, int steps, bool blank, Sheet sheet) {
  const std::int64_t shown = drawnDevices(story, sheet);
  const int members = static_cast<int>(story.trace.chunks());
  const double bit = bitSide(members, sheet);
  const double grid = members * bit;
  const std::int64_t columns = std::min(shown, gridColumns(members, sheet));
  const std::int64_t lines = (shown + columns - 1) / columns;
  const std::string width = svgLength(static_cast<double>(columns) * (grid + kGap) + 1);
  const std::string height = svgLength(static_cast<double>(lines) * (grid + kHeader + kGap));
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height + "\" width=\"" +
                    width + "mm\" height=\"" + height + "mm\" role=\"img\" font-size=\"3.4\">";
  for (const Device device : IdRange<Device>(shown)) {
    const double x = static_cast<double>(device.value() % columns) * (grid + kGap) + 0.5;
    const double y = static_cast<double>(device.value() / columns) * (grid + kHeader + kGap) + kHeader;
    svg += "<text x=\"" + svgLength(x) + "\" y=\"" + svgLength(y - 1.2) + "\">device " +
           std::to_string(device.value()) + "</text>";
    const DeviceState& state = story.trace.matrixOf(device, steps);
    if (!blank) svg += bitsText(state, x, y, bit);
    svg += linesText(members, x, y, bit);
  }
  return svg + "</svg>";
}

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

std::string membersText(const DeviceGroup& group) { return joined(group, " ", &Device::value); }

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
  return answers ? story.title : story.notation + " on placement " + story.matrix;
}

std::string headOf(const Stories& stories, bool answers) {
  const ProgramStory& first = *stories.front();
  std::string title = answers ? "Answers for the teacher: " : "";
  title += stories.size() > 1 ? "two programs, A and B" : titleOf(first, answers);
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + htmlText(title) +
                     "</title><style>" + kStyle + "</style></head><body>\n<h1>" + htmlText(title) + "</h1>\n";
  if (!answers) html += "<p class=\"name\">Name <span>&nbsp;</span> Date <span>&nbsp;</span></p>\n";
  html +=
      "<p>" + htmlText(first.system) +
      ". Each device has a grid: a row for every chunk, a column for every device that contributes to it. A coloured "
      "cell is a contribution that the chunk contains; grey rows are held, white ones are not. At the end " +
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
