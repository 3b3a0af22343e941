// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "export_plans.h"
#include "placement/realisation.h"
#include "workload/generate/generator.h"

namespace p2::test {

using Groups = std::vector<std::vector<std::int64_t>>;
using Degrees = std::map<std::string, std::int64_t>;

inline std::int64_t degree(const Degrees& degrees, const std::string& word) {
  const auto found = degrees.find(word);
  return found == degrees.end() ? 1 : found->second;
}

/// Megatron's published rule (megatron/core/parallel_state.py, generate_masked_orthogonal_rank_groups): ranks count
/// through the words of the order, the first fastest; a group holds all ranks that differ in the masked words alone.
inline Groups orthogonalGroups(const std::vector<std::string>& order, const Degrees& degrees,
                               const std::set<std::string>& mask) {
  std::int64_t world = 1;
  for (const std::string& word : order) world *= degree(degrees, word);
  std::map<std::int64_t, std::vector<std::int64_t>> groups;
  for (std::int64_t rank = 0; rank < world; ++rank) {
    std::int64_t rest = rank;
    std::int64_t stride = 1;
    std::int64_t others = 0;
    for (const std::string& word : order) {
      const std::int64_t size = degree(degrees, word);
      if (!mask.contains(word)) others += rest % size * stride;
      rest /= size;
      stride *= size;
    }
    groups[others].push_back(rank);
  }
  Groups list;
  for (auto& [others, group] : groups) list.push_back(std::move(group));
  return list;
}

/// Ranks that share a group of either kind.
inline Groups common(const Groups& first, const Groups& second) {
  const auto numbered = [](const Groups& groups) {
    std::map<std::int64_t, std::size_t> numbers;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      for (const std::int64_t rank : groups[i]) numbers[rank] = i;
    }
    return numbers;
  };
  const auto a = numbered(first);
  const auto b = numbered(second);
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::int64_t>> groups;
  for (const auto& [rank, group] : a) groups[{group, b.at(rank)}].push_back(rank);
  Groups list;
  for (auto& [both, group] : groups) list.push_back(std::move(group));
  return list;
}

/// The two meshes over the same ranks, each with the groups over one or two of its words.
struct TwoMeshes {
  std::vector<std::string> order;
  Degrees dense;
  Degrees expert;

  [[nodiscard]] std::vector<Groups> groups() const {
    std::vector<Groups> all;
    for (const auto& [mesh, words] : {std::pair{&dense, std::vector<std::string>{"tp", "cp", "dp", "pp"}},
                                      std::pair{&expert, std::vector<std::string>{"tp", "ep", "dp", "pp"}}}) {
      for (const std::string& first : words) {
        for (const std::string& second : words) {
          if (first <= second) all.push_back(orthogonalGroups(order, *mesh, {first, second}));
        }
      }
    }
    for (const char* one : {"tp", "cp", "dp", "pp"}) {
      for (const char* other : {"tp", "ep", "dp", "pp"}) {
        all.push_back(common(orthogonalGroups(order, dense, {one}), orthogonalGroups(order, expert, {other})));
      }
    }
    return all;
  }
};

inline std::vector<std::vector<std::int64_t>> rowsOf(const System& system, const std::vector<Groups>& groups) {
  std::vector<std::vector<std::int64_t>> rows;
  for (const Groups& each : groups) rows.push_back(rowShownBy(system, each));
  return rows;
}

/// A random mixture of experts over 8 to 128 devices, placed at random; what its axes are, by the degrees alone.
struct Trial {
  TrainingPlan training;
  std::vector<Axis> axes;
  System system;
  ParallelismMatrix matrix;
  bool isMegatronsOwn = false;

