// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/training_evaluation.h"

#include <algorithm>

#include "base/counted.h"
#include "training_answer/detail/training_changes.h"
#include "training_answer/detail/training_ranking.h"

namespace p2::inline training_answer {
namespace {

constexpr std::string_view kPlacedRule = "an order of the framework places the axes on the system";

/// Evaluates one configuration.
class Evaluation {
 public:
  Evaluation(const TrainingInput& input, const StatedTraining& stated, const TrainingConfiguration& mine,
             TrainingAccelerator accelerator, std::stop_token stop, const Progress& progress)
      : m_question(input.question),
        m_stated(stated),
        m_framework(*stated.framework),
        m_mine(mine),
        m_accelerator(std::move(accelerator)),
        m_placements(m_question, stop),
        m_stop(std::move(stop)),
        m_progress(progress) {}

  Result<PlannedConfiguration> priceOnly() {
    const auto refusal = refusalOf(m_mine);
    const auto refused = [&](const TrainingRefusal& each) {
      return Error{std::string(m_framework.label) + " refuses it: " + each.reason + " (" + each.source + ")"};
    };
    if (refusal) return refused(*refusal);
    P2_TRY_ASSIGN(auto planned, priced(m_mine, ownOrder()));
    if (!planned) return refused(unplaced());
    return std::move(*planned);
  }

  Result<TrainingEvaluation> run(EvaluationExtent extent) {
    m_made.memory = m_accelerator.memory;
    m_made.reserve = m_question.reserve > 0 ? m_question.reserve : defaultMemoryReserve(m_accelerator.memory);
    m_made.refused = refusalOf(m_mine);
    P2_TRY_ASSIGN(auto mine, priced(m_mine, ownOrder()));
    m_made.fits = fits(peakMemory(m_question.model, m_mine));
    if (mine) {
      m_made.mine = std::move(*mine);
    } else {
      m_made.mine.framework = &m_framework;
      m_made.mine.configuration = m_mine;
      m_made.mine.memory = peakMemory(m_question.model, m_mine);
      if (!m_made.refused) m_made.refused = unplaced();
    }
    if (!m_made.refused && m_made.fits && extent == EvaluationExtent::WithRank) {
      TrainingQuestion everywhere = m_question;
      everywhere.frameworks = frameworksOn(m_accelerator.platform, trainingFrameworks());
      P2_TRY_ASSIGN(const auto ranks, ranksOf(m_made.mine.estimate.seconds, m_framework, everywhere, m_accelerator,
                                              m_made.reserve, m_placements, m_stop, m_progress));
      m_made.inFramework = ranks.inFramework;
      m_made.inAll = ranks.inAll;
    }
    P2_TRY(findChanges());
    return std::move(m_made);
  }

 private:
  [[nodiscard]] bool fits(const TrainingMemory& memory) const {
    return memory.total() + m_made.reserve <= m_accelerator.memory;
  }

  [[nodiscard]] std::optional<TrainingRefusal> refusalOf(const TrainingConfiguration& configuration) const {
    if (const std::string missing = missingPlatform(m_framework, m_accelerator.platform); !missing.empty()) {
      return TrainingRefusal{"framework runs on the accelerator", "it " + missing, std::string(m_framework.release)};
    }
    const FrameworkRule* rule = brokenRule(m_framework, m_question.model, configuration);
    if (rule == nullptr) return std::nullopt;
    return TrainingRefusal{std::string(rule->name), rule->broken(m_question.model, configuration).text(),
                           std::string(rule->source)};
  }

  [[nodiscard]] TrainingRefusal unplaced() const {
    return {std::string(kPlacedRule),
            "no order of " + std::string(m_framework.label) + " lays these degrees out over the levels of the system",
            std::string(m_framework.release)};
  }

