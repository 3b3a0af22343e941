// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QToolButton>
#include <functional>
#include <string>

#include "base/result.h"

class QCustomPlot;
class QPainter;

namespace p2::views {

/// Content to export: a plot or a picture, and its values as a table.
struct ExportedPlot {
  QCustomPlot* plot = nullptr;
  std::string csv = {};
  QString title = {};  ///< of drawings and documents; written above a plot
  /// In place of `plot`: draws a picture of that size.
  std::function<void(QPainter&)> paint = {};
  QSize size = {};
  QString subtitle = {};  ///< below the title: the question and the model
};

/// Writes a plot as it is shown under its title (png with two pixels for one, svg, pdf) or its table (csv), by the
/// suffix of the path; an existing file is replaced only once the new one is complete. Errors: unknown suffix, file
/// cannot be written.
[[nodiscard]] Result<void> exportPlot(const ExportedPlot& exported, const QString& path);

/// A button with a menu of formats, each of which opens a file dialog. For the button "<name>Button" the actions are
/// named "<name>-png" etc. and the dialog "<name>Dialog".
class PlotExportButton : public QToolButton {
  Q_OBJECT
 public:
  /// `exported` is asked for when it is written; files are called "<fileName>.png" unless the user says otherwise.
  PlotExportButton(const QString& name, const QString& fileName, std::function<ExportedPlot()> exported,
                   QWidget* parent = nullptr);
  void setFileName(const QString& fileName) { m_fileName = fileName; }

 signals:
  void written(const QString& path);
  void failed(const QString& sentence);

 private:
  void askForFile(const QString& suffix, const QString& description);

  QString m_name;
  QString m_fileName;
  std::function<ExportedPlot()> m_exported;
};

}  // namespace p2::views
