// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/communication.h"

#include <algorithm>

namespace p2::inline training {

std::int64_t membersOf(TrainingGroup group, const TrainingPlan& plan) {
  switch (group) {
    case TrainingGroup::Tensor:
      return plan.tensor;
    case TrainingGroup::Context:
      return plan.context;
    case TrainingGroup::Shards:
      return plan.data / plan.replicas * plan.context;
    case TrainingGroup::Replicas:
      return plan.replicas;
    case TrainingGroup::Data:
      return plan.data * plan.context;
    case TrainingGroup::Expert:
      return plan.expert;
    case TrainingGroup::ExpertTensor:
      return plan.expertTensor;
    case TrainingGroup::ExpertData:
      return std::max<std::int64_t>(1, expertCopies(plan));
    case TrainingGroup::Pipeline:
      return plan.pipeline;
    case TrainingGroup::Ends:
      return plan.pipeline > 1 ? 2 : 1;
  }
  return 1;
}

const CommunicationPrices& noCommunication() {
  static const NoCommunication kNone;
  return kNone;
}

}  // namespace p2::inline training