  /// On the placement of an order or of the file's rank file; where no placement has it, on the fastest one. No
  /// value: there is none.
  Result<std::optional<PlannedConfiguration>> priced(const TrainingConfiguration& stated, const std::string& order) {
    const TrainingConfiguration configuration = withExpertLoad(m_question, stated);
    std::optional<PlannedConfiguration> best;
    const auto price = [&](const PricedPlacement& placement) -> Result<void> {
      P2_TRY_ASSIGN(const auto raw, estimateStep(m_question.model, configuration, m_accelerator, *placement.prices));
      const StepEstimate estimate = calibrated(raw, m_question.calibration);
      const bool named = std::find(placement.orders.begin(), placement.orders.end(), order) != placement.orders.end();
      if (!named && best && estimate.seconds >= best->estimate.seconds) return {};
      best = PlannedConfiguration{&m_framework,
                                  configuration,
                                  placement.axes,
                                  placement.matrix,
                                  placement.orders,
                                  estimate,
                                  peakMemory(m_question.model, configuration),
                                  {},
                                  estimate.seconds};
      return {};
    };
    if (m_stated.matrix && !m_framework.rankFile.empty()) {
      P2_TRY_ASSIGN(const auto others, m_placements.withRankFile(m_framework, configuration));
      for (const PricedPlacement& placement : *others) {
        if (placement.matrix.text() != *m_stated.matrix) continue;
        P2_TRY(price(placement));
        return best;
      }
    }
    P2_TRY_ASSIGN(const auto placements, m_placements.of(m_framework, configuration));
    for (const PricedPlacement& placement : *placements) {
      P2_TRY(price(placement));
      if (std::find(placement.orders.begin(), placement.orders.end(), order) != placement.orders.end()) break;
    }
    return best;
  }

  /// The order of ranks that the file states, or the framework's default.
  [[nodiscard]] std::string ownOrder() const {
    if (m_stated.order || m_framework.orders.empty()) return m_stated.order.value_or("");
    return std::string(m_framework.orders.front());
  }

  /// The best alternative of every choice, of those that run and fit. Where no single choice is enough, of two.
  Result<void> findChanges() {
    const std::string order = m_made.mine.orders.empty() ? std::string() : m_made.mine.orders.front();
    const auto consider = [&](const std::string& key, const std::string& choice, const TrainingConfiguration& changed) {
      return considerChange(key, choice, changed, order);
    };
    forEachChange(m_framework, m_question.model, m_accelerator, m_mine, consider);
    for (const std::string_view other : m_framework.orders) {
      if (std::find(m_made.mine.orders.begin(), m_made.mine.orders.end(), other) != m_made.mine.orders.end()) continue;
      considerChange("order", "order of ranks " + std::string(other), m_mine, std::string(other));
    }
    if (!runs() && m_changes.empty()) {
      forEachChange(m_framework, m_question.model, m_accelerator, m_mine,
                    [&](const std::string& key, const std::string& choice, const TrainingConfiguration& changed) {
                      considerSecond(key, choice, changed, order);
                    });
    }
    if (m_problem) return *m_problem;
    if (m_stop.stop_requested()) return cancelledError();
    std::sort(m_changes.begin(), m_changes.end(),
              [](const TrainingChange& a, const TrainingChange& b) { return a.gain > b.gain; });
    if (m_changes.size() > kMostChanges) m_changes.resize(kMostChanges);
    for (TrainingChange& each : m_changes) setFlags(m_question.model, m_question.system, m_made.mine, each);
    m_made.changes = std::move(m_changes);
    return {};
  }

  void considerChange(const std::string& key, const std::string& choice, const TrainingConfiguration& changed,
                      const std::string& order) {
    if (m_problem || m_stop.stop_requested() || refusalOf(changed) || !fits(peakMemory(m_question.model, changed)))
      return;
    if (!checkConfiguration(m_question.model, changed).ok()) return;
    auto planned = priced(changed, order);
    if (!planned.ok()) {
      m_problem = planned.error();
    } else if (planned.value()) {
      keep(key, choice, std::move(*planned.value()));
    }
  }

  /// The changes of another choice on top of a change that does not make it run alone.
  void considerSecond(const std::string& key, const std::string& choice, const TrainingConfiguration& changed,
                      const std::string& order) {
    if (m_problem || m_stop.stop_requested()) return;
    forEachChange(m_framework, m_question.model, m_accelerator, changed,
                  [&](const std::string& second, const std::string& other, const TrainingConfiguration& both) {
                    // Each pair once.
                    if (key < second) considerChange(key + ',' + second, choice + " and " + other, both, order);
                  });
  }

