// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/ring_prices.h"

#include <algorithm>
#include <cmath>

namespace p2::inline training {

RingPrices::RingPrices(const TrainingAccelerator& accelerator, const TrainingPlan& plan, std::int64_t expertsPerToken,
                       const StepConstants& constants)
    : m_accelerator(accelerator),
      m_plan(plan),
      m_expertsPerToken(static_cast<double>(expertsPerToken)),
      m_constants(constants) {}

RingPrices::Reach RingPrices::reachOf(TrainingGroup group) const {
  const std::int64_t inner = m_plan.tensor;
  const std::int64_t shards = inner * m_plan.context * (m_plan.data / m_plan.replicas);
  std::int64_t stride = 1;
  switch (group) {
    case TrainingGroup::Tensor:
    case TrainingGroup::Expert:
    case TrainingGroup::ExpertTensor:
      break;
    case TrainingGroup::Context:
    case TrainingGroup::Shards:
    case TrainingGroup::Data:
      stride = inner;
      break;
    case TrainingGroup::Replicas:
      stride = shards;
      break;
    case TrainingGroup::ExpertData:
      stride = m_plan.expert * m_plan.expertTensor;
      break;
    case TrainingGroup::Pipeline:
      stride = inner * m_plan.context * m_plan.data;
      break;
    case TrainingGroup::Ends:
      stride = inner * m_plan.context * m_plan.data * (m_plan.pipeline - 1);
      break;
  }
  const std::int64_t members = membersOf(group, m_plan);
  std::int64_t inside = members;
  if (m_accelerator.domain > 0) inside = std::clamp<std::int64_t>(m_accelerator.domain / stride, 1, members);
  const auto n = static_cast<double>(members);
  return {n, static_cast<double>(inside), std::ceil(n / static_cast<double>(inside))};
}

/// Inside a domain every copy crosses the links; between domains one copy for each domain that a token visits.
double RingPrices::dispatchSeconds(const Reach& reach, double bytes) const {
  const double link = m_accelerator.link * std::min(1.0, m_constants[StepConstant::AllToAllShare]);
  double seconds = bytes * (reach.members - 1) / reach.members / link;
  if (reach.domains > 1) {
    double share = (reach.domains - 1) / reach.domains;  // share of the copies that leave the domain
    if (m_expertsPerToken > 0) {
      share *= reach.domains * (1 - std::pow(1 - 1 / reach.domains, m_expertsPerToken)) / m_expertsPerToken;
    }
    const double nic = m_accelerator.nic * m_constants[StepConstant::NicShare];
    seconds = std::max(seconds, bytes * share / nic);
  }
  return seconds + m_constants[StepConstant::LinkDelay];
}

double RingPrices::seconds(TrainingGroup group, CommunicationKind kind, double bytes) const {
  const Reach reach = reachOf(group);
  if (reach.members <= 1 || bytes <= 0) return 0;
  if (kind == CommunicationKind::Dispatch) return dispatchSeconds(reach, bytes);
  const double link = m_accelerator.link * std::min(1.0, m_constants[StepConstant::LinkShare]);
  const double nic = m_accelerator.nic * m_constants[StepConstant::NicShare];
  double bandwidth = link;
  if (reach.domains > 1) {
    const double scale = std::max(0.2, 1 - m_constants[StepConstant::NicScale] * std::log2(reach.domains));
    bandwidth = std::min(link, nic * reach.inside * scale);
  }
  if (kind == CommunicationKind::Shift) return bytes / bandwidth + m_constants[StepConstant::StageDelay];
  const double passes = kind == CommunicationKind::AllReduce ? 2 : 1;
  const double delay =
      m_constants[StepConstant::LinkDelay] / 2 + m_constants[StepConstant::HopDelay] * (reach.domains - 1);
  return passes * (bytes * (reach.members - 1) / reach.members / bandwidth + delay);
}

}  // namespace p2::inline training
