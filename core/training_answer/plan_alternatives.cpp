// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/plan_alternatives.h"

#include <algorithm>
#include <array>

#include "base/near.h"
#include "base/units.h"
#include "training_answer/configuration_comparison.h"
#include "training_answer/detail/change_pricer.h"
#include "training_answer/detail/training_changes.h"

namespace p2::inline training_answer {
namespace {

using Verdict = PlanAlternative::Verdict;

/// The main choices: one without an alternative that runs says why.
constexpr std::array<std::string_view, 6> kAsked{"tp", "pp", "ep", "microbatch", "zero", "recompute"};

StatedTraining statedBy(const PlannedConfiguration& plan) {
  StatedTraining stated;
  stated.framework = plan.framework;
  if (plan.needsRankFile()) stated.matrix = plan.matrix.text();
  if (!plan.orders.empty()) stated.order = plan.orders.front();
  return stated;
}

class Alternatives {
 public:
  Alternatives(const TrainingQuestion& question, const PlannedConfiguration& plan, TrainingAccelerator accelerator,
               std::stop_token stop)
      : m_question(question),
        m_plan(plan),
        m_stated(statedBy(plan)),
        m_pricer(m_question, m_stated, std::move(accelerator), stop),
        m_stop(std::move(stop)) {}

  Result<std::vector<PlanAlternative>> run() {
    const std::string order = m_plan.orders.empty() ? std::string() : m_plan.orders.front();
    forEachChange(*m_plan.framework, m_question.model, m_pricer.accelerator(), m_plan.configuration,
                  [&](const std::string& key, const std::string& choice, const TrainingConfiguration& changed) {
                    consider(key, choice, changed, order);
                  });
    for (const std::string_view other : m_plan.framework->orders) {
      if (std::find(m_plan.orders.begin(), m_plan.orders.end(), other) != m_plan.orders.end()) continue;
      consider("order", "order of ranks " + std::string(other), m_plan.configuration, std::string(other));
    }
    if (m_problem) return *m_problem;
    if (m_stop.stop_requested()) return cancelledError();
    return kept();
  }

 private:
  void consider(const std::string& key, const std::string& choice, const TrainingConfiguration& changed,
                const std::string& order) {
    if (m_problem || m_stop.stop_requested() || !checkConfiguration(m_question.model, changed).ok()) return;
    PlanAlternative made{key, choice, Verdict::Runs, {}, {}};
    if (const auto refusal = m_pricer.refusalOf(changed)) {
      made.verdict = Verdict::Refused;
      made.planned.framework = m_plan.framework;
      made.planned.configuration = changed;
      made.reason = refusal->reason;
      return add(std::move(made));
    }
    auto planned = m_pricer.priced(changed, order);
    if (!planned.ok()) {
      m_problem = planned.error();
    } else if (planned.value() && !isPlan(*planned.value())) {
      made.planned = std::move(*planned.value());
      if (!m_pricer.fits(made.planned.memory)) made.verdict = Verdict::TooLarge;
      add(std::move(made));
    }
  }

  /// An order of ranks may give the same placement.
  [[nodiscard]] bool isPlan(const PlannedConfiguration& other) const {
    return other.configuration == m_plan.configuration && other.matrix == m_plan.matrix;
  }

  /// Keeps the fastest of each choice and verdict, and the first that is refused.
  void add(PlanAlternative made) {
    const auto same = std::find_if(m_found.begin(), m_found.end(), [&](const PlanAlternative& each) {
      return each.key == made.key && each.verdict == made.verdict;
    });
    if (same == m_found.end()) return m_found.push_back(std::move(made));
    if (made.verdict != Verdict::Refused && made.planned.estimate.seconds < same->planned.estimate.seconds) {
      *same = std::move(made);
    }
  }

  [[nodiscard]] bool has(const std::string& key, Verdict verdict) const {
    return std::any_of(m_found.begin(), m_found.end(),
                       [&](const PlanAlternative& each) { return each.key == key && each.verdict == verdict; });
  }

  [[nodiscard]] bool isWanted(const PlanAlternative& each) const {
    const bool isAsked = std::find(kAsked.begin(), kAsked.end(), each.key) != kAsked.end();
    switch (each.verdict) {
      case Verdict::Runs:
        return true;
      case Verdict::TooLarge:
        return definitelyLess(each.planned.estimate.seconds, m_plan.estimate.seconds, kDisplayTolerance) ||
               (isAsked && !has(each.key, Verdict::Runs));
      case Verdict::Refused:
        return isAsked && !has(each.key, Verdict::Runs) && !has(each.key, Verdict::TooLarge);
    }
    return false;
  }

  [[nodiscard]] std::vector<PlanAlternative> kept() {
    std::vector<PlanAlternative> all;
    for (PlanAlternative& each : m_found) {
      if (!isWanted(each)) continue;
      if (each.verdict == Verdict::Runs) each.reason = describeMainPart(m_plan.estimate, each.planned.estimate);
      if (each.verdict == Verdict::TooLarge) each.reason = tooLargeReason(each.planned);
      all.push_back(each);
    }
    std::stable_sort(all.begin(), all.end(), [](const PlanAlternative& a, const PlanAlternative& b) {
      return std::pair(a.verdict, a.planned.estimate.seconds) < std::pair(b.verdict, b.planned.estimate.seconds);
    });
    return all;
  }

  [[nodiscard]] std::string tooLargeReason(const PlannedConfiguration& planned) const {
    const double usable = m_pricer.accelerator().memory - m_pricer.reserve();
    return "needs " + formatBytes(Bytes(planned.memory.total())) + ", a device has " + formatBytes(Bytes(usable)) +
           " to use";
  }

  const TrainingQuestion& m_question;
  const PlannedConfiguration& m_plan;
  StatedTraining m_stated;
  ChangePricer m_pricer;
  std::stop_token m_stop;
  std::vector<PlanAlternative> m_found;
  std::optional<Error> m_problem;
};

}  // namespace

Result<std::vector<PlanAlternative>> planAlternatives(const TrainingQuestion& question,
                                                      const PlannedConfiguration& plan, std::stop_token stop) {
  P2_TRY_ASSIGN(auto accelerator, trainingAcceleratorOf(question.system));
  return Alternatives(question, plan, std::move(accelerator), std::move(stop)).run();
}

}  // namespace p2::inline training_answer
