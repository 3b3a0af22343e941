// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/train_comparison.h"

#include <algorithm>
#include <cmath>

#include "app/cli/train_configuration.h"
#include "base/counted.h"
#include "base/units.h"

namespace p2::cli {
namespace {

using Align = TextTable::Align;

/// One line: a choice in words, or a number with the difference of B from A.
struct ComparedLine {
  std::string what;
  Value a;
  Value b;
  Value difference;
};

constexpr Column<ComparedLine> kColumns[] = {
    {"what", "what", [](const ComparedLine& line) { return Value::text(line.what); }, Align::Left},
    {"a", "A", [](const ComparedLine& line) { return line.a; }},
    {"b", "B", [](const ComparedLine& line) { return line.b; }},
    {"difference", "B − A", [](const ComparedLine& line) { return line.difference; }},
};

/// "+2.3 s", "−1.1 GB".
std::string signedText(double difference, double of, Unit unit) {
  const double size = std::abs(difference);
  if (size < 1e-4 * std::abs(of)) return "";
  const std::string text = unit == Unit::Seconds ? formatSeconds(size) : unitText(size, unit);
  return (difference > 0 ? "+" : "−") + text;
}

class Comparison {
 public:
  Comparison(const PlannedConfiguration& a, const PlannedConfiguration& b, double reserve)
      : m_a(a), m_b(b), m_reserve(reserve) {}

  std::vector<ComparedLine> run(const System& system) {
    choices(system);
    number("step", m_a.estimate.seconds, m_b.estimate.seconds, Unit::Seconds, true);
    parts();
    memory();
    number("tokens/s", m_a.estimate.tokensPerSecond, m_b.estimate.tokensPerSecond, Unit::None, true);
    number("MFU", m_a.estimate.mfu, m_b.estimate.mfu, Unit::Share, true);
    return std::move(m_lines);
  }

 private:
  void text(std::string_view what, const std::string& a, const std::string& b) {
    if (a != b) m_lines.push_back({std::string(what), Value::text(a), Value::text(b), Value::null("")});
  }
  void whole(std::string_view what, std::int64_t a, std::int64_t b) {
    text(what, std::to_string(a), std::to_string(b));
  }

  void choices(const System& system) {
    const TrainingPlan& a = m_a.configuration.plan;
    const TrainingPlan& b = m_b.configuration.plan;
    text("framework", std::string(m_a.framework->label), std::string(m_b.framework->label));
    whole("tp", a.tensor, b.tensor);
    text("sp", a.sequenceParallel == SequenceParallelism::None ? "no" : "yes",
         b.sequenceParallel == SequenceParallelism::None ? "no" : "yes");
    whole("cp", a.context, b.context);
    whole("pp", a.pipeline, b.pipeline);
    whole("vpp", a.chunks, b.chunks);
    whole("ep", a.expert, b.expert);
    whole("etp", a.expertTensor, b.expertTensor);
    whole("dp", a.data, b.data);
    whole("replicas", a.replicas, b.replicas);
    whole("ZeRO", a.zero, b.zero);
    whole("microbatch", a.microbatch, b.microbatch);
    whole("microbatches", a.microbatches, b.microbatches);
    text("recomputation", std::string(nameOf(m_a.configuration.recomputation)),
         std::string(nameOf(m_b.configuration.recomputation)));
    text("schedule", std::string(trainingScheduleText(m_a.configuration)),
         std::string(trainingScheduleText(m_b.configuration)));
    text("placement", placementText(m_a, system), placementText(m_b, system));
  }

  void number(std::string_view what, double a, double b, Unit unit, bool always = false) {
    const double total = unit == Unit::Seconds ? m_a.estimate.seconds : std::max(std::abs(a), std::abs(b));
    // Parts that neither has, and parts of a thousandth of the step, are noise.
    if (!always && std::max(a, b) < 1e-3 * total) return;
    if (unit == Unit::None) {
      a = std::round(a);
      b = std::round(b);
    }
    m_lines.push_back({std::string(what), Value::number(a, unit), Value::number(b, unit),
                       Value::number(b - a, unit).shownAs(signedText(b - a, total, unit))});
  }

