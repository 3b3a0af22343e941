// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/cli/strategy_request.h"
#include "base/counted.h"
#include "base/lists.h"
#include "base/numbers.h"
#include "base/units.h"
#include "text/text_file.h"

namespace p2::cli {
namespace {

constexpr std::int64_t kMostBest = 100'000;
constexpr std::int64_t kMostSeconds = 1'000'000;

/// "3", or "1,8,1" with or without brackets.
std::optional<Configuration> partsFrom(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  Configuration parts;
  for (const std::string& name : commaParts(text)) {
    const auto part = parseInteger(name);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  return parts;
}

/// "1,8 · 2,4 · 4,2 · …".
std::string listedText(const std::vector<Configuration>& configurations) {
  constexpr std::size_t kMostNamed = 6;
  std::string text;
  for (std::size_t i = 0; i < configurations.size() && i < kMostNamed; ++i) {
    if (i > 0) text += " · ";
    for (std::size_t axis = 0; axis < configurations[i].size(); ++axis) {
      text += (axis == 0 ? "" : ",") + std::to_string(configurations[i][axis]);
    }
  }
  return configurations.size() > kMostNamed ? text + " · …" : text;
}

Result<std::size_t> configurationFrom(const ConfigurationDomain& domain, const std::string& text) {
  const auto parts = partsFrom(text);
  const bool listed = text.find_first_of("[,") != std::string::npos;
  const std::size_t count = domain.configurations.size();
  if (!parts) {
    return Error{"\"" + text + "\" is not a configuration; use a number from 0 to " +
                 countedText(count - 1, "or part") + " as in 1,8,1"};
  }
  if (!listed) {
    P2_TRY_ASSIGN(const auto index, wholeNumber(text, "configuration", 0, static_cast<std::int64_t>(count) - 1));
    return static_cast<std::size_t>(index);
  }
  const auto found = std::find(domain.configurations.begin(), domain.configurations.end(), *parts);
  if (found != domain.configurations.end()) return static_cast<std::size_t>(found - domain.configurations.begin());
  return Error{"there is no configuration " + text + "; the vertex has " + std::to_string(count) + ": " +
               listedText(domain.configurations)};
}

/// Splits "fc6=1,8,1" at the last equals sign: index of the vertex of that name, and the text after the sign.
template <class Named>
Result<std::pair<std::size_t, std::string>> splitPin(const std::string& text, const std::vector<Named>& vertices) {
  const std::size_t sign = text.rfind('=');
  if (sign == std::string::npos || sign == 0) {
    return Error{"\"" + text + "\" is not a pin; use vertex=configuration"};
  }
  const std::string name = text.substr(0, sign);
  const auto vertex =
      std::find_if(vertices.begin(), vertices.end(), [&](const Named& each) { return each.name == name; });
  if (vertex == vertices.end()) {
    const std::string first = vertices.empty() ? "" : "; the first is \"" + vertices[0].name + "\"";
    return Error{"there is no vertex \"" + name + "\"" + first};
  }
  return std::pair{static_cast<std::size_t>(vertex - vertices.begin()), text.substr(sign + 1)};
}

Result<void> pin(const std::string& text, const StrategyProblem& problem, SolveOptions& options) {
  P2_TRY_ASSIGN(const auto split, splitPin(text, problem.vertices));
  const auto& [index, wanted] = split;
  const std::string& name = problem.vertices[index].name;
  P2_TRY_ASSIGN(const auto configuration, configurationFrom(problem.domainOf(index), wanted).within(name));
  options.pinned.resize(problem.vertices.size());
  if (options.pinned[index]) return Error{"the vertex \"" + name + "\" is pinned twice; keep one"};
  options.pinned[index] = configuration;
  return {};
}

Result<StrategyPlan> readPlan(const StrategyRequest& request, const ComputationGraph& graph) {
  if (!request.pins.empty()) return Error{"--evaluate takes every choice from the file; leave the pins out", "--pin"};
  if (request.best) return Error{"--evaluate prices one strategy; leave the option out", "--best"};
  P2_TRY_ASSIGN(const auto text, readTextFile(*request.evaluate).within("--evaluate"));
  return strategyPlanFromJson(text, graph).within(*request.evaluate);
}

Result<SolveOptions> solveOptionsOf(const StrategyRequest& request) {
  SolveOptions options;
  if (request.best) {
    P2_TRY_ASSIGN(const auto best, wholeNumber(*request.best, "--best", 1, kMostBest));
    options.best = static_cast<std::size_t>(best);
  }
  if (request.memory) {
    P2_TRY_ASSIGN(const auto bytes, parseBytes(*request.memory).within("--memory"));
    constexpr double kMost = 1e18;
    options.memoryLimit = static_cast<std::uint64_t>(std::min(bytes.value(), kMost));
  }
  if (request.timeLimit) {
    P2_TRY_ASSIGN(const auto seconds, wholeNumber(*request.timeLimit, "--time-limit", 1, kMostSeconds));
    options.searchUntil = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  }
  return options;
}

/// On a mesh a vertex is pinned to parts, since numbers of configurations differ from mesh to mesh.
Result<std::vector<StrategyPin>> meshPinsOf(const StrategyRequest& request, const ComputationGraph& graph) {
  std::vector<StrategyPin> pins;
  for (const std::string& text : request.pins) {
    P2_TRY_ASSIGN(const auto split, splitPin(text, graph.operators).within("--pin"));
    const Operator& op = graph.operators[split.first];
    const auto parts = partsFrom(split.second);
    if (!parts || parts->size() != op.dimensions.size()) {
      return Error{"\"" + split.second + "\" does not give the parts of the " +
                       countedText(op.dimensions.size(), "dimension") + " of " + op.name +
                       ", as in 1,8,1; numbers of configurations differ from mesh to mesh",
                   "--pin"};
    }
    const auto twice = [&](const StrategyPin& pin) { return pin.vertex == op.name; };
    if (std::any_of(pins.begin(), pins.end(), twice)) {
      return Error{"the vertex \"" + op.name + "\" is pinned twice; keep one", "--pin"};
    }
    pins.push_back({op.name, *parts});
  }
  return pins;
}

Result<std::optional<std::int64_t>> stagesOf(const std::string& text) {
  if (text == "auto") return std::optional<std::int64_t>();
  auto stages = wholeNumber(text, "--stages", 1, kMostStrategyDevices);
  if (stages.ok()) return std::optional(*stages);
  return Error{"\"" + text + "\" is not a number of stages; use a divisor of the devices, or auto", "--stages"};
}

}  // namespace

Result<std::optional<StrategyPlan>> strategyPlanOf(const StrategyRequest& request, const StrategyInput& input) {
  if (!request.evaluate) return std::optional<StrategyPlan>();
  if (!input.graph) {
    return Error{request.file + " has cost tables, which do not name dimensions; name a graph", "--evaluate"};
  }
  P2_TRY_ASSIGN(auto plan, readPlan(request, *input.graph));
  if (plan.mesh && input.isOnMesh()) {
    P2_TRY(checkMatrix(*input.system, plan.mesh->axes(), plan.mesh->matrix).within("--evaluate"));
  }
  return std::optional(std::move(plan));
}

Result<StrategySearch> strategySearchOf(const StrategyRequest& request, const StrategyInput& input) {
  StrategySearch search;
  P2_TRY_ASSIGN(search.solving, solveOptionsOf(request));
  if (input.isOnMesh()) {
    P2_TRY_ASSIGN(search.pins, meshPinsOf(request, *input.graph));
  }
  return search;
}

Result<void> pinTables(const StrategyRequest& request, const StrategyProblem& problem, SolveOptions& options) {
  if (problem.vertices.empty()) return {};
  for (const std::string& text : request.pins) P2_TRY(pin(text, problem, options).within("--pin"));
  return {};
}

Result<PipelineSearch> pipelineSearchOf(const StrategyRequest& request, const StrategyInput& input,
                                        std::optional<StrategyPlan> plan) {
  if (!input.graph) {
    return Error{request.file + " has cost tables, which have no stages; name a graph", "--stages"};
  }
  const auto refuse = [](bool given, const char* sentence, const char* option) -> Result<void> {
    if (given) return Error{sentence, option};
    return {};
  };
  P2_TRY(refuse(!input.isOnMesh(), "stages need the devices of a system; add --model hierarchical --system SYSTEM",
                "--stages"));
  P2_TRY(refuse(request.evaluate && request.stages, "--evaluate takes the stages from the file; leave the option out",
                "--stages"));
  P2_TRY(refuse(request.solver && *request.solver != "exact", "the literal solver has no stages; use --solver exact",
                "--solver"));
  P2_TRY(refuse(request.best.has_value(),
                "pipelines are not ranked below the best; ask for other numbers of stages one by one, or add --compare",
                "--best"));
  P2_TRY(
      refuse(!request.pins.empty(),
             "a pin in one of several equal stages is not possible, because they are solved once; write the pipeline "
             "with -o, change the operator there and price it with --evaluate",
             "--pin"));
  PipelineSearch search;
  P2_TRY_ASSIGN(search.solving, solveOptionsOf(request));
  search.plan = std::move(plan);
  if (search.plan) return search;
  P2_TRY_ASSIGN(search.stages, stagesOf(*request.stages));
  return search;
}

}  // namespace p2::cli
