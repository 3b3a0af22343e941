// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "views/shell/recovery.h"
#include "views/shell/session.h"

namespace p2::views {

/// Writes a recovery copy of the session's document whenever it is edited, and holds what a crash left behind until
/// somebody has answered for it.
class DocumentRecovery : public QObject {
  Q_OBJECT
 public:
  /// The file that the session's document belongs to.
  struct File {
    QString path;
    DocumentKind kind = DocumentKind::Workspace;
    std::shared_ptr<KnownContents> known;
  };
  /// A copy follows an edit after so many milliseconds; `file` is asked for when it is written.
  DocumentRecovery(Session& session, const QString& folder, int afterMs, std::function<File()> file);

  /// Looks for a document left by a crash.
  void offer();
  [[nodiscard]] const std::optional<Recovery::Copy>& left() const { return m_left; }
  /// The file that left() lies in.
  [[nodiscard]] QString leftFile() const { return m_recovery.adoptedFile(); }
  /// What was left is now the session's document: it is in the own copy from here on.
  void takeLeft();
  /// Gives up what was left, and offers the next one if there are several.
  void discardLeft();

  /// The document is saved or given up: its copy goes. What a crash left and nobody has answered for stays.
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
