// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <string_view>

#include "training/accelerator_data.h"
#include "training/detail/communication.h"
#include "training/detail/configuration.h"
#include "training/detail/constants.h"

namespace p2::inline training {

/// Axes whose communication a step waits for.
enum class ExposedAxis { Tensor, Context, Expert, Pipeline, Data };
inline constexpr std::array<std::string_view, 5> kExposedAxes{"tp", "cp", "ep", "pp", "dp"};

/// Where the seconds of a step go, on its critical path.
struct StepParts {
  double compute = 0;       ///< the model's FLOP at the peak of their number type, spread evenly over all devices
  double inefficiency = 0;  ///< what kernels take beyond that
  double recompute = 0;     ///< forward passes done again
  std::array<double, kExposedAxes.size()> exposed{};  ///< communication that computation does not hide, by axis
  double bubble = 0;                                  ///< stages that wait for microbatches
  double imbalance = 0;                               ///< extra work of the slowest stage over the average one
  double optimizer = 0;
  double host = 0;  ///< kernel launches that the device waits for, and the fixed cost of a step

  [[nodiscard]] double sum() const;
};

/// A predicted training step.
struct StepEstimate {
  double seconds = 0;
  double low = 0;  ///< 80 % of measured steps of such configurations are between these
  double high = 0;
  StepParts parts;  ///< that sum to `seconds`
  /// FLOP as modelFlop() counts them, recomputation not among them, over the dense peak of the number type of the large
  /// products: of 16 bits in bf16 runs, of 8 bits in fp8 runs. Below 1.
  double mfu = 0;
  double tokensPerSecond = 0;  ///< for all devices together
  double flop = 0;             ///< by which MFU counts, of all devices together
};

/// FLOP of a step by the model's shape alone: 6 for each active parameter (without the embedding's look-up) and token,
/// and attention's 12·s·a·d_h per token and layer, half of that if causal; two thirds where adapters are trained.
[[nodiscard]] double modelFlop(const ModelShape& model, const TrainingConfiguration& configuration);

/// The time of a step. `model` and the configuration's plan are resolved. Errors as checkConfiguration().
/// Where the microbatches alone take longer than `enough` seconds, the rest is left out: the result is a lower bound
/// above `enough`, for searches that need no more. O(stages · microbatches) for the schedule, the rest constant; some
/// 20 µs without a pipeline.
[[nodiscard]] Result<StepEstimate> estimateStep(const ModelShape& model, const TrainingConfiguration& configuration,
                                                const TrainingAccelerator& accelerator,
                                                const CommunicationPrices& prices,
                                                const TrainingConstants& constants = trainingConstants(),
                                                double enough = std::numeric_limits<double>::infinity());

/// In the next wider type of numbers where the accelerator has no products of the wanted one, and without fused
/// attention where the framework's kernels need a later generation.
[[nodiscard]] TrainingConfiguration runnableOn(TrainingConfiguration run, const TrainingAccelerator& accelerator);
/// Turns a configuration into runnableOn() it.
void makeRunnableOn(TrainingConfiguration& run, const TrainingAccelerator& accelerator);
/// The constants of a configuration; the layout, the degrees and the batches do not matter to them.
[[nodiscard]] StepConstants constantsFor(const TrainingConfiguration& configuration,
                                         const TrainingAccelerator& accelerator,
                                         const TrainingConstants& constants = trainingConstants());

/// Whether the host starts the dispatch of tokens to the experts of Megatron-Core: by NCCL's AllToAll, whose sizes it
/// waits for, or overlapped with the passes of another microbatch and not in a CUDA graph of the whole step. Such
/// steps depend on hosts and releases, which are not modelled, so their intervals are wider.
[[nodiscard]] bool startsDispatchFromHost(const ModelShape& model, const TrainingConfiguration& configuration);

class PlayedSchedules;
class StepAssembly;
struct KernelCounts;

/// estimateStep() for one configuration on several placements and with several
/// layouts of its stages: kernels are counted once. Model and accelerator outlive it. For searches.
class LayoutPricer {
 public:
  /// Without communication, until setPrices().
  LayoutPricer(const ModelShape& model, const TrainingConfiguration& configuration,
               const TrainingAccelerator& accelerator, const StepConstants& constants);
  /// With kernels that are counted already: countKernels() of the configuration; under `prices`.
  LayoutPricer(const ModelShape& model, const TrainingConfiguration& configuration,
               const TrainingAccelerator& accelerator, const StepConstants& constants, const KernelCounts& counts,
               const CommunicationPrices& prices = noCommunication());
  ~LayoutPricer();
  /// Schedules that were played before, and will be; they outlive it.
  void share(PlayedSchedules& played);
  LayoutPricer(const LayoutPricer&) = delete;
  LayoutPricer& operator=(const LayoutPricer&) = delete;
  void setPrices(const CommunicationPrices& prices);
  /// A lower bound of estimate() for every layout and all prices above the given ones. O(1).
  [[nodiscard]] double secondsOfAnyLayout() const;
  /// As TrainingConfiguration::layersPerStage has it.
  void setLayout(const StageLayout& layout);
  /// setLayout(), unless the step takes longer than `most` with that layout by a bound that costs little. Whether it is
  /// set.
  [[nodiscard]] bool setLayout(const StageLayout& layout, double most);
  /// A lower bound of estimate(): pipelineLowerBound() instead of the played schedule; under any prices before
  /// setPrices(). O(stages).
  [[nodiscard]] double secondsAtLeast();
  /// Steps above `enough` and `exactTo` may be any that are, steps above `enough` alone also their lower bound.
  [[nodiscard]] StepEstimate estimate(double enough, double exactTo = 0);

 private:
  const ModelShape& m_model;
  TrainingConfiguration m_run;
  const TrainingAccelerator& m_accelerator;
  StepConstants m_constants;
  std::unique_ptr<StepAssembly> m_assembly;
};

}  // namespace p2::inline training
