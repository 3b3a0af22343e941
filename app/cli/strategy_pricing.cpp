// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_pricing.h"

#include "cost/cost_model.h"
#include "graphs/hierarchical_prices.h"
#include "graphs/strategy_source.h"

namespace p2::cli {
namespace {

std::string leavesOut(const HierarchicalPrices& prices) { return leftOutOf(prices.costOptions(), {}, prices.system()); }

}  // namespace

Result<ExploreOptions> pricingOf(const GraphRequest& request, const std::optional<System>& system) {
  if (!system) {
    if (!request.costModel) return ExploreOptions();
    return Error{"the flat model has one bandwidth for everything; add --model hierarchical and --system",
                 "--cost-model"};
  }
  ExploreOptions options = ownPricing(*system);
  if (request.costModel) {
    P2_TRY_ASSIGN(const auto model, costModelFrom(*request.costModel).within("--cost-model"));
    options.cost.model = model->name();
    options.cost.algorithm = defaultAlgorithm(options.cost.model);
  }
  return options;
}

std::string pricingLine(const PricedGraph& source) {
  const auto* prices = dynamic_cast<const HierarchicalPrices*>(source.pricer.get());
  if (prices == nullptr) return {};
  const CostOptions& cost = prices->costOptions();
  return "collectives priced by the " + std::string(cost.model) + " model, " + std::string(nameOf(cost.algorithm)) +
         ", which leaves out " + leavesOut(*prices) + "\n";
}

void writePricing(JsonWriter& json, const PricedGraph& source) {
  const auto* prices = dynamic_cast<const HierarchicalPrices*>(source.pricer.get());
  if (prices == nullptr) return;
  const CostOptions& cost = prices->costOptions();
  json.key("pricing").beginObject().key("model").text(cost.model).key("algorithm").text(nameOf(cost.algorithm));
  json.key("leaves_out").text(leavesOut(*prices)).end();
}

}  // namespace p2::cli
