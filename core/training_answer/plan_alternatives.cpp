// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/plan_alternatives.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/near.h"
#include "base/units.h"
#include "training/framework_placements.h"
#include "training_answer/configuration_comparison.h"
#include "training_answer/detail/change_pricer.h"
#include "training_answer/detail/training_changes.h"

namespace p2::inline training_answer {
namespace {

using Verdict = PlanAlternative::Verdict;

/// The main choices: one without an alternative that runs says why.
constexpr std::array<std::string_view, 6> kAsked{"tp", "pp", "ep", "microbatch", "zero", "recompute"};

/// A choice whose other values are compared by their best plans.
struct FreeChoice {
  std::string_view key;
  bool isListed;  ///< a listing has the best plan of each value: it is one of PlannerListing::Degrees
  void (*copy)(FixedChoices& to, const FixedChoices& from);
};
constexpr std::array<FreeChoice, 12> kFreeChoices{
    {{"tp", true, [](auto& to, const auto& from) { to.tensor = from.tensor; }},
     {"pp", true, [](auto& to, const auto& from) { to.pipeline = from.pipeline; }},
     {"cp", true, [](auto& to, const auto& from) { to.context = from.context; }},
     {"ep", true, [](auto& to, const auto& from) { to.expert = from.expert; }},
     {"zero", true, [](auto& to, const auto& from) { to.zero = from.zero; }},
     {"replicas", true, [](auto& to, const auto& from) { to.replicas = from.replicas; }},
     {"sp", true, [](auto& to, const auto& from) { to.sequenceParallel = from.sequenceParallel; }},
     {"vpp", false, [](auto& to, const auto& from) { to.chunks = from.chunks; }},
     {"microbatch", false, [](auto& to, const auto& from) { to.microbatch = from.microbatch; }},
     {"recompute", false, [](auto& to, const auto& from) { to.recomputation = from.recomputation; }},
     {"schedule", false, [](auto& to, const auto& from) { to.schedule = from.schedule; }},
     {"cp kind", false, [](auto& to, const auto& from) { to.contextKind = from.contextKind; }}}};

const FreeChoice* freeChoice(std::string_view key) {
  const auto found =
      std::find_if(kFreeChoices.begin(), kFreeChoices.end(), [&](const FreeChoice& each) { return each.key == key; });
  return found == kFreeChoices.end() ? nullptr : &*found;
}

/// The value of one choice that a configuration has made.
FixedChoices valueOf(const FreeChoice& choice, const TrainingConfiguration& configuration) {
  FixedChoices value;
  choice.copy(value, choicesOf(configuration));
  return value;
}

StatedTraining statedBy(const PlannedConfiguration& plan) {
  StatedTraining stated;
  stated.framework = plan.framework;
  if (plan.needsRankFile()) stated.matrix = plan.matrix.text();
  if (!plan.orders.empty()) stated.order = plan.orders.front();
  return stated;
}

class Alternatives {
 public:
  Alternatives(const TrainingQuestion& question, const TrainingAnswer& answer, const PlannedConfiguration& plan,
               const PlanFilter& filter, TrainingAccelerator accelerator, std::stop_token stop)
      : m_question(question),
        m_answer(answer),
        m_plan(plan),
        m_filter(filter),
        m_placements(trainingPlacements(question.model, question.system)),
        m_stated(statedBy(plan)),
        m_pricer(m_question, m_stated, std::move(accelerator), stop),
        m_stop(std::move(stop)) {}

  Result<std::vector<PlanAlternative>> run() {
    const std::string order = m_plan.orders.empty() ? std::string() : m_plan.orders.front();
    forEachChange(*m_plan.framework, m_question.model, m_pricer.accelerator(), m_plan.configuration,
                  [&](const std::string& key, const std::string& choice, const TrainingConfiguration& changed) {
                    if (m_problem || m_stop.stop_requested()) return;
                    if (const FreeChoice* free = freeChoice(key)) {
                      if (!considerBest(*free, choice, changed)) consider(key, choice, changed, order, true);
                    } else {
                      consider(key, choice, changed, order);
                    }
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
  /// The best plan with the changed value. False: no plan has it.
  bool considerBest(const FreeChoice& free, const std::string& choice, const TrainingConfiguration& changed) {
    const FixedChoices value = valueOf(free, changed);
    const auto [known, isNew] = m_best.try_emplace(fixedChoicesText(value));
    if (!isNew) return known->second;
    const auto best = bestWith(free, value);
    known->second = best.has_value();
    if (best) m_found.push_back({std::string(free.key), choice, Verdict::Runs, *best, false, {}});
    return known->second;
  }

  std::optional<PlannedConfiguration> bestWith(const FreeChoice& free, const FixedChoices& value) {
    const auto& listed = m_answer.configurations;
    FixedChoices own;
    free.copy(own, m_question.fixed);
    if (free.isListed && own == FixedChoices() && listed.size() < m_question.best) {
      const auto isIt = [&](const PlannedConfiguration& each) { return valueOf(free, each.configuration) == value; };
      std::optional<PlannedConfiguration> best;
      for (const PlannedConfiguration& each : listed) {
        if (each.framework != m_plan.framework || !isIt(each)) continue;
        if (!best || each.estimate.seconds < best->estimate.seconds) best = each;
      }
      // Searches leave some values out unless they are fixed.
      if (best) return best;
    }
    TrainingQuestion question = m_question;
    question.frameworks = {m_plan.framework};
    free.copy(question.fixed, value);
    question.best = 1;
    const auto filter = std::find(kPlanFilters.begin(), kPlanFilters.end(), m_filter);
    question.listsFiltered = filter != kPlanFilters.end();
    auto answer = planTraining(question, m_placements.orders, m_stop, {}, m_placements.rankFiles);
    if (!answer.ok()) return std::nullopt;
    const auto place = static_cast<std::size_t>(filter - kPlanFilters.begin());
    auto& found = question.listsFiltered ? answer.value().filtered[place] : answer.value().configurations;
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
  }

  /// `isFree`: no plan has the value, so that only the reason is wanted.
  void consider(const std::string& key, const std::string& choice, const TrainingConfiguration& changed,
                const std::string& order, bool isFree = false) {
    if (m_problem || m_stop.stop_requested() || !checkConfiguration(m_question.model, changed).ok()) return;
    PlanAlternative made{key, choice, Verdict::Runs, {}, true, {}};
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
      if (!isFree || made.verdict != Verdict::Runs) add(std::move(made));
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
  const TrainingAnswer& m_answer;
  const PlannedConfiguration& m_plan;
  const PlanFilter& m_filter;
  TrainingPlacements m_placements;
  StatedTraining m_stated;
  ChangePricer m_pricer;
  std::stop_token m_stop;
  std::vector<PlanAlternative> m_found;
  std::map<std::string, bool> m_best;  ///< values that were looked for, and whether a plan has them
  std::optional<Error> m_problem;
};

}  // namespace

Result<std::vector<PlanAlternative>> planAlternatives(const TrainingQuestion& question, const TrainingAnswer& answer,
                                                      const PlannedConfiguration& plan, const PlanFilter& filter,
                                                      std::stop_token stop) {
  P2_TRY_ASSIGN(auto accelerator, trainingAcceleratorOf(question.system));
  return Alternatives(question, answer, plan, filter, std::move(accelerator), std::move(stop)).run();
}

}  // namespace p2::inline training_answer
