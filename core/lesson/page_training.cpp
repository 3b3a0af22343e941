// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>

#include "base/numbers.h"
#include "lesson/detail/page_parts.h"
#include "timeline/step_timeline.h"
#include "training/planner.h"
#include "training_answer/training_request.h"
#include "workspace/presets.h"

namespace p2::inline lesson {
namespace {

/// A configuration of the scene: priced where it fits, else its memory alone.
struct PricedVariant {
  TrainingConfiguration configuration;
  TrainingMemory memory;
  std::optional<PlannedConfiguration> planned;
  double room = 0;  ///< bytes of a device without the reserve
  double deviceMemory = 0;
};

Result<TrainingInput> sceneInput(const TrainingScene& scene, const std::string& fixed) {
  auto model = modelFromArgument(scene.model);
  if (!model.ok()) return model.error().at("/training/model");
  auto system = parseSystem(scene.system);
  if (!system.ok()) return system.error().at("/training/system");
  TrainingRequest request;
  request.batch = scene.batch;
  request.sequence = scene.sequence;
  request.framework = scene.framework;
  request.fixed = fixed;
  request.best = 1;
  return readTrainingRequest(request, std::move(model).value(), std::move(system).value());
}

/// The configuration of these choices that needs least memory, whether it fits or not.
std::optional<TrainingConfiguration> leastMemory(const TrainingQuestion& question,
                                                 const TrainingAccelerator& accelerator) {
  std::optional<TrainingConfiguration> best;
  double least = 0;
  for (const TrainingFramework* framework : question.frameworks) {
    const SearchSpace space{question.model,     question.system.deviceCount(),
                            question.batch,     question.sequence,
                            question.precision, *framework,
                            question.fixed,     &accelerator};
    (void)space.forEach([&](const TrainingConfiguration& each) {
      if (brokenRule(*framework, question.model, each) != nullptr) return true;
      const double total = peakMemory(question.model, each).total();
      if (!best || total < least) {
        best = each;
        least = total;
      }
      return true;
    });
  }
  return best;
}

Result<PricedVariant> priced(const TrainingScene& scene, const std::string& fixed, std::stop_token stop) {
  P2_TRY_ASSIGN(const auto input, sceneInput(scene, fixed));
  P2_TRY_ASSIGN(const auto accelerator, trainingAcceleratorOf(input.question.system));
  PricedVariant variant;
  variant.deviceMemory = accelerator.memory;
  variant.room = accelerator.memory - defaultMemoryReserve(accelerator.memory);
  auto answer = answerTraining(input, std::move(stop));
  if (answer.ok()) {
    variant.planned = answer->configurations.front();
    variant.configuration = variant.planned->configuration;
    variant.memory = variant.planned->memory;
    return variant;
  }
  if (answer.error().kind == ErrorKind::Cancelled) return answer.error();
  const auto least = leastMemory(input.question, accelerator);
  if (!least) return answer.error();
  variant.configuration = *least;
  variant.memory = peakMemory(input.question.model, *least);
  return variant;
}

struct NamedSeconds {
  std::string name;  ///< its placeholder
  std::string title;
  double seconds = 0;
};

std::vector<NamedSeconds> partsOfStep(const StepParts& parts) {
  constexpr std::array kTitles{"tensor parallel", "context parallel", "expert parallel", "pipeline sends",
                               "data parallel"};
  std::vector<NamedSeconds> list{{"compute", "computation", parts.compute + parts.inefficiency},
                                 {"recompute", "recomputation", parts.recompute}};
  for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
    list.push_back({"exposed." + std::string(kExposedAxes[axis]), kTitles[axis], parts.exposed[axis]});
  }
  list.push_back({"bubble_seconds", "pipeline bubble", parts.bubble});
  list.push_back({"imbalance", "imbalance", parts.imbalance});
  list.push_back({"optimizer_seconds", "optimizer", parts.optimizer});
  list.push_back({"host", "host", parts.host});
  return list;
}

std::vector<NamedSeconds> rowsOfMemory(const TrainingMemory& memory) {
  return {{"parameters", "parameters", memory.parameters},
          {"gradients", "gradients", memory.gradients},
          {"optimizer", "optimizer", memory.optimizer},
          {"activations", "activations", memory.activations},
          {"buffers", "buffers", memory.buffers}};
}

void addDegreeFacts(LessonFacts& facts, const std::string& prefix, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  facts.set(prefix + "choices", describe(configuration));
  facts.setCount(prefix + "tp", static_cast<double>(plan.tensor));
  facts.setCount(prefix + "pp", static_cast<double>(plan.pipeline));
  facts.setCount(prefix + "cp", static_cast<double>(plan.context));
  facts.setCount(prefix + "ep", static_cast<double>(plan.expert));
  facts.setCount(prefix + "dp", static_cast<double>(plan.data));
  facts.setCount(prefix + "microbatches", static_cast<double>(plan.microbatches));
}

void addVariantFacts(LessonFacts& facts, const std::string& prefix, const PricedVariant& variant) {
  addDegreeFacts(facts, prefix, variant.configuration);
  for (const NamedSeconds& row : rowsOfMemory(variant.memory)) facts.setBytes(prefix + row.name, row.seconds);
  facts.setBytes(prefix + "memory", variant.memory.total());
  facts.set(prefix + "fits", variant.memory.total() <= variant.room ? "fits" : "does not fit");
  if (!variant.planned) return;
  const StepEstimate& estimate = variant.planned->estimate;
  facts.setSeconds(prefix + "seconds", estimate.seconds);
  facts.setShare(prefix + "mfu", estimate.mfu);
  for (const NamedSeconds& part : partsOfStep(estimate.parts)) facts.setSeconds(prefix + part.name, part.seconds);
  facts.setShare(prefix + "bubble", estimate.parts.bubble / estimate.seconds);
  double exposed = 0;
  for (const double each : estimate.parts.exposed) exposed += each;
  facts.setSeconds(prefix + "exposed", exposed);
  facts.setShare(prefix + "exposed_share", exposed / estimate.seconds);
}

void addModelFacts(LessonFacts& facts, const TrainingQuestion& question, const PricedVariant& variant) {
  facts.setCount("devices", static_cast<double>(question.system.deviceCount()));
  facts.setCount("batch", static_cast<double>(question.batch));
  facts.setCount("sequence", static_cast<double>(question.sequence));
  facts.setCount("layers", static_cast<double>(question.model.layers));
  const auto parameters = static_cast<double>(modelParameters(question.model));
  facts.setCount("model.parameters", parameters);
  facts.set("model.parameters", exactNumber(std::round(parameters / 1e7) / 100) + " billion");
  facts.setBytes("device_memory", variant.deviceMemory);
  facts.setBytes("room", variant.room);
  facts.setBytes("states", 16 * parameters);
}

using Columns = std::vector<std::pair<std::string, const PricedVariant*>>;

/// A table over the variants, with a row for the sum.
template <class RowsOf>
LessonTable variantTable(std::string title, LessonFacts::Unit unit, const Columns& columns, RowsOf rowsOf) {
  LessonTable table{std::move(title), {}, {}, {}, unit};
  for (const auto& [name, variant] : columns) {
    const std::vector<NamedSeconds> rows = rowsOf(*variant);
    if (table.rows.empty()) {
      for (const NamedSeconds& row : rows) table.rows.push_back(row.title);
      table.rows.emplace_back("sum");
      table.values.resize(table.rows.size());
    }
    table.columns.push_back(name);
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      table.values[i].push_back(rows[i].seconds);
      sum += rows[i].seconds;
    }
    table.values.back().push_back(sum);
  }
  return table;
}

