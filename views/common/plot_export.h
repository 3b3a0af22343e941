// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QToolButton>
#include <functional>
#include <string>

#include "base/result.h"

class QCustomPlot;
class QFileDialog;

namespace p2::views {

/// What can be written to a file: a plot, and what it shows as a table.
struct ExportedPlot {
  QCustomPlot* plot = nullptr;
  std::string csv = {};
  QString title = {};  ///< of drawings and documents
};

/// Writes a plot as it is shown (png, svg, pdf) or its table (csv), by the suffix of the path; an existing file is
/// replaced only once the new one is complete. Errors: unknown suffix, file cannot be written.
[[nodiscard]] Result<void> exportPlot(const ExportedPlot& exported, const QString& path);

/// A button with a menu of the formats, each of which asks for a file: actions "<name>-png" and so on, and the dialog
/// "<name>Dialog", if the button is "<name>Button".
class PlotExportButton : public QToolButton {
  Q_OBJECT
 public:
  /// `exported` is asked for when it is written; files are called "<fileName>.png" unless the user says otherwise.
  PlotExportButton(const QString& name, const QString& fileName, std::function<ExportedPlot()> exported,
                   QWidget* parent = nullptr);

 signals:
  void written(const QString& path);
  void failed(const QString& sentence);

 private:
  void askForFile(const QString& suffix, const QString& description);

  QString m_name;
  QString m_fileName;
  std::function<ExportedPlot()> m_exported;
  QPointer<QFileDialog> m_dialog;
};

}  // namespace p2::views
