// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer_keys.h"

namespace p2::cli {

std::vector<AnswerKey> together(const std::vector<std::vector<AnswerKey>>& lists) {
  std::vector<AnswerKey> all;
  for (const std::vector<AnswerKey>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<DescribedAnswer> describedAnswers() {
  return {
      {"several commands", together({assumedKeys(), {kUnmodelledEffects}})},
      {"placements", placementsKeys()},
      {"programs, simulate", together({programKeys(), listingKeys()})},
      {"check", checkKeys()},
      {"sweep", sweepKeys()},
      {"step", stepKeys()},
      {"train", together({trainKeys(), configurationKeys(), evaluationKeys(), whyKeys()})},
      {"strategy", together({strategyKeys(), strategyFieldKeys(), mappingKeys(), pipelineKeys()})},
      {"run", runAnswerKeys()},
      {"compare-run", compareRunKeys()},
      {"compare", compareKeys()},
      {"what-if", whatIfKeys()},
      {"atlas", together({atlasKeys(), trainingRunsKeys(), versionKeys()})},
      {"calibrate", calibrateKeys()},
      {"workload", workloadKeys()},
      {"import", importKeys()},
      {"lesson", lessonKeys()},
  };
}

}  // namespace p2::cli
