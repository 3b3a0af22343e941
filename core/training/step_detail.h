// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/pipeline_play.h"
#include "training/step_estimate.h"

namespace p2::inline training {

/// Seconds of one pass of a microbatch through a chunk of a stage, by cause.
struct PassDetail {
  double computation = 0;    ///< kernels, and launches that the device waits for
  double recomputation = 0;  ///< forward passes done again
  std::array<double, kExposedAxes.size()> exposed{};

  [[nodiscard]] double seconds() const;
};

/// Work of one microbatch in one chunk of a stage.
struct ChunkDetail {
  PassDetail forward;
  PassDetail backward;  ///< without `weights`
  double weights = 0;   ///< gradients of the weights, which zero-bubble schedules may put off
};

/// Work of one microbatch on one pipeline stage.
struct StageDetail {
  std::int64_t layers = 0;  ///< sum over all chunks
  std::vector<ChunkDetail> chunks;
};

/// Seconds that kernels of a step take beyond the model's FLOP at the peak, by cause, on the mean device. They sum to
/// the StepParts::inefficiency of an estimate without calibration.
struct KernelLosses {
  double rate = 0;       ///< large products: their best kernels do not reach the data sheet's peak
  double shape = 0;      ///< what small, uneven and grouped products take beyond large ones
  double attention = 0;  ///< the core of attention, below the peak of 16-bit products
  double passes = 0;     ///< norms, activation functions, casts and the order of experts' tokens: they move memory
  double copies = 0;     ///< FSDP's casts and copies of parameters and gradients in every microbatch
  double head = 0;       ///< product with the vocabulary, and the loss
  double repeated = 0;   ///< FLOP that devices do beyond the model's: in parts that they do not share, and in padding

  [[nodiscard]] double sum() const { return rate + shape + attention + passes + copies + head + repeated; }
};

/// A predicted step with the work that its schedule plays, for timelines. Seconds.
struct StepDetail {
  StepEstimate estimate;
  ScheduleKind schedule = ScheduleKind::OneF1B;
  std::int64_t chunks = 1;
  std::int64_t microbatches = 1;
  std::vector<StageDetail> stages;
  // Once a step, after the last microbatch.
  double dataExposed = 0;  ///< gradients and parameters of data parallelism that no pass hides
  double endsExposed = 0;  ///< gradients of tied embeddings between the first and the last stage
  double waiting = 0;      ///< devices that wait for the slowest one, and kernels without atomic sums
  double optimizer = 0;
  double host = 0;
  /// Communication that computation hides, by axis: extra exposed time if the framework hid nothing.
  std::array<double, kExposedAxes.size()> hidden{};
  KernelLosses losses;

  /// Seconds after the last microbatch.
  [[nodiscard]] double once() const { return dataExposed + endsExposed + waiting + optimizer + host; }
  /// As playPipeline() takes it.
  [[nodiscard]] std::vector<std::vector<StageWork>> work() const;
};

/// estimateStep() with the work of every stage. Errors as there. Twice the cost.
[[nodiscard]] Result<StepDetail> detailStep(const ModelShape& model, const TrainingConfiguration& configuration,
                                            const TrainingAccelerator& accelerator, const CommunicationPrices& prices,
                                            const TrainingConstants& constants = trainingConstants());

}  // namespace p2::inline training
