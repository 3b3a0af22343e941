// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "app/cli/strategy_input.h"
#include "text/json_writer.h"

namespace p2::cli {

/// How --cost-model prices the collectives of a system: by the system's own model where it is not given.
[[nodiscard]] Result<ExploreOptions> pricingOf(const GraphRequest& request, const std::optional<System>& system);

/// "collectives priced by the nccl model, auto, which leaves out …", a line; nothing under the flat model.
[[nodiscard]] std::string pricingLine(const PricedGraph& source);
/// The same as the key "pricing".
void writePricing(JsonWriter& json, const PricedGraph& source);

}  // namespace p2::cli
