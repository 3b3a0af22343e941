// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <string>

#include "views/shell/document_file.h"
#include "views/shell/job_queue.h"

namespace p2::views {

/// The questions of the document controller to the user; an interface, so that tests can answer.
class DocumentDialogs {
 public:
  enum class Unsaved { Save, Discard, Cancel };
  /// The user's decision about a file that another program has written since it was opened.
  enum class Changed {
    Replace,  ///< overwrite the other version
    SaveAs,   ///< save under another name
    Reopen,   ///< drop our changes and open the other version
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

  /// The document whose plan is exported, and the queue for its previews.
  struct ExportSource {
    JobQueue& jobs;
    Workspace workspace;
  };

  virtual ~DocumentDialogs() = default;
  /// Empty if the user cancels, as are the next two.
  virtual QString askOpenPath(const QString& folder) = 0;
  virtual std::optional<SaveTarget> askSaveTarget(const SaveTarget& suggestion) = 0;
  virtual std::optional<ExportTarget> askExportTarget(const QString& suggestion, const ExportSource& source) = 0;
  /// Whether to delete the recovery copy of a document for good.
  virtual bool askDiscard(const QString& documentName) = 0;
  virtual Unsaved askUnsaved(const QString& documentName) = 0;
  virtual Changed askChanged(const QString& documentName) = 0;
  /// Whether to close and so abort or lose `what`: "3 runs, 1 unsaved lesson".
  virtual bool askEndWhile(const QString& what) = 0;
};

/// The real dialogs, above the window in use.
class WidgetDocumentDialogs : public DocumentDialogs {
 public:
  QString askOpenPath(const QString& folder) override;
  std::optional<SaveTarget> askSaveTarget(const SaveTarget& suggestion) override;
  std::optional<ExportTarget> askExportTarget(const QString& suggestion, const ExportSource& source) override;
  bool askDiscard(const QString& documentName) override;
  Unsaved askUnsaved(const QString& documentName) override;
  Changed askChanged(const QString& documentName) override;
  bool askEndWhile(const QString& what) override;
};

}  // namespace p2::views
