// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/training_evaluation.h"

#include <algorithm>

#include "base/counted.h"
#include "training_answer/detail/change_pricer.h"
#include "training_answer/detail/training_changes.h"

namespace p2::inline training_answer {
namespace {

/// Evaluates one configuration.
class Evaluation {
 public:
  Evaluation(const TrainingInput& input, const StatedTraining& stated, const TrainingConfiguration& mine,
             TrainingAccelerator accelerator, std::stop_token stop, const Progress& progress)
      : m_question(input.question),
        m_framework(*stated.framework),
        m_mine(mine),
        m_pricer(m_question, stated, std::move(accelerator), stop),
        m_stop(std::move(stop)),
        m_progress(progress) {}

  Result<PlannedConfiguration> priceOnly() {
    const auto refusal = m_pricer.refusalOf(m_mine);
    const auto refused = [&](const TrainingRefusal& each) {
      return Error{std::string(m_framework.label) + " refuses it: " + each.reason + " (" + each.source + ")"};
    };
    if (refusal) return refused(*refusal);
    P2_TRY_ASSIGN(auto planned, m_pricer.priced(m_mine, m_pricer.ownOrder()));
    if (!planned) return refused(m_pricer.unplaced());
    return std::move(*planned);
  }

  Result<TrainingEvaluation> run(EvaluationExtent extent) {
    m_made.memory = m_pricer.accelerator().memory;
    m_made.reserve = m_pricer.reserve();
    m_made.refused = m_pricer.refusalOf(m_mine);
    P2_TRY_ASSIGN(auto mine, m_pricer.priced(m_mine, m_pricer.ownOrder()));
    m_made.fits = m_pricer.fits(peakMemory(m_question.model, m_mine));
    if (mine) {
      m_made.mine = std::move(*mine);
    } else {
      m_made.mine.framework = &m_framework;
      m_made.mine.configuration = m_mine;
      m_made.mine.memory = peakMemory(m_question.model, m_mine);
      if (!m_made.refused) m_made.refused = m_pricer.unplaced();
    }
    if (!m_made.refused && m_made.fits && extent == EvaluationExtent::WithRank) {
      TrainingQuestion everywhere = m_question;
      everywhere.frameworks = frameworksOn(m_pricer.accelerator().platform, trainingFrameworks());
      P2_TRY_ASSIGN(const auto ranks,
                    ranksOf(m_made.mine.estimate.seconds, m_framework, everywhere, m_pricer.accelerator(),
                            m_made.reserve, m_pricer.placements(), m_stop, m_progress));
      m_made.inFramework = ranks.inFramework;
      m_made.inAll = ranks.inAll;
    }
    P2_TRY(findChanges());
    return std::move(m_made);
  }

 private:
  /// The best alternative of every choice, of those that run and fit. Where no single choice is enough, of two.
  Result<void> findChanges() {
    const std::string order = m_made.mine.orders.empty() ? std::string() : m_made.mine.orders.front();
    const auto consider = [&](const std::string& key, const std::string& choice, const TrainingConfiguration& changed) {
      return considerChange(key, choice, changed, order);
    };
    forEachChange(m_framework, m_question.model, m_pricer.accelerator(), m_mine, consider);
    for (const std::string_view other : m_framework.orders) {
      if (std::find(m_made.mine.orders.begin(), m_made.mine.orders.end(), other) != m_made.mine.orders.end()) continue;
      considerChange("order", "order of ranks " + std::string(other), m_mine, std::string(other));
    }
    if (!runs() && m_changes.empty()) {
      forEachChange(m_framework, m_question.model, m_pricer.accelerator(), m_mine,
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
    if (m_problem || m_stop.stop_requested() || m_pricer.refusalOf(changed) ||
        !m_pricer.fits(peakMemory(m_question.model, changed)))
      return;
    if (!checkConfiguration(m_question.model, changed).ok()) return;
    auto planned = m_pricer.priced(changed, order);
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
    forEachChange(m_framework, m_question.model, m_pricer.accelerator(), changed,
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
  const TrainingFramework& m_framework;
  const TrainingConfiguration& m_mine;
  ChangePricer m_pricer;
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
