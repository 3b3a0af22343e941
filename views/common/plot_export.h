// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QSize>
#include <QToolButton>
#include <functional>
#include <string>

#include "base/result.h"
#include "views/common/figure_style.h"

class QCustomPlot;
class QPainter;

namespace p2::views {

/// Content to export: a plot or a picture, and its values as a table.
struct ExportedPlot {
  QCustomPlot* plot = nullptr;
  std::function<std::string()> csv = {};  ///< asked only when a table is written
  QString title = {};                     ///< of drawings and documents; written above a plot
  /// Draws a picture of that size, instead of `plot`.
  std::function<void(QPainter&)> paint = {};
  QSize size = {};
  QString subtitle = {};  ///< below the title: the question and the model; not in figures for print
  FigureStyle style = {};
};

/// Writes a plot as it is shown under its title (png with two pixels for one, svg, pdf) or its table (csv), by the
/// suffix of the path; an existing file is replaced only once the new one is complete. Errors: unknown suffix, file
/// cannot be written.
[[nodiscard]] Result<void> exportPlot(const ExportedPlot& exported, const QString& path);

/// The size on paper of a plot that exportPlot() writes.
[[nodiscard]] QSizeF figureMillimetres(const ExportedPlot& exported);
/// The plot as exportPlot() draws it, with two pixels for one; null if there is nothing to draw.
[[nodiscard]] QPixmap figurePixmap(const ExportedPlot& exported);

/// Asks for the style of a figure for print (FigureDialog) and for its file ("<name>Dialog"), and writes it. `done`
/// gets the path and the outcome; it is not called after a cancelled dialog.
void askForFigure(QWidget* parent, const QString& name, const QString& fileName,
                  const std::function<ExportedPlot(const FigureStyle&)>& exported,
                  const std::function<void(const QString& path, const Result<void>& written)>& done);

/// A button with a menu of formats, each with a file dialog, and of a figure for print (FigureDialog). For
/// the button "<name>Button" the actions are named "<name>-png" etc. and the dialog "<name>Dialog".
class PlotExportButton : public QToolButton {
  Q_OBJECT
 public:
  /// `exported` is asked for when it is written; files are called "<fileName>.png" unless the user says otherwise.
  PlotExportButton(const QString& name, const QString& fileName,
                   std::function<ExportedPlot(const FigureStyle&)> exported, QWidget* parent = nullptr);
  void setFileName(const QString& fileName) { m_fileName = fileName; }

 signals:
  void written(const QString& path);
  void failed(const QString& sentence);

 private:
  void askForFile(const QString& filter);
  void tell(const QString& path, const Result<void>& written);

  QString m_name;
  QString m_fileName;
  std::function<ExportedPlot(const FigureStyle&)> m_exported;
};

}  // namespace p2::views
