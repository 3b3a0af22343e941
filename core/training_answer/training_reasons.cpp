// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/detail/training_reasons.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/counted.h"
#include "base/units.h"
#include "strategy/step_memory.h"

namespace p2::inline training_answer {
namespace {

/// Numbers of devices that are tried between one that is too small and its double.
constexpr std::int64_t kTries = 32;
constexpr std::int64_t kMostDevices = std::int64_t{1} << 18;

std::string bytesText(double bytes) { return formatBytes(Bytes(static_cast<std::int64_t>(bytes))); }

/// A rule with the first configuration that broke it.
struct Broken {
  std::int64_t count = 0;
  std::string reason;
  std::string source;
};

/// How the configurations of one framework end.
struct Outcome {
  std::int64_t visited = 0;
  std::int64_t undivided = 0;  ///< whose batch does not divide
  std::int64_t tooLarge = 0;
  bool runs = false;  ///< and fits
  double leastMemory = 0;
  std::map<std::string, Broken> rules;
};

class Reasons {
 public:
  Reasons(const TrainingQuestion& question, const TrainingAccelerator& accelerator, const std::stop_token& stop)
      : m_question(question), m_accelerator(accelerator), m_stop(stop) {
    m_reserve = question.reserve > 0 ? question.reserve : defaultMemoryReserve(accelerator.memory);
    m_devices = question.system.deviceCount();
  }

  std::optional<Error> run() {
    Outcome all;
    for (const TrainingFramework* framework : m_question.frameworks) {
      const Outcome each = outcomeOf(*framework, m_devices, m_question.fixed);
      if (each.runs || m_stop.stop_requested()) return std::nullopt;
      all.visited += each.visited;
      all.undivided += each.undivided;
      all.tooLarge += each.tooLarge;
      if (each.tooLarge > 0 && (all.leastMemory == 0 || each.leastMemory < all.leastMemory)) {
        all.leastMemory = each.leastMemory;
      }
      for (const auto& [rule, broken] : each.rules) {
        Broken& sum = all.rules[rule];
        if (sum.count == 0) sum = {0, broken.reason, std::string(framework->label) + ", " + broken.source};
        sum.count += broken.count;
      }
    }
    if (all.tooLarge > 0) return tooLarge(all);
    // Another batch is a smaller change than other degrees.
    if (all.undivided > 0) {
      const std::set<std::int64_t> degrees = dataDegrees();
      if (all.visited == 0 || !degrees.empty()) return undividedBatch(degrees);
    }
    return all.visited == 0 ? noSuchChoice() : refused(all);
  }

 private:
  /// Stops at the first configuration that runs and fits.
  [[nodiscard]] Outcome outcomeOf(const TrainingFramework& framework, std::int64_t devices,
                                  const FixedChoices& fixed) const {
    Outcome outcome;
    // A rule that every configuration breaks follows from the fixed choices.
    std::vector<const FrameworkRule*> always;
    for (const FrameworkRule& rule : framework.rules) always.push_back(&rule);
    const SearchSpace space{m_question.model, devices, m_question.batch, m_question.sequence, m_question.precision,
                            framework,        fixed,   &m_accelerator};
    outcome.undivided = space.forEach([&](const TrainingConfiguration& each) {
      ++outcome.visited;
      if (const FrameworkRule* rule = brokenRule(framework, m_question.model, each)) {
        addBroken(*rule, each, outcome, always);
        return !m_stop.stop_requested();
      }
      const double need = peakMemory(m_question.model, each).total();
      outcome.runs = need + m_reserve <= m_accelerator.memory;
      if (!outcome.runs) ++outcome.tooLarge;
      if (outcome.leastMemory == 0 || need < outcome.leastMemory) outcome.leastMemory = need;
      return !outcome.runs && !m_stop.stop_requested();
    });
    return outcome;
  }

