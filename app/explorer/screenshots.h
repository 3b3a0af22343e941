// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

#include "app/explorer/main_window.h"

namespace p2::explorer {

/// The pictures that `p2-explorer --screenshots` is asked for.
struct ScreenshotRequest {
  QString folder;
  QString file;  ///< a file that the documents have been asked to open; empty for the examples
  QSize size;    ///< size of the window
  QString font;  ///< as --font takes it; empty for the desktop's
};

/// Takes pictures of every perspective and ends the event loop. Returns the program's exit status; what went wrong is
/// in `trouble`. Defined in app/screenshots, which only the program links.
[[nodiscard]] int runScreenshots(MainWindow& window, const MainWindow::Parts& parts, const ScreenshotRequest& request,
                                 QString& trouble);

}  // namespace p2::explorer
