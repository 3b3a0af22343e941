// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/step_estimate.h"

#include <algorithm>
#include <limits>

#include "training/detail/step_assembly.h"
#include "training/detail/step_bound.h"
#include "training/detail/step_interval.h"

namespace p2::inline training {
namespace {

StepEstimate withInterval(StepEstimate estimate, const ModelShape& model, const TrainingConfiguration& run,
                          const TrainingAccelerator& accelerator) {
  const StepInterval interval = intervalOf(model, run, accelerator);
  estimate.low = estimate.seconds * interval.low;
  estimate.high = estimate.seconds * interval.high;
  return estimate;
}

/// The configuration with all of its communication in sight.
TrainingConfiguration withoutHiding(TrainingConfiguration run) {
  run.overlaps = false;
  // Attention begins after an AllGather, and hides the ring otherwise.
  const bool rings = run.plan.contextCollective == ContextCollective::Ring ||
                     run.plan.contextCollective == ContextCollective::Hierarchy;
  if (rings) run.plan.contextCollective = ContextCollective::AllGather;
  return run;
}

}  // namespace

void makeRunnableOn(TrainingConfiguration& run, const TrainingAccelerator& accelerator) {
  if (run.precision == ProductPrecision::Fp4 && accelerator.fp4 <= 0) run.precision = ProductPrecision::Fp8;
  if (run.precision == ProductPrecision::Fp8 && accelerator.fp8 <= 0) run.precision = ProductPrecision::Bf16;
  if (run.precision != ProductPrecision::Fp8) run.fp8Parameters = run.microScales = false;
  // FlashAttention and cuDNN's fused attention, which Transformer Engine calls, begin with Ampere.
  if (accelerator.generation == "V100" && run.family == FrameworkFamily::MegatronCore) run.fusedAttention = false;
}

TrainingConfiguration runnableOn(TrainingConfiguration run, const TrainingAccelerator& accelerator) {
  makeRunnableOn(run, accelerator);
  return run;
}

StepConstants constantsFor(const TrainingConfiguration& configuration, const TrainingAccelerator& accelerator,
                           const TrainingConstants& constants) {
  return {constants, constants.numbersFor(accelerator.generation, configuration)};
}

LayoutPricer::LayoutPricer(const ModelShape& model, const TrainingConfiguration& configuration,
                           const TrainingAccelerator& accelerator, const StepConstants& constants)
    : LayoutPricer(model, configuration, accelerator, constants,
                   countKernels(model, runnableOn(configuration, accelerator), accelerator, constants)) {}

LayoutPricer::LayoutPricer(const ModelShape& model, const TrainingConfiguration& configuration,
                           const TrainingAccelerator& accelerator, const StepConstants& constants,
                           const KernelCounts& counts, const CommunicationPrices& prices)
    : m_model(model), m_run(configuration), m_accelerator(accelerator), m_constants(constants) {
  makeRunnableOn(m_run, accelerator);
  m_assembly = std::make_unique<StepAssembly>(m_model, m_run, m_accelerator, m_constants, counts, prices);
}

LayoutPricer::~LayoutPricer() = default;

void LayoutPricer::share(PlayedSchedules& played) { m_assembly->share(played); }

void LayoutPricer::setPrices(const CommunicationPrices& prices) { m_assembly->setPrices(prices); }

void LayoutPricer::setLayout(const StageLayout& layout) {
  m_run.layersPerStage = layout;
  m_assembly->setLayout(chunkLayers(m_model, m_run));
}

bool LayoutPricer::setLayout(const StageLayout& layout, double most) {
  m_run.layersPerStage = layout;
  const StageLayout chunks = chunkLayers(m_model, m_run);
  if (layoutLowerBound(m_assembly->context(), m_assembly->layers(), chunks) > most) return false;
  m_assembly->setLayout(chunks);
  return true;
}

double LayoutPricer::secondsOfAnyLayout() const {
  return anyLayoutLowerBound(m_assembly->context(), m_assembly->layers());
}

double LayoutPricer::secondsAtLeast() { return m_assembly->secondsAtLeast(); }

StepEstimate LayoutPricer::estimate(double enough, double exactTo) {
  return withInterval(m_assembly->estimate(enough, exactTo), m_model, m_run, m_accelerator);
}

Result<StepEstimate> estimateStep(const ModelShape& model, const TrainingConfiguration& configuration,
                                  const TrainingAccelerator& accelerator, const CommunicationPrices& prices,
                                  const TrainingConstants& constants, double enough) {
  P2_TRY(checkConfiguration(model, configuration));
  const TrainingConfiguration run = runnableOn(configuration, accelerator);
  LayoutPricer pricer(model, run, accelerator, constantsFor(run, accelerator, constants));
  pricer.setPrices(prices);
  pricer.setLayout(run.layersPerStage);
  return pricer.estimate(enough);
}

Result<StepDetail> detailStep(const ModelShape& model, const TrainingConfiguration& configuration,
                              const TrainingAccelerator& accelerator, const CommunicationPrices& prices,
                              const TrainingConstants& constants) {
  P2_TRY(checkConfiguration(model, configuration));
  const TrainingConfiguration run = runnableOn(configuration, accelerator);
  const StepConstants values = constantsFor(run, accelerator, constants);
  const KernelCounts counts = countKernels(model, run, accelerator, values);
  StepAssembly assembly(model, run, accelerator, values, counts, prices);
  assembly.setLayout(chunkLayers(model, run));
  const StepEstimate estimate =
      withInterval(assembly.estimate(std::numeric_limits<double>::infinity()), model, run, accelerator);
  StepDetail detail = assembly.detail();
  detail.estimate = estimate;
  const TrainingConfiguration bare = withoutHiding(run);
  StepAssembly all(model, bare, accelerator, values, counts, prices);
  all.setLayout(chunkLayers(model, bare));
  const StepParts parts = all.estimate(std::numeric_limits<double>::infinity()).parts;
  for (std::size_t axis = 0; axis < detail.hidden.size(); ++axis) {
    detail.hidden[axis] = std::max(0.0, parts.exposed[axis] - estimate.parts.exposed[axis]);
  }
  return detail;
}

}  // namespace p2::inline training