  /// Counts the first rule that a configuration breaks, and keeps of `always` the rules that it breaks too.
  void addBroken(const FrameworkRule& first, const TrainingConfiguration& configuration, Outcome& outcome,
                 std::vector<const FrameworkRule*>& always) const {
    const auto add = [&](const FrameworkRule& rule) {
      if (Broken& broken = outcome.rules[std::string(rule.name)]; broken.count++ == 0) {
        broken.reason = rule.broken(m_question.model, configuration).text();
        broken.source = rule.source;
      }
    };
    add(first);
    std::erase_if(always, [&](const FrameworkRule* rule) {
      if (rule == &first) return false;
      if (!rule->broken(m_question.model, configuration)) return true;
      add(*rule);
      return false;
    });
  }

  /// The fixed choices, completed by those that need the least memory: microbatches of one, full recomputation.
  [[nodiscard]] FixedChoices smallest(const TrainingFramework& framework) const {
    FixedChoices fixed = m_question.fixed;
    if (!fixed.microbatch) fixed.microbatch = 1;
    const auto& kinds = framework.recomputations;
    const bool recomputes = std::find(kinds.begin(), kinds.end(), RecomputeKind::Full) != kinds.end();
    if (!fixed.recomputation && recomputes) fixed.recomputation = RecomputeKind::Full;
    return fixed;
  }

  /// Whether the smallest configurations run on that many devices. All configurations would take seconds per number.
  [[nodiscard]] bool anyRuns(std::int64_t devices) const {
    return std::any_of(
        m_question.frameworks.begin(), m_question.frameworks.end(),
        [&](const TrainingFramework* framework) { return outcomeOf(*framework, devices, smallest(*framework)).runs; });
  }

  /// Whole nodes; 0 if no number does.
  [[nodiscard]] std::int64_t leastDevices() const {
    const std::int64_t node = devicesPerNode(m_question.system);
    std::int64_t below = m_devices / node;
    std::int64_t nodes = 2 * below;
    while (!anyRuns(nodes * node)) {
      below = nodes;
      nodes *= 2;
      if (nodes * node > kMostDevices || m_stop.stop_requested()) return 0;
    }
    const std::int64_t step = std::max<std::int64_t>(1, (nodes - below) / kTries);
    for (std::int64_t tried = below + step; tried < nodes; tried += step) {
      if (anyRuns(tried * node)) return tried * node;
    }
    return nodes * node;
  }

  [[nodiscard]] Error tooLarge(const Outcome& all) const {
    if (m_reserve >= m_accelerator.memory) {
      return Error{"a reserve of " + bytesText(m_reserve) + " leaves nothing of a device's " +
                       bytesText(m_accelerator.memory) + "; reserve less",
                   "reserve"};
    }
    const std::int64_t least = leastDevices();
    const std::string remedy = least > 0
                                   ? countedText(least, "such device") + " would do"
                                   : std::string(
                                         "more devices of this kind would not help; change the fixed choices, the "
                                         "batch or the sequence");
    const bool one = m_question.frameworks.size() == 1;
    const std::string with = one ? " with " + std::string(m_question.frameworks.front()->label) : std::string();
    const std::string what =
        m_question.fixed == FixedChoices() ? "no configuration fits" : "no configuration with the fixed choices fits";
    return Error{what + with + ": the smallest needs " + bytesText(all.leastMemory) + " of a device, which has " +
                     bytesText(m_accelerator.memory) + " with " + bytesText(m_reserve) + " kept free; " + remedy +
                     (one ? "; other frameworks may need less" : ""),
                 {},
                 ErrorKind::TooLarge}
        .about(kNothingFits);
  }

  /// The degrees of data parallelism of all configurations that run with some batch.
  [[nodiscard]] std::set<std::int64_t> dataDegrees() const {
    const std::int64_t microbatch = m_question.fixed.microbatch.value_or(1);
    std::set<std::int64_t> degrees;
    for (const TrainingFramework* framework : m_question.frameworks) {
      const SearchSpace space{m_question.model,     m_devices,  m_devices * microbatch, m_question.sequence,
                              m_question.precision, *framework, m_question.fixed,       &m_accelerator};
      (void)space.forEach([&](const TrainingConfiguration& each) {
        if (brokenRule(*framework, m_question.model, each) == nullptr) degrees.insert(each.plan.data);
        return !m_stop.stop_requested();
      });
    }
    return degrees;
  }

