// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace p2::inline workspace {

/// The configuration that the user has decided for. Degrees that follow from the system and the batch (data
/// parallelism, microbatches) are no part of it, so that it survives a change of either.
struct ChosenConfiguration {
  std::string framework;  ///< name of the framework, as in "megatron"
  std::string choices;    ///< as fixedChoicesFrom() reads them: "tp=8,pp=4,zero=1,microbatch=1"
  std::string order;      ///< name of the framework's order of ranks; empty for the fastest
  friend bool operator==(const ChosenConfiguration&, const ChosenConfiguration&) = default;
};

/// The model that is trained, and how: the question to the planner, in the user's words. Names are not checked here,
/// the planner does that.
struct TrainingChoice {
  std::string model;                          ///< name of a bundled model, or of the model in `config`; empty for none
  std::string config;                         ///< content of a config.json or p2-model file; empty for a bundled model
  std::int64_t batch = kDefaultBatch;         ///< sequences of a step
  std::int64_t sequence = kDefaultSequence;   ///< tokens of a sequence
  std::string precision = "bf16";             ///< of products: bf16, fp8 or fp4
  std::string framework;                      ///< name of a framework, or "any"; empty for the first that runs there
  double reserve = 0;                         ///< bytes of a device that are kept free; 0 for the default
  std::string fixed;                          ///< choices that are made, as fixedChoicesFrom() reads them
  std::optional<ChosenConfiguration> chosen;  ///< none for the best
  std::string mine;                           ///< text of the user's own configuration, in any form that can be read

  static constexpr std::int64_t kDefaultBatch = 1024;
  static constexpr std::int64_t kDefaultSequence = 4096;
  friend bool operator==(const TrainingChoice&, const TrainingChoice&) = default;
};

}  // namespace p2::inline workspace
