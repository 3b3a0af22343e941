// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "training/accelerator_data.h"
#include "training/detail/broken_reason.h"
#include "training/detail/configuration.h"

namespace p2::inline training {

/// One assertion of a framework about the configurations that it runs.
struct FrameworkRule {
  std::string_view name;    ///< "heads divide by tp", the key under which exclusions are counted
  std::string_view source;  ///< file and function, or page, that states it
  /// Why a configuration breaks it, as a sentence without a full stop that names the values; no value if it does not.
  /// Model and plan are resolved and checked, and must outlive the reason.
  BrokenReason (*broken)(const ModelShape& model, const TrainingConfiguration& configuration);
};

/// Overlap of communication with computation that a framework has, off by default.
struct OverlapOption {
  std::string_view source;  ///< where its needs are published; empty if the framework has none
  /// Whether a configuration that breaks no rule has it. Null: every one.
  bool (*runs)(const ModelShape& model, const TrainingConfiguration& configuration) = nullptr;
};

/// A configuration with its place on a system, for the framework's own flags.
struct LaunchedConfiguration {
  const ModelShape& model;
  const TrainingConfiguration& configuration;
  std::string_view order;  ///< the framework's order that gives the placement, by the name in frameworkOrders()
  std::span<const std::int64_t> inside;  ///< factor of each of kLaunchAxes inside a node; the rest is across nodes
};
/// Axes of LaunchedConfiguration::inside.
enum class LaunchAxis { Data, Pipeline, Context, Tensor, Expert, Replica };  ///< Data: without replicas and experts
inline constexpr std::size_t kLaunchAxes = 6;

/// What TrainingFramework::launchText() is.
enum class LaunchForm {
  Flags,         ///< arguments of the training script, one a line, quoted for a shell
  FileAndFlags,  ///< the text of a file, then such arguments from the first line on that begins with "--"
  File,          ///< a file that the framework's own command reads
  Settings,      ///< values for the user's own script, one a line
};

/// A training framework: what its users can choose, and which combinations it refuses. A new framework is one file in
/// core/training/frameworks and its name in frameworks.cpp.
struct TrainingFramework {
  std::string_view name;     ///< "megatron", as in --framework
  std::string_view label;    ///< "Megatron-Core"
  std::string_view release;  ///< whose source the rules are taken from
  FrameworkFamily family = FrameworkFamily::MegatronCore;
  std::span<const AcceleratorPlatform> platforms = {};  ///< that it runs on, itself or as the maker's own fork

  std::span<const std::int64_t> zeroStages = {};
  std::span<const ScheduleKind> schedules = {};          ///< of pipelines
  std::span<const ContextCollective> contextKinds = {};  ///< of context parallelism; empty if it has none
  std::span<const RecomputeKind> recomputations = {};
  /// Sets of modules that selective recomputation is searched with, besides the framework's own choice. Null: it has no
  /// choice of modules.
  std::vector<RecomputedModules> (*recomputedModules)(const ModelShape& model) = nullptr;
  SequenceParallelism sequenceParallel = SequenceParallelism::Megatron;  ///< with tensor parallelism
  bool tensorAlone = true;  ///< tensor parallelism without sequence parallelism as well
  bool pipelines = true;
  bool interleaves = true;  ///< several chunks of layers on a stage
  bool experts = true;
  bool expertTensor = true;  ///< experts have a tensor parallel degree of their own
  /// Sharded parameters under a pipeline may be gathered once a step as well.
  bool gathersOnce = false;
  bool replicates = false;  ///< shards over a part of the data parallel ranks and replicates over the rest (HSDP)
  /// Of tensor parallelism with products (Megatron's --tp-comm-overlap, asynchronous tensor parallelism of TorchTitan).
  /// The search turns it on in groups of devices that reach one another by multicast (TrainingAccelerator::multicast),
  /// where it is known to run.
  OverlapOption tensorOverlap = {};
  /// Of dispatch and combine with the computation of another microbatch (Megatron's
  /// --overlap-moe-expert-parallel-comm).
  OverlapOption expertOverlap = {};
  /// Orders of ranks that it lays axes out in, by the names of frameworkOrders(), the default first.
  std::span<const std::string_view> orders = {};

