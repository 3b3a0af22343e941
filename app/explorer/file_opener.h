// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QTemporaryDir>

#include "views/shell/file_use.h"

class QMimeData;
class QWidget;

namespace p2::views {
class DocumentController;
class PerspectiveStack;
class Session;
class WorkloadActions;
}  // namespace p2::views

namespace p2::explorer {

/// Opens chosen or dropped files by their kind: a document replaces the open one, after a question about unsaved
/// changes; systems, workloads and measurements open their dialogs; a graph goes to the strategy. A job determines the
/// kind. Errors are one sentence in the trouble banner.
class FileOpener : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    views::Session& session;
    views::DocumentController& documents;
    views::PerspectiveStack& stack;
    views::WorkloadActions& workloads;
  };
  /// Dialogs open above `window`, which owns it.
  FileOpener(const Parts& parts, QWidget& window);

  void open(const QStringList& paths);
  /// Opens the clipboard as if it were dropped: files, or a text as a file "pasted". A text that is a
  /// document is refused, as it has no place to be saved to.
  void openPasted(const QMimeData& copied);

 private:
  void openAs(views::FileUse use, const QStringList& paths);
  void openGraph(const QString& path);

  Parts m_parts;
  QWidget& m_window;
  QTemporaryDir m_pasted;  // texts as files, for as long as a dialog may read them
};

}  // namespace p2::explorer
