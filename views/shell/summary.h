// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "explore/explore.h"

namespace p2::views {

class StepPlanner;

/// The document in one line: question and answer.
struct Summary {
  QString question;  ///< "4 nodes × 16 GPUs · data 8, model 2, shards 4 · reduce data, shards"
  QString answer;    ///< "5 placements · 235 programs · best 2.83 s, 1.84× AllReduce"; empty without an exploration
};

[[nodiscard]] Summary summaryOf(const Workspace& workspace, const Exploration* exploration);

/// How the document's model is trained in one line: "llama3-70b on 16 nodes × 8 GPUs · 1024 × 8192 tokens · best tp 4 ·
/// dp 8 · 31.2 s (27.0–36.1), 46 % MFU"; says so if there is no model.
[[nodiscard]] QString trainingSummary(const Workspace& workspace, const StepPlanner& planner);

/// "AllReduce": the goal's one collective, with which programs are compared; "RS·AR" for shards that have replicas.
[[nodiscard]] QString singleName(const Workspace& workspace);
/// "The paper's model counts bandwidth alone, without latency, and every collective is a flat ring.": effects that no
/// time includes, in one sentence; empty for models with latencies.
[[nodiscard]] QString bandwidthAloneText(const CostOptions& cost);
/// "data, shards": those that are reduced over; empty for none.
[[nodiscard]] QString reducedAxesText(const std::vector<Axis>& axes);
/// "data 8 · model 2 · shards 4"; "no axes".
[[nodiscard]] QString axesText(const std::vector<Axis>& axes);
/// "RS·node → AR·node∥root → AG·node 2.83 s".
[[nodiscard]] QString programText(const PlacementResult& placement, const ProgramResult& program);
/// "Predicted by the paper model (ring). Not modelled:" and the unmodelled effects, one per line.
[[nodiscard]] QString predictedText(const Workspace& workspace, const ProgramResult& program);
/// "1 program", "12 808 programs": of a count that may be larger than whole numbers are.
[[nodiscard]] QString counted(const Count& count, const QString& noun);
/// Digits in groups of three: "12 808".
[[nodiscard]] QString groupedDigits(const Count& count);

}  // namespace p2::views
