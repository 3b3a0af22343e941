// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/explore_fields.h"

#include <array>
#include <cassert>

#include "base/figures.h"
#include "cost/cost_model.h"

namespace p2::inline workspace {
namespace {

constexpr std::array kRuleSets{std::pair{RuleSet::Paper, std::string_view("paper")},
                               std::pair{RuleSet::All, std::string_view("all")}};

/// The row of a name that `From` checks.
template <auto From, auto Get, auto Set>
constexpr Property<ExploreOptions> named(PropertyInfo info) {
  return {info, [](const ExploreOptions& options) -> PropertyValue { return std::string(Get(options)); },
          [](ExploreOptions& options, const PropertyValue& value) {
            const auto known = From(std::get<std::string>(value));
            assert(known.ok());
            Set(options, *known);
          }};
}

constexpr std::array kExploreFields{
    named<goalFrom, [](const ExploreOptions& options) { return options.goal.name; },
          [](ExploreOptions& options, const Goal& goal) { options.goal = goal; }>(
        {.key = "goal",
         .label = "&Goal",
         .tip = "Goal of the programs",
         .need = "use the name of a goal, as in ReduceScatter"}),
    choiceProperty<&ExploreOptions::rules, kRuleSets>(
        {.key = "rules",
         .label = "R&ule set",
         .tip = "Instructions that programs may use, the paper's or all whose premises hold",
         .need = "a rule set",
         .always = true}),
    Property<ExploreOptions>{
        {.key = "limit",
         .kind = PropertyKind::Whole,
         .label = "&Size limit",
         .tip = "Maximum number of steps of a program",
         .need = "use 1 to 44 steps",
         .least = 1,
         .most = kMostSizeLimit,
         .always = true},
        [](const ExploreOptions& options) -> PropertyValue { return std::int64_t{options.sizeLimit}; },
        [](ExploreOptions& options, const PropertyValue& value) {
          options.sizeLimit = static_cast<int>(std::get<std::int64_t>(value));
        }},
    named<costModelFrom, [](const ExploreOptions& options) -> const std::string& { return options.cost.model; },
          [](ExploreOptions& options, const CostModel* model) { options.cost.model = model->name(); }>(
        {.key = "model",
         .label = "Mo&del",
         .tip = "Model that turns traffic into time",
         .need = "use the name of a cost model, as in paper",
         .always = true}),
    named<algorithmFrom, [](const ExploreOptions& options) { return nameOf(options.cost.algorithm); },
          [](ExploreOptions& options, Algorithm algorithm) { options.cost.algorithm = algorithm; }>(
        {.key = "algorithm",
         .label = "&Algorithm",
         .tip = "Algorithm of the collectives",
         .need = "use ring, tree or auto",
         .always = true}),
    Property<ExploreOptions>{{.key = "bytes",
                              .kind = PropertyKind::Amount,
                              .label = "&Bytes per device",
                              .tip = "Size of the vector on every device, as in 512MB or 2GiB",
                              .need = "use a number of bytes, 1 or more",
                              .least = kAmountRange.least,
                              .most = kAmountRange.most,
                              .always = true},
                             [](const ExploreOptions& options) -> PropertyValue { return options.cost.bytes.value(); },
                             [](ExploreOptions& options, const PropertyValue& value) {
                               options.cost.bytes = Bytes(std::get<double>(value));
                             }},
    Property<ExploreOptions>{
        {.key = "repeat",
         .kind = PropertyKind::Whole,
         .label = "&Repeat",
         .tip = "Number of runs that the predicted time covers",
         .need = "use 1 to 1000000 runs",
         .least = 1,
         .most = kMostRepeat,
         .always = true},
        [](const ExploreOptions& options) -> PropertyValue { return std::int64_t{options.cost.repeat}; },
        [](ExploreOptions& options, const PropertyValue& value) {
          options.cost.repeat = static_cast<int>(std::get<std::int64_t>(value));
        }},
    Property<ExploreOptions>{
        {.key = "overlap",
         .kind = PropertyKind::Flag,
         .label = "Steps &overlap",
         .tip = "Rank programs as if the vector were cut into chunks: each step works on one chunk while the next step "
                "works on the chunk before. By default, libraries run one collective after the other",
         .need = "use true or false",
         .always = true},
        [](const ExploreOptions& options) -> PropertyValue { return options.cost.overlap; },
        [](ExploreOptions& options, const PropertyValue& value) { options.cost.overlap = std::get<bool>(value); }},
};

}  // namespace

std::span<const Property<ExploreOptions>> exploreFields() { return kExploreFields; }

const Property<ExploreOptions>& exploreField(std::string_view key) {
  const auto* const field = propertyOf(exploreFields(), key);
  assert(field != nullptr);
  return *field;
}

Result<PropertyValue> exploreOptionFrom(const PropertyInfo& info, std::string_view text) {
  if (info.key == "goal") {
    P2_TRY_ASSIGN(const auto goal, goalFrom(text));
    return PropertyValue(std::string(goal.name));
  }
  if (info.key == "model") P2_TRY(costModelFrom(text));
  if (info.key == "algorithm") {
    P2_TRY_ASSIGN(const auto algorithm, algorithmFrom(text));
    return PropertyValue(std::string(nameOf(algorithm)));
  }
  return propertyFromText(info, text);
}

}  // namespace p2::inline workspace
