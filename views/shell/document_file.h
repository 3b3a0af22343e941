// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>

#include "workspace/workspace.h"

namespace p2::views {

/// Kind of a document's file: choices only (workspace), or also the lowered program and its prediction (plan).
enum class DocumentKind { Workspace, Plan };

/// The contents of one file that this program has read or written itself, from any thread. Anything else that is found
/// there is somebody else's work.
class KnownContents {
 public:
  void add(const std::string& text);
  [[nodiscard]] bool knows(const std::string& text) const;

  /// One word for the kind, and back; recovery copies store it.
  [[nodiscard]] QByteArray toText() const;
  static std::shared_ptr<KnownContents> fromText(const QByteArray& text);

 private:
  mutable std::mutex m_mutex;
  std::set<QByteArray> m_hashes;
};

struct OpenedDocument {
  Workspace workspace;
  DocumentKind kind = DocumentKind::Workspace;
  std::shared_ptr<KnownContents> known;
  bool isLesson = false;  ///< then it is no document, and the members above are empty
};

/// "llama3-70b on dgx-h100:12": model and system of a document after either was replaced; empty before.
[[nodiscard]] QString newSubjectOf(const Workspace& opened, const Workspace& now);

/// Reads and understands a workspace or plan file, and tells lessons from them. Only regular files: reading a pipe
/// could wait for ever.
[[nodiscard]] Result<OpenedDocument> readDocument(const QString& path, const std::stop_token& stop = {});

struct DocumentToSave {
  QString path;
  Workspace workspace;
  DocumentKind kind = DocumentKind::Workspace;
  std::shared_ptr<KnownContents> known;
  bool replace = false;  ///< regardless of the file's contents
};

enum class SaveOutcome {
  Saved,
  ChangedByAnother,  ///< nothing was written: the file holds what this program has neither read nor written
};

/// Whether replacing a file would lose unknown contents: text of other programs, or an unreadable file. Reads the file;
/// not for the GUI thread.
[[nodiscard]] bool holdsAnothersWork(const QString& path, const KnownContents& known);

/// Writes a document; a plan is lowered and predicted again, which needs a matrix and a program.
[[nodiscard]] Result<SaveOutcome> saveDocument(const DocumentToSave& document);

}  // namespace p2::views