  [[nodiscard]] std::int64_t world() const { return devicesOf(training); }
  [[nodiscard]] TwoMeshes meshes() const {
    return {{"tp", "cp", "ep", "dp", "pp"},
            {{"tp", training.tensor}, {"cp", training.context}, {"dp", training.data}, {"pp", training.pipeline}},
            {{"tp", training.expertTensor},
             {"ep", training.expert},
             {"dp", expertCopies(training)},
             {"pp", training.pipeline}}};
  }
  /// Ranks count through the axes as listed; the placement says which device each is.
  [[nodiscard]] std::vector<Groups> groups() const {
    const std::vector<Device> devices = devicesByRank(Placement(axes, matrix), listedOrder(axes));
    std::vector<Groups> all = meshes().groups();
    for (Groups& groups : all) {
      for (auto& group : groups) {
        for (std::int64_t& rank : group) rank = devices[std::size_t(rank)].value();
        std::sort(group.begin(), group.end());
      }
    }
    return all;
  }
  [[nodiscard]] Plan plan() const {
    Workspace workspace;
    workspace.system = system;
    workspace.axes = axes;
    workspace.axes[0].reduce = true;
    workspace.matrix = matrix;
    const SynthesisHierarchy hierarchy(workspace.system, Placement(workspace.axes, workspace.matrix));
    workspace.program = programText(hierarchy, singleProgram(hierarchy));
    return valueOf(makePlan(workspace));
  }
  [[nodiscard]] bool isListed(const char* way) const {
    const auto ways = realisableBy(system, axes, matrix);
    return std::any_of(ways.begin(), ways.end(), [&](const Realisation& each) { return each.name == way; });
  }
  [[nodiscard]] QByteArray text() const {
    const TrainingPlan& t = training;
    std::string names;
    for (const Axis& axis : axes) names += axis.name + "=" + std::to_string(axis.size) + " ";
    return QString("tp %1 cp %2 dp %3 pp %4 ep %5 etp %6: %7 %8")
        .arg(t.tensor)
        .arg(t.context)
        .arg(t.data)
        .arg(t.pipeline)
        .arg(t.expert)
        .arg(t.expertTensor)
        .arg(QString::fromStdString(names), QString::fromStdString(matrix.text()))
        .toUtf8();
  }
};

inline std::optional<Trial> trialOf(std::mt19937& random) {
  const auto power = [&](int most) { return std::int64_t{1} << std::uniform_int_distribution<>(0, most)(random); };
  const ModelShape model{.layers = 16,
                         .hidden = 1024,
                         .ffn = 4096,
                         .heads = 32,
                         .kvHeads = 32,
                         .vocabulary = 32000,
                         .experts = 64,
                         .expertsPerToken = 2};
  Trial trial;
  trial.training = {.data = power(4), .tensor = power(3), .context = power(2), .pipeline = power(2), .microbatches = 8};
  trial.training.expert = power(5);
  trial.training.expertTensor = power(2);
  const std::int64_t world = devicesOf(trial.training);
  const std::int64_t inside = world / trial.training.pipeline;
  if (world < 16 || world > 128 || inside % (trial.training.expert * trial.training.expertTensor) != 0) return {};
  const auto source = generateWorkload(model, trial.training);
  if (!source.ok()) return {};
  trial.axes = source->workload.axes;
  trial.system = valueOf(parseSystem("node:" + std::to_string(world / 8) + " gpu:8"));
  trial.isMegatronsOwn = random() % 2 == 0;
  trial.matrix = rowMajorMatrix(trial.system, trial.axes);
  if (trial.isMegatronsOwn) return trial;
  std::vector<ParallelismMatrix> all;
  MatrixEnumerator enumerator(sizesOf(trial.axes), trial.system.counts());
  while (enumerator.next()) all.push_back(enumerator.matrix());
  trial.matrix = all[random() % all.size()];
  return trial;
}

inline std::vector<Trial> trials(std::size_t count) {
  std::mt19937 random(41);
  std::vector<Trial> all;
  while (all.size() < count) {
    if (auto trial = trialOf(random)) all.push_back(std::move(*trial));
  }
  return all;
}

}  // namespace p2::test
