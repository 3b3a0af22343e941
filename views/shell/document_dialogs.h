// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <string>

namespace p2::views {

/// What the document controller has to ask the user. An interface, so that tests can answer.
class DocumentDialogs {
 public:
  enum class Unsaved { Save, Discard, Cancel };
  struct ExportTarget {
    QString path;
    std::string format;  ///< of exportFormats()
  };

  virtual ~DocumentDialogs() = default;
  /// Paths are empty when the user thought better of it.
  virtual QString askOpenPath(const QString& folder) = 0;
  virtual QString askSavePath(const QString& suggestion) = 0;
  virtual std::optional<ExportTarget> askExportTarget(const QString& suggestion) = 0;
  virtual Unsaved askUnsaved(const QString& documentName) = 0;
};

/// The real dialogs, above the window in use.
class WidgetDocumentDialogs : public DocumentDialogs {
 public:
  QString askOpenPath(const QString& folder) override;
  QString askSavePath(const QString& suggestion) override;
  std::optional<ExportTarget> askExportTarget(const QString& suggestion) override;
  Unsaved askUnsaved(const QString& documentName) override;
};

}  // namespace p2::views
