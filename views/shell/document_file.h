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

/// What the file of a document holds: the choices alone, or also the lowered program and what was predicted of it.
enum class DocumentKind { Workspace, Plan };

/// The contents of one file that this program has read or written itself, from any thread. Anything else that is found
/// there is somebody else's work.
class KnownContents {
 public:
  void add(const std::string& text);
  [[nodiscard]] bool knows(const std::string& text) const;

  /// The same as one word of text, and back: a recovery copy carries it along.
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

/// Reads and understands a workspace or plan file, and tells lessons from them. Only regular files: reading a pipe
/// could wait for ever.
[[nodiscard]] Result<OpenedDocument> readDocument(const QString& path, const std::stop_token& stop = {});

struct DocumentToSave {
  QString path;
  Workspace workspace;
  DocumentKind kind = DocumentKind::Workspace;
  std::shared_ptr<KnownContents> known;
  bool replace = false;  ///< whatever the file holds by now
};

enum class SaveOutcome {
  Saved,
  ChangedByAnother,  ///< nothing was written: the file holds what this program has neither read nor written
};

/// Whether replacing a file would lose what is not known: a text that others have written, or a file that cannot be
/// read. Reads it; not for the GUI thread.
[[nodiscard]] bool holdsAnothersWork(const QString& path, const KnownContents& known);

/// Writes a document; a plan is lowered and predicted again, which needs a matrix and a program.
[[nodiscard]] Result<SaveOutcome> saveDocument(const DocumentToSave& document);

}  // namespace p2::views
