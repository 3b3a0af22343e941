// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/assumed.h"

#include "app/cli/answer_keys.h"
#include "app/cli/output.h"
#include "base/counted.h"
#include "base/units.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kAssumed{
    "assumed", "Defaults that can change the best program, placement or configuration, each with its option"};

}  // namespace

std::vector<AssumedDefault> assumedBy(const Request& request, const ExploreOptions& options) {
  std::vector<AssumedDefault> defaults;
  const auto add = [&](bool typed, const char* option, std::string sentence) {
    if (!typed) defaults.push_back({option, std::move(sentence)});
  };
  add(request.limit.has_value(), "--limit", "programs of at most " + countedText(options.sizeLimit, "step"));
  add(request.rules.has_value(), "--rules", "instructions of the paper");
  add(request.model.has_value(), "--model", "the " + std::string(options.cost.model) + " model");
  add(request.algorithm.has_value(), "--algorithm", "algorithm " + std::string(nameOf(options.cost.algorithm)));
  add(request.overlap, "--overlap", "steps of a program one after the other");
  return defaults;
}

std::vector<AssumedDefault> assumedBy(const StepOptions& typed, const StepQuestion& answered) {
  std::vector<AssumedDefault> defaults;
  const StepOptions& taken = answered.step;
  const auto add = [&](bool isTyped, const char* option, std::string sentence) {
    if (!isTyped) defaults.push_back({option, std::move(sentence)});
  };
  if (!taken.computeSeconds) {
    add(typed.computeSeconds.has_value(), "--compute-seconds", "no computation that hides communication");
    return defaults;
  }
  add(typed.computeSeconds.has_value(), "--compute-seconds",
      formatSeconds(*taken.computeSeconds) + " of computation" +
          (taken.estimated ? ", estimated from the model" : ", the workload's own"));
  add(typed.slowdown.has_value(), "--slowdown",
      "overlapped communication takes " + formatFactor(taken.slowdown.value_or(kDefaultSlowdown)) + " its time");
  add(typed.usableShare.has_value(), "--usable",
      formatPercent(taken.usableShare.value_or(kDefaultUsableShare)) + " of the computation can hide communication");
  add(typed.concurrent.has_value(), "--concurrent",
      taken.concurrent.value_or(false) ? "overlappable communication also during exposed communication"
                                       : "overlappable communication during computation alone");
  return defaults;
}

std::vector<AnswerKey> assumedKeys() { return {kAssumed}; }

std::string assumedLine(const std::vector<std::string>& sentences) {
  std::string line;
  for (const std::string& each : sentences) line += (line.empty() ? "assumed: " : "; ") + oneLine(each);
  return line;
}

void addAssumedLine(Document& document, const std::vector<std::string>& sentences) {
  if (const std::string line = assumedLine(sentences); !line.empty()) document.line(line);
}

void addAssumed(Document& document, const std::vector<std::string>& sentences) {
  document.field(kAssumed, Value::texts(sentences));
  addAssumedLine(document, sentences);
}

}  // namespace p2::cli
