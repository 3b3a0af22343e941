// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/configuration_comparison.h"

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "training/parameter_gathering.h"

namespace p2::inline training_answer {
namespace {

using Kind = ComparedLine::Kind;

/// "+2.3 s", "−1.1 GB".
std::string signedText(double difference, double of, Unit unit) {
  const double size = std::abs(difference);
  if (size < 1e-4 * std::abs(of)) return "";
  // Both shares read the same.
  if (unit == Unit::Share && size < 1e-3) return "";
  const std::string text = unit == Unit::Seconds ? formatSeconds(size) : unitText(size, unit);
  return (difference > 0 ? "+" : "−") + text;
}

/// A part of two steps.
struct ComparedPart {
  std::string name;
  std::string more;  ///< a phrase for the step with more of it
  std::string less;
  double a = 0;
  double b = 0;
};

std::vector<ComparedPart> partsOf(const StepParts& a, const StepParts& b) {
  std::vector<ComparedPart> parts{
      {"computation", "slower kernels", "faster kernels", a.compute + a.inefficiency, b.compute + b.inefficiency},
      {"recomputation", "more recomputation", "less recomputation", a.recompute, b.recompute}};
  for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
    const std::string name = "exposed " + std::string(kExposedAxes[axis]);
    const std::string what = "exposed communication of " + std::string(kExposedAxes[axis]);
    parts.push_back({name, "more " + what, "less " + what, a.exposed[axis], b.exposed[axis]});
  }
  parts.push_back({"pipeline bubble", "a larger bubble", "a smaller bubble", a.bubble, b.bubble});
  parts.push_back(
      {"imbalance", "more waiting for the slowest", "less waiting for the slowest", a.imbalance, b.imbalance});
  parts.push_back({"optimizer", "a longer update of the parameters", "a shorter update of the parameters", a.optimizer,
                   b.optimizer});
  parts.push_back({"host", "more waiting for the host", "less waiting for the host", a.host, b.host});
  return parts;
}

class Comparison {
 public:
  Comparison(const PlannedConfiguration& a, const PlannedConfiguration& b, double reserve)
      : m_a(a), m_b(b), m_reserve(reserve) {}

  std::vector<ComparedLine> run(const System& system) {
    choices(system);
    number(Kind::Total, "step", m_a.estimate.seconds, m_b.estimate.seconds, Unit::Seconds);
    parts();
    memory();
    number(Kind::Total, "tokens/s", m_a.estimate.tokensPerSecond, m_b.estimate.tokensPerSecond, Unit::None);
    number(Kind::Total, "MFU", m_a.estimate.mfu, m_b.estimate.mfu, Unit::Share);
    return std::move(m_lines);
  }

 private:
  void text(std::string_view what, const std::string& a, const std::string& b) {
    if (a != b) m_lines.push_back({Kind::Choice, std::string(what), Value::text(a), Value::text(b), Value::null("")});
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
    text("tp overlapped", a.tensorOverlap ? "yes" : "no", b.tensorOverlap ? "yes" : "no");
    whole("cp", a.context, b.context);
    whole("pp", a.pipeline, b.pipeline);
    whole("vpp", a.chunks, b.chunks);
    whole("ep", a.expert, b.expert);
    text("ep overlapped", a.expertOverlap ? "yes" : "no", b.expertOverlap ? "yes" : "no");
    text("tokens to experts", dispatchText(m_a.configuration.dispatch), dispatchText(m_b.configuration.dispatch));
    text("CUDA graphs", std::string(nameOf(m_a.configuration.graphs)), std::string(nameOf(m_b.configuration.graphs)));
    whole("etp", a.expertTensor, b.expertTensor);
    whole("dp", a.data, b.data);
    whole("replicas", a.replicas, b.replicas);
    whole("ZeRO", a.zero, b.zero);
    if (a.zero == 3 && b.zero == 3) {
      const auto gathers = [](const TrainingPlan& plan) {
        return isGatheredOnce(plan) ? "once" : "in every microbatch";
      };
      text("parameters gathered", gathers(a), gathers(b));
    }
    whole("mtp", m_a.configuration.predictedTokens, m_b.configuration.predictedTokens);
    text("fused attention", m_a.configuration.fusedAttention ? "yes" : "no",
         m_b.configuration.fusedAttention ? "yes" : "no");
    text("parameters in fp8", m_a.configuration.fp8Parameters ? "yes" : "no",
         m_b.configuration.fp8Parameters ? "yes" : "no");
    whole("microbatch", a.microbatch, b.microbatch);
    whole("microbatches", a.microbatches, b.microbatches);
    text("recomputation", recomputationName(recomputationOf(m_a.configuration)),
         recomputationName(recomputationOf(m_b.configuration)));
    text("schedule", describeSchedule(m_a.configuration), describeSchedule(m_b.configuration));
    text("placement", spanText(m_a, system), spanText(m_b, system));
  }

