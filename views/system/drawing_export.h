// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include "views/common/plot_export.h"
#include "views/system/drawing_painter.h"

namespace p2::views {

/// "PNG image (*.png)", "SVG drawing (*.svg)", "PDF document (*.pdf)", "Text (*.txt)", for file dialogs.
[[nodiscard]] QStringList drawingFilters();

/// A system in a picture of that size, with the detail that is legible there, in the theme's colours.
[[nodiscard]] QImage systemSketch(const System& system, QSize size, double ratio);

/// The drawing as a figure for print, with as much as can be drawn in the width of the paper at the size of the text
/// asked for. A system that cannot be folded so far gets smaller text. `open` as in drawSystem().
[[nodiscard]] ExportedPlot drawingFigure(const System& system, const std::vector<std::int64_t>& open, ShownLoads loads,
                                         const FigureStyle& style);

/// Content of a file of the drawing.
struct DrawnContent {
  const System& system;
  const SystemDrawing& drawing;
  const ShownLoads& loads;
};

/// Writes the drawing, all of it, by the suffix of the path (txt: as drawnAsText()); an existing file is replaced only
/// once the new one is complete. Errors: unknown suffix, file cannot be written.
[[nodiscard]] Result<void> writeDrawing(const DrawnContent& content, const QString& path);

}  // namespace p2::views
