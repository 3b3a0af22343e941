// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "base/result.h"

namespace p2::views {

class CostPlot;
struct CostBar;

/// A file the costs can be written to.
struct CostFormat {
  QString suffix;       ///< "png"
  QString description;  ///< "PNG image"
};

[[nodiscard]] const std::vector<CostFormat>& costFormats();

/// Writes the plot as it is shown (png, svg, pdf) or its bars as a table (csv), by the suffix of the path; an existing
/// file is replaced only once the new one is complete. Errors: unknown suffix, file cannot be written.
[[nodiscard]] Result<void> exportCosts(CostPlot& plot, const QString& path);

}  // namespace p2::views
