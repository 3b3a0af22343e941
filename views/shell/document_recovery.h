// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "views/shell/recovery.h"
#include "views/shell/session.h"

namespace p2::views {

/// Writes a recovery copy of the document after every edit, and keeps copies left by a crash until the user restores or
/// discards them.
class DocumentRecovery : public QObject {
  Q_OBJECT
 public:
  /// The file that the session's document belongs to.
  struct File {
    QString path;
    DocumentKind kind = DocumentKind::Workspace;
    std::shared_ptr<KnownContents> known;
  };
  /// A copy is written `delay` ms after an edit; `file` is called then.
  DocumentRecovery(Session& session, const QString& folder, int afterMs, std::function<File()> file);

  /// Looks for a document left by a crash.
  void offer();
  [[nodiscard]] const std::optional<Recovery::Copy>& left() const { return m_left; }
  /// The file of left().
  [[nodiscard]] QString leftFile() const { return m_recovery.adoptedFile(); }
  /// Marks left() as restored: it is now in the own copy.
  void takeLeft();
  /// Deletes left() and offers the next copy, if any.
  void discardLeft();

  /// Deletes the own copy after saving or dropping the document. Unclaimed recovery files are kept.
  void forget();

 signals:
  void leftChanged();
  void unreadable(const QStringList& files);  ///< left by a crash; they are kept
  void failed(const QString& sentence);       ///< no copy could be written

 private:
  void keep();

  Session& m_session;
  std::function<File()> m_file;
  Recovery m_recovery;
  std::optional<Recovery::Copy> m_left;
  QTimer m_timer;
};

}  // namespace p2::views
