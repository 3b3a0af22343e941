// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/lists.h"
#include "text/document.h"
#include "training/planner.h"
#include "training_answer/configuration_text.h"

namespace p2::cli {

/// "needs 72.4 GB + 6.00 GB kept free = 78.4 GB of 80.0 GB": bytes of the fullest device.
[[nodiscard]] std::string neededMemoryText(double needed, double reserve, double memory);
/// The keys of one configuration, in the order of the format. `reserve`: bytes of a device that are kept free.
[[nodiscard]] Document configurationDocument(const ModelShape& model, const PlannedConfiguration& each, double reserve);

}  // namespace p2::cli
