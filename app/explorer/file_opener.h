// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include "views/shell/file_use.h"

class QWidget;

namespace p2::views {
class DocumentController;
class PerspectiveStack;
class Session;
class WorkloadActions;
}  // namespace p2::views

namespace p2::explorer {

/// Opens files that are handed over, each where it belongs: a document in place of the one that is open, which is asked
/// about if it has changes; a system, a workload or measurements in the dialog that shows what is understood of them; a
/// graph in the strategy. What a file is, a job finds out. What cannot be opened is said in one sentence.
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

 private:
  void openAs(views::FileUse use, const QStringList& paths);
  void openGraph(const QString& path);

  Parts m_parts;
  QWidget& m_window;
};

}  // namespace p2::explorer
