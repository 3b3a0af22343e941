// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLockFile>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "views/shell/document_file.h"

namespace p2::views {

/// Keeps a copy of unsaved work in a folder as a guard against crashes. Every running program has its own copy and
/// lock; a copy without a held lock was left by a crash.
class Recovery {
 public:
  struct Copy {
    QString documentPath;                         ///< the file it belongs to; empty if never saved
    std::string text;                             ///< the workspace file
    DocumentKind kind = DocumentKind::Workspace;  ///< of that file
    QByteArray known = {};                        ///< KnownContents of that file
  };

  explicit Recovery(const QString& folder);
  /// A clean end: removes the own copy.
  ~Recovery();

  /// A function that writes the own copy, to be called from any thread. It does nothing any more once discard() has
  /// been called.
  [[nodiscard]] std::function<Result<void>(const Copy& copy)> writer();
  /// Removes the own copy: the work is saved, or given up.
  void discard();

  /// A copy left by a crash, if there is one. No other program gets it while this one has it. It stays in the folder
  /// until it is dropped, and is found again the next time if it is not.
  [[nodiscard]] std::optional<Copy> adopt();
  /// The file of the adopted copy.
  [[nodiscard]] QString adoptedFile() const { return m_adopted; }
  /// Files that adopt() came upon and cannot read: they are kept, under names that it does not look at again.
  [[nodiscard]] QStringList unreadable() const { return m_unreadable; }
  /// Removes the adopted copy.
  void dropAdopted();

 private:
  struct Slot;
  void setAside(const QString& path);

  QString m_folder;
  std::shared_ptr<Slot> m_slot;
  std::unique_ptr<QLockFile> m_lock;
  QString m_adopted;
  QStringList m_unreadable;
  std::unique_ptr<QLockFile> m_adoptedLock;
};

}  // namespace p2::views
