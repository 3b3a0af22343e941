// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/detail/change_pricer.h"

#include <algorithm>

namespace p2::inline training_answer {
namespace {

constexpr std::string_view kPlacedRule = "an order of the framework places the axes on the system";

}  // namespace

ChangePricer::ChangePricer(const TrainingQuestion& question, const StatedTraining& stated,
                           TrainingAccelerator accelerator, std::stop_token stop)
    : m_question(question),
      m_stated(stated),
      m_framework(*stated.framework),
      m_accelerator(std::move(accelerator)),
      m_reserve(question.reserve > 0 ? question.reserve : defaultMemoryReserve(m_accelerator.memory)),
      m_placements(question, std::move(stop)) {}

std::optional<TrainingRefusal> ChangePricer::refusalOf(const TrainingConfiguration& configuration) const {
  if (const std::string missing = missingPlatform(m_framework, m_accelerator.platform); !missing.empty()) {
    return TrainingRefusal{"framework runs on the accelerator", "it " + missing, std::string(m_framework.release)};
  }
  const FrameworkRule* rule = brokenRule(m_framework, m_question.model, configuration);
  if (rule == nullptr) return std::nullopt;
  return TrainingRefusal{std::string(rule->name), rule->broken(m_question.model, configuration).text(),
                         std::string(rule->source)};
}

TrainingRefusal ChangePricer::unplaced() const {
  return {std::string(kPlacedRule),
          "no order of " + std::string(m_framework.label) + " lays these degrees out over the levels of the system",
          std::string(m_framework.release)};
}

Result<std::optional<PlannedConfiguration>> ChangePricer::priced(const TrainingConfiguration& stated,
                                                                 const std::string& order) {
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

std::string ChangePricer::ownOrder() const {
  if (m_stated.order || m_framework.orders.empty()) return m_stated.order.value_or("");
  return std::string(m_framework.orders.front());
}

}  // namespace p2::inline training_answer
