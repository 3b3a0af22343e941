// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <string>

#include "views/shell/document_file.h"

namespace p2::views {

/// What the document controller has to ask the user. An interface, so that tests can answer.
class DocumentDialogs {
 public:
  enum class Unsaved { Save, Discard, Cancel };
  /// What to do about a file that somebody else has written since it was opened.
  enum class Changed {
    Replace,  ///< theirs by ours
    SaveAs,   ///< ours beside theirs
    Reopen,   ///< ours is given up for theirs
    Cancel,
  };
  struct SaveTarget {
    QString path;
    DocumentKind kind = DocumentKind::Workspace;
  };
  struct ExportTarget {
    QString path;
    std::string format;  ///< of exportFormats()
  };

  virtual ~DocumentDialogs() = default;
  /// Empty when the user thought better of it, as are the next two.
  virtual QString askOpenPath(const QString& folder) = 0;
  /// Suggests the kind that the document has.
  virtual std::optional<SaveTarget> askSaveTarget(const SaveTarget& suggestion) = 0;
  virtual std::optional<ExportTarget> askExportTarget(const QString& suggestion) = 0;
  virtual Unsaved askUnsaved(const QString& documentName) = 0;
  virtual Changed askChanged(const QString& documentName) = 0;
  /// Whether to end while this goes on, in words: "3 runs".
  virtual bool askEndWhile(const QString& what) = 0;
};

/// The real dialogs, above the window in use.
class WidgetDocumentDialogs : public DocumentDialogs {
 public:
  QString askOpenPath(const QString& folder) override;
  std::optional<SaveTarget> askSaveTarget(const SaveTarget& suggestion) override;
  std::optional<ExportTarget> askExportTarget(const QString& suggestion) override;
  Unsaved askUnsaved(const QString& documentName) override;
  Changed askChanged(const QString& documentName) override;
  bool askEndWhile(const QString& what) override;
};

}  // namespace p2::views
