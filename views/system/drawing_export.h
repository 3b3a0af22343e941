// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include "views/system/drawing_painter.h"

namespace p2::views {

/// "PNG image (*.png)", "SVG drawing (*.svg)", "PDF document (*.pdf)", "Text (*.txt)", for file dialogs.
[[nodiscard]] QStringList drawingFilters();

/// A system in a picture of that size, with the detail that is legible there, in the theme's colours.
[[nodiscard]] QImage systemSketch(const System& system, QSize size, double ratio);

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
