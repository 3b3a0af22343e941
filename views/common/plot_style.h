// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCustomPlot;

namespace p2::views {

/// Background, axes, grid and legend in the theme's colours and tabular figures; labels no longer than the plot.
void stylePlot(QCustomPlot& plot);

}  // namespace p2::views
