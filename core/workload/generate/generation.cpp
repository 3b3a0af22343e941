// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/generation.h"

#include <algorithm>

#include "base/counted.h"
#include "base/numbers.h"

namespace p2::inline workload {
namespace {

std::optional<std::int64_t> productOfSymbols(const std::vector<Symbol>& symbols) {
  std::optional<std::int64_t> product = 1;
  for (const Symbol& symbol : symbols) product = product ? checkedProduct(*product, symbol.value) : std::nullopt;
  return product;
}

/// "β·b·s·h" and "2·1·8192·16384".
std::pair<std::string, std::string> symbolTexts(const std::vector<Symbol>& symbols) {
  std::pair<std::string, std::string> texts;
  for (const Symbol& symbol : symbols) {
    const char* dot = texts.first.empty() ? "" : "·";
    texts.first += dot + symbol.name;
    texts.second += dot + std::to_string(symbol.value);
  }
  return texts;
}

std::string bracketed(const std::string& text, std::size_t parts) { return parts > 1 ? "(" + text + ")" : text; }

/// "β·b·s·h/c = 2·1·8192·16384/4". Divisors of 1 are left out.
std::string formulaText(const ByteFormula& formula, bool rounded) {
  std::vector<Symbol> over = formula.over;
  std::erase_if(over, [](const Symbol& symbol) { return symbol.value == 1; });
  auto [symbols, numbers] = symbolTexts(formula.times);
  if (!over.empty()) {
    const auto [names, values] = symbolTexts(over);
    symbols += "/" + bracketed(names, over.size());
    numbers += "/" + bracketed(values, over.size());
  }
  return symbols + " = " + numbers + (rounded ? ", rounded up" : "");
}

}  // namespace

Generation::Generation(const ModelShape& shape, const TrainingPlan& how, const TrainingMesh& axes)
    : model(shape), plan(how), mesh(axes) {
  const std::int64_t each = (model.layers + plan.pipeline - 1) / plan.pipeline;
  const std::int64_t from = std::min(plan.pipeline / 2 * each, model.layers - each);
  expertLayers = p2::expertLayers(model, from + each) - p2::expertLayers(model, from);
  denseLayers = each - expertLayers;
  if (plan.pipeline == 1) return;
  assume("a middle stage counts: " + std::to_string(each) + " of " + countedText(model.layers, "layer") +
         (model.layers % plan.pipeline == 0 ? "" : ", some stages have fewer"));
}

ByteFormula Generation::activations() const {
  return {{beta("β", plan.activations), {"b", plan.microbatch}, {"s", plan.sequence}, {"h", model.hidden}},
          {{"c", plan.context}}};
}

WorkloadEntry* Generation::add(std::string name, const TrainingMesh::Names& axes, CommunicationKind kind,
                               const ByteFormula& bytes, std::vector<CountFactor> count, CommunicationOverlap overlap) {
  const bool never = std::any_of(count.begin(), count.end(), [](const CountFactor& each) { return each.value < 1; });
  if (axes.empty() || never || m_problem) return nullptr;
  const auto times = productOfSymbols(bytes.times);
  const auto over = productOfSymbols(bytes.over);
  std::optional<std::int64_t> runs = 1;
  for (const CountFactor& each : count) runs = runs ? checkedProduct(*runs, each.value) : std::nullopt;
  if (!times || !over || !runs) {
    m_problem = Error{"the " + name + " come to over 2^63 bytes or runs in a step; use smaller sizes"};
    return nullptr;
  }
  WorkloadEntry entry;
  entry.name = std::move(name);
  entry.axes = axes;
  entry.kind = kind;
  entry.bytes = *times / *over + (*times % *over == 0 ? 0 : 1);
  entry.count = *runs;
  entry.factors = std::move(count);
  entry.overlap = overlap;
  entry.formula = formulaText(bytes, *times % *over != 0);
  m_entries.push_back(std::move(entry));
  return &m_entries.back();
}

}  // namespace p2::inline workload