  void parts() {
    const StepParts& a = m_a.estimate.parts;
    const StepParts& b = m_b.estimate.parts;
    number("  computation", a.compute + a.inefficiency, b.compute + b.inefficiency, Unit::Seconds);
    number("  recomputation", a.recompute, b.recompute, Unit::Seconds);
    for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
      number("  exposed " + std::string(kExposedAxes[axis]), a.exposed[axis], b.exposed[axis], Unit::Seconds);
    }
    number("  pipeline bubble", a.bubble, b.bubble, Unit::Seconds);
    number("  imbalance", a.imbalance, b.imbalance, Unit::Seconds);
    number("  optimizer", a.optimizer, b.optimizer, Unit::Seconds);
    number("  host", a.host, b.host, Unit::Seconds);
  }

  void memory() {
    const TrainingMemory& a = m_a.memory;
    const TrainingMemory& b = m_b.memory;
    number("memory", a.total() + m_reserve, b.total() + m_reserve, Unit::Bytes, true);
    number("  parameters", a.parameters, b.parameters, Unit::Bytes);
    number("  gradients", a.gradients, b.gradients, Unit::Bytes);
    number("  optimizer states", a.optimizer, b.optimizer, Unit::Bytes);
    number("  activations", a.activations, b.activations, Unit::Bytes);
    number("  buffers", a.buffers, b.buffers, Unit::Bytes);
  }

  const PlannedConfiguration& m_a;
  const PlannedConfiguration& m_b;
  double m_reserve;
  std::vector<ComparedLine> m_lines;
};

/// "B takes 2.3 s longer: exposed dp +2.1 s, pipeline bubble +1.3 s, computation −1.1 s."
std::string reasonText(const std::vector<ComparedLine>& lines, const NamedConfiguration& a,
                       const NamedConfiguration& b) {
  const double difference = b.planned.estimate.seconds - a.planned.estimate.seconds;
  if (areTied(a.planned.estimate, b.planned.estimate)) {
    return a.name + " and " + b.name + " tie: their difference of " + formatSeconds(std::abs(difference)) +
           " is smaller than the noise of a run and the error of the parts that differ";
  }
  std::vector<std::string> reasons;
  for (const ComparedLine& line : lines) {
    const std::string text = line.difference.text();
    const bool part = line.what.starts_with("  ") && (text.ends_with(" s") || text.ends_with("ms"));
    if (part && !text.empty()) reasons.push_back(line.what.substr(2) + " " + text);
  }
  return b.name + " takes " + formatSeconds(std::abs(difference)) + (difference > 0 ? " longer" : " less") + " than " +
         a.name + (reasons.empty() ? "" : ": " + joined(reasons));
}

}  // namespace

Document comparisonDocument(const TrainingQuestion& question, double reserve, const NamedConfiguration& a,
                            const NamedConfiguration& b) {
  const auto lines =
      std::make_shared<std::vector<ComparedLine>>(Comparison(a.planned, b.planned, reserve).run(question.system));
  Document document;
  document.field("a", "A", Value::text(a.name)).field("b", "B", Value::text(b.name));
  document.line("");
  document.line(reasonText(*lines, a, b));
  document.line("");
  document.field("a_configuration", Value::object(configurationDocument(question.model, a.planned, reserve)))
      .field("b_configuration", Value::object(configurationDocument(question.model, b.planned, reserve)));
  Table table = tableOver<ComparedLine>(kColumns, *lines);
  table.at = [lines, at = std::move(table.at)](std::size_t row, std::size_t column) { return at(row, column); };
  document.table("rows", std::move(table));
  return document;
}

}  // namespace p2::cli
