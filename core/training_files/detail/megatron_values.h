// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files: values of Megatron's settings, in the forms that its releases and recipes have.
#pragma once

#include "training_files/detail/file_format.h"

/// Each writes a setting's value down; false: the value is not one of the setting.
namespace p2::inline training_files::megatron_values {

bool contextKind(std::string_view value, StatedTraining& stated);
bool contextSizes(std::string_view value, StatedTraining& stated);
bool innerPipeline(std::string_view value, StatedTraining& stated);
bool zeroOne(std::string_view value, StatedTraining& stated);
bool optimizerName(std::string_view value, StatedTraining& stated);
bool fullySharded(std::string_view value, StatedTraining& stated);
bool shardingStrategy(std::string_view value, StatedTraining& stated);
bool recomputeMethod(std::string_view value, StatedTraining& stated);
bool recomputedModules(std::string_view value, StatedTraining& stated);
bool recomputedExperts(std::string_view value, StatedTraining& stated);
bool granularity(std::string_view value, StatedTraining& stated);
bool selective(std::string_view value, StatedTraining& stated);
bool fullMethod(std::string_view value, StatedTraining& stated);
bool sixteenBits(std::string_view value, StatedTraining& stated);
bool eightBits(std::string_view value, StatedTraining& stated);
bool fp8Scales(std::string_view value, StatedTraining& stated);
bool fourBits(std::string_view value, StatedTraining& stated);
bool mixedPrecision(std::string_view value, StatedTraining& stated);
bool attentionBackend(std::string_view value, StatedTraining& stated);
bool graphs(std::string_view value, StatedTraining& stated);
bool graphModules(std::string_view value, StatedTraining& stated);
bool dispatcher(std::string_view value, StatedTraining& stated);
bool flexBackend(std::string_view value, StatedTraining& stated);
bool deepEp(std::string_view value, StatedTraining& stated);
bool lossFusion(std::string_view value, StatedTraining& stated);
bool momentType(std::string_view value, StatedTraining& stated);
bool offloaded(std::string_view value, StatedTraining& stated);
bool batchSchedule(std::string_view value, StatedTraining& stated);
bool predictedTokens(std::string_view value, StatedTraining& stated);
bool adapters(std::string_view value, StatedTraining& stated);
bool sumsIn16(std::string_view value, StatedTraining& stated);
bool sumsIn(std::string_view value, StatedTraining& stated);
bool positions(std::string_view value, StatedTraining& stated);
bool rotary(std::string_view value, StatedTraining& stated);
bool softmax(std::string_view value, StatedTraining& stated);
bool norm(std::string_view value, StatedTraining& stated);
bool stageLayout(std::string_view value, StatedTraining& stated);
bool layerPattern(std::string_view value, StatedTraining& stated);
bool windowSize(std::string_view value, StatedTraining& stated);
bool windowPattern(std::string_view value, StatedTraining& stated);
bool attentionDropout(std::string_view value, StatedTraining& stated);
bool hiddenDropout(std::string_view value, StatedTraining& stated);
bool embeddingCounts(std::string_view value, StatedTraining& stated);
bool headCounts(std::string_view value, StatedTraining& stated);

}  // namespace p2::inline training_files::megatron_values
