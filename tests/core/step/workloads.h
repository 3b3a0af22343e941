// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/step_ranking.h"
#include "support/fixtures.h"

namespace p2::test {

inline WorkloadEntry entryOf(const char* name, std::vector<std::string> axes, CommunicationKind kind,
                             std::int64_t bytes, std::int64_t count,
                             CommunicationOverlap::Extent extent = CommunicationOverlap::Extent::None,
                             double value = 0) {
  WorkloadEntry entry;
  entry.name = name;
  entry.axes = std::move(axes);
  entry.kind = kind;
  entry.bytes = bytes;
  entry.count = count;
  entry.overlap = {extent, value};
  return entry;
}

inline StepQuestion questionOf(const char* system, const char* axes, std::vector<WorkloadEntry> entries,
                               const char* model = "paper", Algorithm algorithm = Algorithm::Ring) {
  StepQuestion question;
  question.system = valueOf(parseSystem(system));
  question.workload.axes = valueOf(parseAxes(axes));
  question.workload.collectives = std::move(entries);
  question.options.cost.model = model;
  question.options.cost.algorithm = algorithm;
  return question;
}

/// The published tables of these workloads count bandwidths only.
inline StepQuestion withoutLatencies(StepQuestion question) {
  for (Level& level : question.system.levels) level.interconnect.latency = 0;
  for (Network& network : question.system.networks) network.interconnect.latency = 0;
  return question;
}

/// Llama 3.1 70B as TorchTitan ran it on 256 H100: FSDP over data, TP with SP over tensor, everything recomputed.
inline StepQuestion fsdpAndTensor() {
  using enum CommunicationKind;
  using enum CommunicationOverlap::Extent;
  constexpr std::int64_t kActivations = 2'147'483'648;
  return questionOf("dgx-h100:32", "data=32,tensor=8",
                    {entryOf("layer weights", {"data"}, AllGather, 213'913'600, 160, Compute),
                     entryOf("gradients", {"data"}, ReduceScatter, 427'827'200, 80, Compute),
                     entryOf("activations", {"tensor"}, AllGather, kActivations, 480),
                     entryOf("activations", {"tensor"}, ReduceScatter, kActivations, 480)});
}

/// The same model with sequences of 32,768: four-way context parallelism, gradients reduced once a step over two axes.
inline StepQuestion withContext() {
  using enum CommunicationKind;
  using enum CommunicationOverlap::Extent;
  constexpr std::int64_t kLayers = 80;
  constexpr std::int64_t kMicrobatches = 4;
  const std::int64_t runs = kLayers * kMicrobatches;
  return questionOf("dgx-h100:32", "data=16,context=4,tensor=4",
                    {entryOf("activations", {"tensor"}, AllGather, 134'217'728, 4 * runs),
                     entryOf("activations", {"tensor"}, ReduceScatter, 134'217'728, 4 * runs),
                     entryOf("keys and values", {"context"}, AllGather, 33'554'432, 2 * runs),
                     entryOf("keys and values", {"context"}, ReduceScatter, 33'554'432, runs),
                     entryOf("layer weights", {"data", "context"}, AllGather, 427'827'200, 2 * runs, Compute),
                     entryOf("gradients", {"data", "context"}, ReduceScatter, 855'654'400, kLayers, Compute)});
}

inline std::shared_ptr<const StepRanking> ranked(const StepQuestion& question) { return valueOf(rankSteps(question)); }

inline const PlacementStep& on(const StepRanking& ranking, const QByteArray& matrix) {
  const auto at = ranking.find(valueOf(parseMatrix(matrix.toStdString())));
  if (!at) qFatal("no placement %s", matrix.constData());
  return ranking.placements[*at];
}

/// As if the same link were the busiest for all entries.
inline std::vector<double> addedBytes(const StepRanking& ranking, const PlacementStep& placement) {
  std::vector<double> sums(placement.linkBytes.size(), 0);
  for (std::size_t i = 0; i < ranking.entries().size(); ++i) {
    const EntryCost& cost = ranking.cost(placement, i);
    for (std::size_t link = 0; link < cost.linkBytes.size(); ++link) {
      sums[link] += cost.linkBytes[link] * double(ranking.entries()[i].count);
    }
  }
  return sums;
}

inline double secondsOver(const StepRanking& ranking, const PlacementStep& placement, const char* axis) {
  double seconds = 0;
  for (std::size_t i = 0; i < ranking.entries().size(); ++i) {
    if (ranking.entries()[i].axes[0] == axis) seconds += ranking.seconds(placement, i);
  }
  return seconds;
}

}  // namespace p2::test
