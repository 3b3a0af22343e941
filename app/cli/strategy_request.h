// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/request.h"
#include "strategy_answer/pipeline_answer.h"
#include "strategy_answer/strategy_answer.h"

namespace p2::cli {

/// The typed options that turn a computation graph into cost tables.
struct GraphRequest {
  std::map<std::string, std::string, std::less<>> fields;  ///< values of strategyFields(), by their keys
  std::optional<std::string> system;
  std::optional<std::string> costModel;  ///< prices the system's collectives
  std::vector<std::string> dimensions;   ///< NAME=SIZE each
  std::optional<std::string> elementType;
  std::optional<std::string> deviceMemory;
  bool exactly = false;
};

/// The arguments of p2 strategy, as typed.
struct StrategyRequest {
  std::string file;
  std::optional<std::string> devices;
  std::optional<std::string> solver;
  std::optional<std::string> best;
  std::optional<std::string> memory;
  std::optional<std::string> timeLimit;
  std::vector<std::string> pins;
  std::optional<std::string> stages;  ///< pipeline stages, or "auto"
  GraphRequest graph;
  std::optional<std::string> output;
  bool asWorkload = false;
  bool asTraining = false;  ///< writes a plan of p2 train
  bool flags = false;       ///< prints the launch flags of that plan
  std::optional<std::string> framework;
  std::optional<std::string> evaluate;  ///< a file with a strategy, which is priced instead of a search
  bool compare = false;
  bool unfold = false;  ///< lists every layer
  bool list = false;
  AnswerForm form = AnswerForm::AsText;
};

/// --model, --system, --space, --cutoff, --flops, --batch …: how a computation graph becomes cost tables.
void addGraphOptions(CLI::App& command, GraphRequest& request);

/// The request with the values that the file of --evaluate states and the command line does not: microbatches, ZeRO,
/// recomputation, optimizer, number format and, of models, the sizes of a pass. Errors: of the file.
[[nodiscard]] Result<StrategyRequest> completedByFile(StrategyRequest request);

/// The question of a computation graph. Devices are those that are asked for, else the system's, else 8. Errors begin
/// with the option that is wrong.
[[nodiscard]] Result<StrategyQuestion> strategyQuestionOf(const StrategyRequest& request);

/// Reads the graph or the cost tables of the request. Cost tables take no graph options. Warnings of the reader go to
/// stderr. Errors begin with the argument that is wrong.
[[nodiscard]] Result<StrategyInput> strategyInputOf(const StrategyRequest& request);

/// The strategy of --evaluate; nothing without the option. Errors: of the file, cost tables, a mesh that does not fit
/// the system, options that ask for a search.
[[nodiscard]] Result<std::optional<StrategyPlan>> strategyPlanOf(const StrategyRequest& request,
                                                                 const StrategyInput& input);

/// --best, --memory, --time-limit, and on a mesh --pin.
[[nodiscard]] Result<StrategySearch> strategySearchOf(const StrategyRequest& request, const StrategyInput& input);
/// --pin of cost tables: a configuration by its number or its parts.
[[nodiscard]] Result<void> pinTables(const StrategyRequest& request, const StrategyProblem& problem,
                                     SolveOptions& options);

/// --stages of a pipeline: nothing for "auto". Errors: options that no pipeline has.
[[nodiscard]] Result<PipelineSearch> pipelineSearchOf(const StrategyRequest& request, const StrategyInput& input,
                                                      std::optional<StrategyPlan> plan);

}  // namespace p2::cli
