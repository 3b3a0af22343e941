// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "base/near.h"
#include "lesson/detail/page_parts.h"

namespace p2::inline lesson {
namespace {

bool isByTime(ChoiceTask::Extreme extreme) {
  return extreme == ChoiceTask::Extreme::Fastest || extreme == ChoiceTask::Extreme::Slowest;
}
bool isLeast(ChoiceTask::Extreme extreme) {
  return extreme == ChoiceTask::Extreme::Fastest || extreme == ChoiceTask::Extreme::Smallest;
}

/// The placeholder that decides, of a page's own step (the empty name) or of a variant.
std::string decidingFact(const PreparedPage& prepared, const ChoiceTask& task, const std::string& name) {
  const std::string prefix = name == "own" ? std::string() : name + ".";
  if (isByTime(task.extreme)) return prefix + "seconds";
  return prefix + (prepared.page.pipeline ? "in_flight" : "memory");
}

/// The choices of a text as "zero=1,tp=2" has them.
std::vector<std::string> choicesOf(const std::string& text) {
  std::vector<std::string> choices;
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    if (to > from) choices.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return choices;
}

/// "tensor 4" of "tp=4".
std::string choiceWords(const std::string& choice) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kWords{{{"tp", "tensor"},
                                                                                 {"pp", "pipeline"},
                                                                                 {"cp", "context"},
                                                                                 {"ep", "expert"},
                                                                                 {"dp", "data"},
                                                                                 {"zero", "ZeRO"},
                                                                                 {"microbatch", "microbatch"},
                                                                                 {"replicas", "replicas"}}};
  const std::size_t equals = choice.find('=');
  if (equals == std::string::npos) return choice;
  const std::string key = choice.substr(0, equals);
  const std::string value = choice.substr(equals + 1);
  if (key == "sp") return std::string(value == "no" ? "without" : "with") + " sequence parallelism";
  if (key == "recompute") return (value == "none" ? "no" : value) + " recomputation";
  if (key == "vpp") return value == "1" ? "not interleaved" : "interleaved " + value + "×";
  for (const auto& [word, title] : kWords) {
    if (word == key) return std::string(title) + " " + value;
  }
  return choice;
}

std::string variantText(const PreparedPage& prepared, const std::string& name) {
  const TrainingScene& scene = *prepared.page.training;
  const auto variant = scene.variants.find(name);
  return variant == scene.variants.end() ? scene.fixed : variant->second;
}

/// Whether every one of the texts makes the choice.
bool isCommon(const std::vector<std::string>& texts, const std::string& choice) {
  return std::all_of(texts.begin(), texts.end(), [&](const std::string& text) {
    const auto choices = choicesOf(text);
    return std::find(choices.begin(), choices.end(), choice) != choices.end();
  });
}

std::string variantTitle(const PreparedPage& prepared, const std::string& name) {
  const auto title = prepared.facts.values().find(name + ".title");
  return title == prepared.facts.values().end() ? name : title->second;
}

std::string variantReason(const PreparedPage& prepared, const ChoiceTask& task, const LessonFacts::Number& number) {
  const std::string text = numberText(number);
  if (isByTime(task.extreme)) return "a step takes " + text;
  if (prepared.page.pipeline) return "at most it holds the activations of " + text + " microbatches on a stage";
  return "its fullest device holds " + text;
}

}  // namespace

std::vector<std::string> variantTitles(const std::vector<std::string>& texts) {
  std::vector<std::string> titles;
  for (const std::string& text : texts) {
    std::string title;
    for (const std::string& choice : choicesOf(text)) {
      if (!isCommon(texts, choice)) title += (title.empty() ? "" : ", ") + choiceWords(choice);
    }
    titles.push_back(title.empty() ? "this step" : title);
  }
  return titles;
}

Result<std::vector<LessonCandidate>> variantsOf(const PreparedPage& prepared, const ChoiceTask& task) {
  if (!prepared.page.training && !prepared.page.pipeline)
    return Error{"only a page with a pipeline or a training step has variants", "/task/choose"};
  std::vector<LessonCandidate> answers;
  std::vector<LessonFacts::Number> numbers;
  for (std::size_t i = 0; i < task.programs.size(); ++i) {
    const auto number = prepared.facts.number(decidingFact(prepared, task, task.programs[i]));
    if (!number.ok()) {
      return Error{"\"" + task.programs[i] + "\" is not a variant with this value; " + number.error().message,
                   "/task/of/" + std::to_string(i)};
    }
    numbers.push_back(*number);
    answers.push_back({variantTitle(prepared, task.programs[i]), false, {}});
  }
  if (prepared.page.training) {
    std::vector<std::string> texts;
    for (const std::string& each : task.programs) texts.push_back(variantText(prepared, each));
    const auto titles = variantTitles(texts);
    for (std::size_t i = 0; i < answers.size(); ++i) answers[i].title = titles[i];
  }
  if (answers.size() < 2) return Error{"one variant alone leaves nothing to choose; name another", "/task/of"};
  const auto less = [](const LessonFacts::Number& a, const LessonFacts::Number& b) { return a.value < b.value; };
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end(), less);
  const double asked = (isLeast(task.extreme) ? least : most)->value;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i].right = !definitelyLess(numbers[i].value, asked) && !definitelyLess(asked, numbers[i].value);
    answers[i].why = variantReason(prepared, task, numbers[i]) +
                     (answers[i].right ? std::string() : "; the right one has " + numberText({asked, numbers[i].unit}));
  }
  return answers;
}

Result<std::vector<LessonCandidate>> partsOf(const PreparedPage& prepared, const ChoiceTask& task) {
  const auto at = static_cast<std::size_t>(task.table);
  if (at >= prepared.tables.size()) {
    return Error{prepared.page.training ? "the step does not fit, so its time has no table; ask about memory"
                                        : "only a page with a training step has tables",
                 "/task/table"};
  }
  const LessonTable& table = prepared.tables[at];
  std::vector<LessonCandidate> answers;
  double most = 0;
  for (std::size_t row = 0; row + 1 < table.rows.size(); ++row) most = std::max(most, table.values[row].front());
  for (std::size_t row = 0; row + 1 < table.rows.size(); ++row) {
    const double value = table.values[row].front();
    // Rows that are not there cannot be the largest, and only lengthen the list.
    if (value <= 0) continue;
    const std::string text =
        numberText({value, table.unit}) + " of " + numberText({table.values.back().front(), table.unit});
    answers.push_back({table.rows[row], value == most, text});
  }
  return answers;
}

}  // namespace p2::inline lesson