  [[nodiscard]] bool runs() const { return !m_made.refused && m_made.fits; }

  void keep(const std::string& key, const std::string& choice, PlannedConfiguration planned) {
    // Where the configuration itself cannot run, every change that can is a gain.
    const double gain = m_made.mine.estimate.seconds - planned.estimate.seconds;
    if (runs() && gain <= 0) return;
    const auto same =
        std::find_if(m_changes.begin(), m_changes.end(), [&](const TrainingChange& each) { return each.key == key; });
    if (same == m_changes.end()) {
      m_changes.push_back({key, choice, {}, {}, std::move(planned), gain});
    } else if (same->gain < gain) {
      *same = {key, choice, {}, {}, std::move(planned), gain};
    }
  }

  const TrainingQuestion& m_question;
  const StatedTraining& m_stated;
  const TrainingFramework& m_framework;
  const TrainingConfiguration& m_mine;
  TrainingAccelerator m_accelerator;
  PlacementCache m_placements;
  std::stop_token m_stop;
  const Progress m_progress;
  TrainingEvaluation m_made;
  std::vector<TrainingChange> m_changes;
  std::optional<Error> m_problem;  ///< of pricing a change
};

}  // namespace

std::vector<std::string> differencesFrom(const TrainingQuestion& question, const StatedTraining& stated) {
  std::vector<std::string> differences;
  const ModelShape& declared = stated.model;
  if (declared.layers > 0 && declared.hidden > 0 &&
      (declared.layers != question.model.layers || declared.hidden != question.model.hidden)) {
    differences.push_back("the file's model has " + countedText(declared.layers, "layer") + " of width " +
                          std::to_string(declared.hidden) + "; priced with " +
                          countedText(question.model.layers, "layer") + " of width " +
                          std::to_string(question.model.hidden));
  }
  const auto devices = stated.devices();
  if (devices && *devices != question.system.deviceCount()) {
    differences.push_back("the file starts " + countedText(*devices, "process", "processes") +
                          "; priced on the system's " + countedText(question.system.deviceCount(), "device"));
  }
  return differences;
}

Result<TrainingConfiguration> ownConfiguration(StatedTraining& stated, TrainingInput& input, const GivenSizes& given) {
  TrainingQuestion& question = input.question;
  P2_TRY_ASSIGN(const auto made, configurationOf(stated, question.model, question.system, given));
  question.batch = made.plan.globalBatch;
  question.sequence = made.plan.sequence;
  question.precision = made.precision;
  const auto accelerator = trainingAcceleratorOf(question.system);
  const bool searched =
      accelerator.ok() && searchesTensorOverlap(*stated.framework, question.model, made, *accelerator);
  if (made.plan.tensorOverlap && !searched && !question.fixed.tensorOverlap) {
    question.fixed.tensorOverlap = true;
    stated.assumed.push_back("the others overlap tensor parallelism too, as the file does");
  }
  for (std::string& each : differencesFrom(question, stated)) stated.assumed.push_back(std::move(each));
  return made;
}

Result<TrainingEvaluation> evaluateTraining(const TrainingInput& input, const StatedTraining& stated,
                                            const TrainingConfiguration& mine, std::stop_token stop,
                                            const Progress& progress, EvaluationExtent extent) {
  P2_TRY_ASSIGN(auto accelerator, trainingAcceleratorOf(input.question.system));
  return Evaluation(input, stated, mine, std::move(accelerator), std::move(stop), progress).run(extent);
}

Result<PlannedConfiguration> priceOwn(const TrainingInput& input, const StatedTraining& stated,
                                      const TrainingConfiguration& mine) {
  P2_TRY_ASSIGN(auto accelerator, trainingAcceleratorOf(input.question.system));
  return Evaluation(input, stated, mine, std::move(accelerator), {}, {}).priceOnly();
}

}  // namespace p2::inline training_answer
