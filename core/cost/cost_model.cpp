// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/cost_model.h"

#include <cassert>

#include "cost/nccl_model.h"
#include "cost/paper_model.h"

namespace p2 {

std::span<const CostModel* const> costModels() {
  static const PaperModel paper;
  static const NcclModel nccl;
  static const CostModel* const models[] = {&paper, &nccl};
  return models;
}

std::string knownCostModels() {
  std::string names;
  for (const CostModel* model : costModels()) names += (names.empty() ? "" : ", ") + std::string(model->name());
  return names;
}

Result<const CostModel*> costModelFrom(std::string_view name) {
  for (const CostModel* model : costModels()) {
    if (model->name() == name) return model;
  }
  return Error{"\"" + std::string(name) + "\" is not a cost model of this version, which has: " + knownCostModels()};
}

const CostModel& modelOf(const CostOptions& options) {
  const auto model = costModelFrom(options.model);
  assert(model.ok());
  return **model;
}

}  // namespace p2
