// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload: common parts of the generator.
#pragma once

#include <optional>

#include "workload/generate/training_mesh.h"
#include "workload/sources.h"

namespace p2::inline workload {

/// A number and what formulas call it.
struct Symbol {
  std::string name;
  std::int64_t value = 1;
};

/// ∏ times / ∏ over, rounded up to whole bytes.
struct ByteFormula {
  std::vector<Symbol> times;
  std::vector<Symbol> over;
};

/// A workload on its way: model, plan and axes, and the entries so far.
class Generation {
 public:
  Generation(const ModelShape& model, const TrainingPlan& plan, const TrainingMesh& mesh);

  const ModelShape& model;
  const TrainingPlan& plan;
  const TrainingMesh& mesh;
  std::int64_t denseLayers = 0;   ///< dense layers of the current stage
  std::int64_t expertLayers = 0;  ///< of it, those with experts

  [[nodiscard]] std::int64_t layers() const { return denseLayers + expertLayers; }
  [[nodiscard]] std::int64_t shards() const { return plan.data / plan.replicas * plan.context; }
  /// {"microbatches", m}.
  [[nodiscard]] CountFactor microbatches() const { return {"microbatches", plan.microbatches}; }
  /// Number of forward passes per step: two if the backward pass recomputes.
  [[nodiscard]] std::int64_t forwards() const { return plan.recompute ? 2 : 1; }
  [[nodiscard]] static Symbol beta(const char* name, NumberFormat format) { return {name, sizeOf(format).bytes}; }
  /// β·b·s·h/c: the activations between two layers, of a device's part of the sequence.
  [[nodiscard]] ByteFormula activations() const;

  /// Adds the entry unless it has no axes or a count of 0. A product beyond 63 bits is reported to problem(). The entry
  /// may be changed until the next is added; null if none was added.
  WorkloadEntry* add(std::string name, const TrainingMesh::Names& axes, CommunicationKind kind,
                     const ByteFormula& bytes, std::vector<CountFactor> count, CommunicationOverlap overlap);
  void assume(std::string sentence) { m_assumed.push_back(std::move(sentence)); }

  [[nodiscard]] std::vector<WorkloadEntry> takeEntries() { return std::move(m_entries); }
  [[nodiscard]] std::vector<std::string> takeAssumed() { return std::move(m_assumed); }
  [[nodiscard]] const std::optional<Error>& problem() const { return m_problem; }

 private:
  std::vector<WorkloadEntry> m_entries;
  std::vector<std::string> m_assumed;
  std::optional<Error> m_problem;
};

inline constexpr CommunicationOverlap kExposed{CommunicationOverlap::Extent::None, 0};
inline constexpr CommunicationOverlap kOverlapsCompute{CommunicationOverlap::Extent::Compute, 0};

/// Tensor and sequence parallelism of layers; embedding, head, loss and norms.
void addTensorEntries(Generation& generation);
/// Keys and values over the parts of a sequence.
void addContextEntries(Generation& generation);
/// Parameters and gradients, as ZeRO shards them.
void addDataEntries(Generation& generation);
/// Tokens to experts and back.
void addExpertEntries(Generation& generation);
/// Activations from stage to stage, and gradients back.
void addPipelineEntries(Generation& generation);

}  // namespace p2::inline workload