void addTables(PreparedPage& prepared, const Columns& columns) {
  prepared.tables.push_back(variantTable("Memory of a device", LessonFacts::Unit::Bytes, columns,
                                         [](const PricedVariant& each) { return rowsOfMemory(each.memory); }));
  Columns timed;
  for (const auto& column : columns) {
    if (column.second->planned) timed.push_back(column);
  }
  if (timed.empty()) return;
  prepared.tables.push_back(
      variantTable("Where the time of the step goes", LessonFacts::Unit::Seconds, timed,
                   [](const PricedVariant& each) { return partsOfStep(each.planned->estimate.parts); }));
}

}  // namespace

Result<void> prepareTraining(PreparedPage& prepared, const TrainingScene& scene, std::stop_token stop) {
  auto own = priced(scene, scene.fixed, stop);
  if (!own.ok())
    return own.error().where.position.starts_with("/training") ? own.error() : own.error().at("/training/fix");
  P2_TRY_ASSIGN(const auto input, sceneInput(scene, scene.fixed));
  addModelFacts(prepared.facts, input.question, *own);
  addVariantFacts(prepared.facts, {}, *own);
  std::map<std::string, PricedVariant> variants;
  Columns columns{{scene.fixed, &*own}};
  for (const auto& [name, fixed] : scene.variants) {
    auto variant = priced(scene, fixed, stop);
    if (!variant.ok())
      return variant.error().kind == ErrorKind::Cancelled ? variant.error()
                                                          : variant.error().at("/training/variants/" + name);
    addVariantFacts(prepared.facts, name + ".", *variant);
    columns.emplace_back(fixed, &variants.emplace(name, std::move(variant).value()).first->second);
  }
  std::vector<std::string> texts;
  for (const auto& [text, variant] : columns) texts.push_back(text);
  const auto titles = variantTitles(texts);
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].first = titles[i];
  // A variant that is the page's own step needs no column of its own.
  std::erase_if(columns, [&](const auto& column) { return &column != &columns.front() && column.first == titles[0]; });
  addTables(prepared, columns);
  if (!own->planned) return {};
  P2_TRY_ASSIGN(auto study, studyStep(input.question, *own->planned, own->deviceMemory - own->room, std::move(stop)));
  prepared.timeline = std::make_shared<const Timeline>(std::move(study.timeline));
  return {};
}

}  // namespace p2::inline lesson
