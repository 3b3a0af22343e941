// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/document.h"
#include "training_answer/configuration_comparison.h"

namespace p2::cli {

/// The answer of `--why A B`: choices that differ, the parts of both steps and of their memory, line by line. All
/// arguments must outlive the document.
[[nodiscard]] Document comparisonDocument(const TrainingQuestion& question, double reserve, double memory,
                                          const NamedConfiguration& a, const NamedConfiguration& b);

}  // namespace p2::cli