  /// The batches next to the given one that one of these degrees of data parallelism divides.
  [[nodiscard]] Error undividedBatch(const std::set<std::int64_t>& degrees) const {
    const std::int64_t microbatch = m_question.fixed.microbatch.value_or(1);
    const std::int64_t batch = m_question.batch;
    std::int64_t below = 0;
    std::int64_t above = 0;
    for (const std::int64_t degree : degrees) {
      const std::int64_t unit = degree * microbatch;
      below = std::max(below, batch / unit * unit);
      const std::int64_t next = (batch / unit + 1) * unit;
      above = above == 0 ? next : std::min(above, next);
    }
    const std::string sizes =
        below > 0 ? std::to_string(below) + " or " + std::to_string(above) : std::to_string(above);
    const std::string least =
        degrees.empty() ? std::string() : " (dp is " + std::to_string(*degrees.begin()) + " or more)";
    const std::string with = m_question.fixed == FixedChoices() ? std::string() : " with the fixed choices";
    return Error{"a batch of " + countedText(batch, "sequence") + " does not divide by dp·microbatch of any " +
                     "configuration" + with + " on " + countedText(m_devices, "device") + least +
                     (above > 0 ? "; use " + sizes : "; change the fixed choices"),
                 "batch"};
  }

  /// The labels of the frameworks that run something with the fixed choices on the accelerator.
  [[nodiscard]] std::string othersThatRun() const {
    std::string names;
    for (const TrainingFramework* framework : frameworksOn(m_accelerator.platform, trainingFrameworks())) {
      if (!outcomeOf(*framework, m_devices, m_question.fixed).runs) continue;
      names += (names.empty() ? "" : ", ") + std::string(framework->label);
    }
    return names;
  }

  [[nodiscard]] std::string remedy() const {
    const std::string others = othersThatRun();
    return others.empty() ? "; change the fixed choices" : "; this runs with " + others;
  }

  [[nodiscard]] Error noSuchChoice() const {
    const FixedChoices& fixed = m_question.fixed;
    if (m_question.model.experts == 0 && (fixed.expert.value_or(1) > 1 || fixed.expertTensor.value_or(1) > 1)) {
      return Error{"the model has no experts; leave ep and etp out", "fix"};
    }
    if (const std::string reason = undividedDegrees(fixed, m_devices); !reason.empty()) return Error{reason, "fix"};
    const std::string names = m_question.frameworks.size() == 1 ? std::string(m_question.frameworks.front()->label)
                                                                : std::string("no framework");
    return Error{names + (m_question.frameworks.size() == 1 ? " does not have " : " has ") + "all fixed choices (" +
                     fixedChoicesText(fixed) + ")" + remedy(),
                 "fix"};
  }

  [[nodiscard]] Error refused(const Outcome& all) const {
    const auto most = std::max_element(all.rules.begin(), all.rules.end(),
                                       [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
    if (most == all.rules.end()) return Error{"no configuration is left; change the fixed choices or the framework"};
    return Error{"no configuration is left: " + most->second.reason + " (" + most->second.source + ")" + remedy()};
  }

  const TrainingQuestion& m_question;
  const TrainingAccelerator& m_accelerator;
  const std::stop_token& m_stop;
  double m_reserve = 0;
  std::int64_t m_devices = 1;
};

}  // namespace

std::optional<Error> reasonOfNoAnswer(const TrainingQuestion& question, const TrainingAccelerator& accelerator,
                                      const std::stop_token& stop) {
  return Reasons(question, accelerator, stop).run();
}

}  // namespace p2::inline training_answer