  void number(Kind kind, std::string_view what, double a, double b, Unit unit) {
    const double total = unit == Unit::Seconds ? m_a.estimate.seconds : std::max(std::abs(a), std::abs(b));
    // Parts that neither has, and parts of a thousandth of the step, are noise.
    if (kind != Kind::Total && std::max(a, b) < 1e-3 * total) return;
    if (unit == Unit::None) {
      a = std::round(a);
      b = std::round(b);
    }
    m_lines.push_back({kind, std::string(what), Value::number(a, unit), Value::number(b, unit),
                       Value::number(b - a, unit).shownAs(signedText(b - a, total, unit))});
  }
  void memoryPart(std::string_view what, double a, double b) { number(Kind::MemoryPart, what, a, b, Unit::Bytes); }

  void parts() {
    for (const ComparedPart& each : partsOf(m_a.estimate.parts, m_b.estimate.parts)) {
      number(Kind::TimePart, each.name, each.a, each.b, Unit::Seconds);
    }
  }

  void memory() {
    const TrainingMemory& a = m_a.memory;
    const TrainingMemory& b = m_b.memory;
    number(Kind::Total, "memory", a.total(), b.total(), Unit::Bytes);
    memoryPart("parameters", a.parameters, b.parameters);
    memoryPart("gradients", a.gradients, b.gradients);
    memoryPart("optimizer states", a.optimizer, b.optimizer);
    memoryPart("activations", a.activations, b.activations);
    memoryPart("buffers", a.buffers, b.buffers);
    memoryPart("kept free, on top", m_reserve, m_reserve);
  }

  const PlannedConfiguration& m_a;
  const PlannedConfiguration& m_b;
  double m_reserve;
  std::vector<ComparedLine> m_lines;
};

}  // namespace

std::vector<ComparedLine> compareConfigurations(const PlannedConfiguration& a, const PlannedConfiguration& b,
                                                double reserve, const System& system) {
  return Comparison(a, b, reserve).run(system);
}

std::string describeComparison(const std::vector<ComparedLine>& lines, const NamedConfiguration& a,
                               const NamedConfiguration& b, double reserve, double memory) {
  std::string unfit;
  for (const NamedConfiguration* each : {&a, &b}) {
    const double needed = each->planned.memory.total() + reserve;
    if (needed <= memory) continue;
    unfit += (unfit.empty() ? "" : ", and ") + each->name + " does not fit: it needs " +
             formatBytes(Bytes(each->planned.memory.total())) + " + " + formatBytes(Bytes(reserve)) + " kept free of " +
             formatBytes(Bytes(memory));
  }
  if (!unfit.empty()) unfit += "; ";
  const double difference = b.planned.estimate.seconds - a.planned.estimate.seconds;
  if (areTied(a.planned.estimate, b.planned.estimate)) {
    return unfit + a.name + " and " + b.name + " tie: their difference of " + formatSeconds(std::abs(difference)) +
           " is smaller than the noise of a run and the error of the parts that differ";
  }
  std::string reasons;
  for (const ComparedLine& line : lines) {
    const std::string text = line.difference.text();
    if (line.kind != Kind::TimePart || text.empty()) continue;
    reasons += (reasons.empty() ? ": " : ", ") + line.what + " " + text;
  }
  return unfit + b.name + " takes " + formatSeconds(std::abs(difference)) + (difference > 0 ? " longer" : " less") +
         " than " + a.name + reasons;
}

std::string describeMainPart(const StepEstimate& a, const StepEstimate& b) {
  const double sign = b.seconds < a.seconds ? -1 : 1;
  const auto parts = partsOf(a.parts, b.parts);
  const auto most = std::max_element(parts.begin(), parts.end(), [&](const ComparedPart& x, const ComparedPart& y) {
    return sign * (x.b - x.a) < sign * (y.b - y.a);
  });
  const double difference = most->b - most->a;
  const std::string text = signedText(difference, a.seconds, Unit::Seconds);
  if (sign * difference <= 0 || text.empty()) return {};
  return (sign > 0 ? most->more : most->less) + ", " + text;
}

std::string spanText(const PlannedConfiguration& planned, const System& system) {
  std::string text;
  for (std::size_t axis = 0; axis < planned.axes.size(); ++axis) {
    std::string levels;
    for (std::size_t level = 0; level < planned.matrix.columns(); ++level) {
      const std::int64_t factor = planned.matrix.at(axis, level);
      if (factor > 1)
        levels += (levels.empty() ? "" : " × ") + system.levels[level].name + " " + std::to_string(factor);
    }
    if (!levels.empty()) text += (text.empty() ? "" : ", ") + planned.axes[axis].name + " over " + levels;
  }
  return text;
}

std::string_view scheduleText(const TrainingConfiguration& configuration) {
  return isInterleaved(configuration) ? "interleaved" : nameOf(configuration.schedule);
}

}  // namespace p2::inline training_answer