  /// The layouts of stages that are searched for the stages, virtual stages and schedule of a configuration, the
  /// simplest first, as TrainingConfiguration::layersPerStage has them. Null: as even as they divide, no others.
  std::vector<StageLayout> (*layouts)(const ModelShape& model, const TrainingConfiguration& configuration) = nullptr;
  /// Where it is published that ranks may start on any device, so that a rank file brings every placement about; empty
  /// if its own orders are all that there is.
  std::string_view rankFile = {};

  std::span<const FrameworkRule> rules = {};
  /// Sets what users of the framework get without asking: precision of sums, overlap, fused kernels.
  void (*applyDefaults)(TrainingConfiguration& configuration) = nullptr;
  /// Of mixtures: sets `dispatch` and `graphs` as the framework's published recipes have them on a generation of
  /// accelerators. Null: as a configuration has them by default.
  void (*applyExpertKernels)(TrainingConfiguration& configuration, std::string_view generation) = nullptr;
  /// The flags or the file that starts a configuration, one option a line, complete but for data and paths.
  std::string (*launchText)(const LaunchedConfiguration& launched) = nullptr;
  /// The environment that it needs on an accelerator, as in "CUDA_DEVICE_MAX_CONNECTIONS=1"; empty for none.
  std::string_view (*environment)(const TrainingConfiguration& configuration, std::string_view generation) = nullptr;
  bool describesModel = true;  ///< whether the launch text has the sizes of the model, not its name alone
  LaunchForm launchForm = LaunchForm::Flags;
  /// Script or module that torchrun starts, with the arguments that name model and data as YOUR_NAME.
  std::string_view entry = "YOUR_SCRIPT";
  std::string_view launchFile = "flags.txt";  ///< default name of the file, or of the one that holds the arguments
};

/// All frameworks, in the order in which they are offered.
[[nodiscard]] std::span<const TrainingFramework* const> trainingFrameworks();
/// The given frameworks that run on a platform, in their order.
[[nodiscard]] std::vector<const TrainingFramework*> frameworksOn(AcceleratorPlatform platform,
                                                                 std::span<const TrainingFramework* const> frameworks);
/// "does not run on TPUs; use maxtext", with the frameworks that do; empty where the framework runs on the platform.
[[nodiscard]] std::string missingPlatform(const TrainingFramework& framework, AcceleratorPlatform platform);
/// Whether a framework runs on a platform; the error is missingPlatform() of it by name.
[[nodiscard]] Result<void> checkPlatform(const TrainingFramework& framework, AcceleratorPlatform platform);
/// By name; the error lists the names.
[[nodiscard]] Result<const TrainingFramework*> trainingFrameworkFrom(std::string_view name);

/// The recomputations that are searched for a model, the fastest kind first.
[[nodiscard]] std::vector<RecomputeChoice> recomputationsOf(const TrainingFramework& framework,
                                                            const ModelShape& model);
/// The first rule that a configuration breaks; nullptr if the framework runs it.
[[nodiscard]] const FrameworkRule* brokenRule(const TrainingFramework& framework, const ModelShape& model,
                                              const TrainingConfiguration& configuration);
/// Whether the search overlaps tensor parallelism in a configuration whose other choices are made.
[[nodiscard]] bool searchesTensorOverlap(const TrainingFramework& framework, const ModelShape& model,
                                         const TrainingConfiguration& configuration,
                                         const TrainingAccelerator& accelerator);
/// Whether the search overlaps dispatch and combine in a configuration whose other choices are made.
[[nodiscard]] bool searchesExpertOverlap(const TrainingFramework& framework, const ModelShape& model,
                                         const TrainingConfiguration& configuration);
/// Whether a framework runs it; the error says which rule forbids it, why and where the rule comes from.
[[nodiscard]] Result<void> checkFramework(const TrainingFramework& framework, const ModelShape& model,
                                          const TrainingConfiguration& configuration);

}  // namespace p2::inline training
