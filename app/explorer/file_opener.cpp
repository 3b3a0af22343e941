// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/file_opener.h"

#include <QDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QPointer>

#include "text/argument.h"
#include "text/text_file.h"
#include "views/common/text.h"
#include "views/shell/document_controller.h"
#include "views/shell/drop_area.h"
#include "views/shell/pages.h"
#include "views/shell/perspective_stack.h"
#include "views/shell/session.h"
#include "views/system/calibration_dialog.h"
#include "views/system/import_dialog.h"
#include "views/workload/workload_sources.h"

namespace p2::explorer {
namespace {

using views::FileUse;

/// Of machines and measurements several make one; of everything else one is opened at a time.
Result<FileUse> commonUse(const QStringList& paths, const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto use, views::fileUse(paths.front(), stop));
  if (paths.size() == 1) return use;
  for (const QString& path : paths) {
    P2_TRY_ASSIGN(const auto other, views::fileUse(path, stop));
    const bool together = other == FileUse::Machine || other == FileUse::Measurements;
    if (other == use && together) continue;
    return Error{std::to_string(paths.size()) +
                 " files were dropped at once; only machine descriptions and measurements can be opened "
                 "together"};
  }
  return use;
}

void showAbove(QDialog* dialog) {
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

}  // namespace

FileOpener::FileOpener(const Parts& parts, QWidget& window) : QObject(&window), m_parts(parts), m_window(window) {}

void FileOpener::open(const QStringList& paths) {
  if (paths.isEmpty()) return;
  m_parts.session.jobs().start<FileUse>(
      tr("Looking at %1").arg(QFileInfo(paths.front()).fileName()), QStringLiteral("look"),
      [paths](const std::stop_token& stop, const Progress&) { return commonUse(paths, stop); },
      [self = QPointer(this), paths](const Result<FileUse>& use) {
        if (!self) return;
        self->m_parts.documents.report(use.ok() ? QString() : views::qs(use.error().text()));
        if (use.ok()) self->openAs(*use, paths);
      });
}

void FileOpener::openPasted(const QMimeData& copied) {
  if (const QStringList files = views::DropArea::filesOf(&copied); !files.isEmpty()) return open(files);
  const std::string text = copied.text().toStdString();
  if (copied.text().trimmed().isEmpty()) return;
  const std::string format(formatIn(text));
  if (format == "p2-workspace" || format == "p2-plan" || format == "p2-lesson") {
    return m_parts.documents.report(tr("the pasted text is a document; save it as a file and open that"));
  }
  const QString path = m_pasted.filePath(QStringLiteral("pasted"));
  const auto written = writeTextFile(path.toStdString(), text);
  if (!written.ok()) return m_parts.documents.report(views::qs(written.error().text()));
  open({path});
}

void FileOpener::openAs(FileUse use, const QStringList& paths) {
  const QString& first = paths.front();
  switch (use) {
    case FileUse::Document:
      return m_parts.documents.openFile(first);
    case FileUse::Machine: {
      m_parts.stack.showPerspective(views::kSystemPage);
      auto* dialog = new views::ImportDialog(m_parts.session, &m_window);
      showAbove(dialog);
      return dialog->readFiles(paths);
    }
    case FileUse::Measurements: {
      m_parts.stack.showPerspective(views::kSystemPage);
      auto* dialog = new views::CalibrationDialog(m_parts.session, &m_window);
      showAbove(dialog);
      return dialog->readFiles(paths);
    }
    case FileUse::Workload:
      m_parts.stack.showPerspective(views::kWorkloadPage);
      return m_parts.workloads.openFile(first);
    case FileUse::ModelShape:
      m_parts.stack.showPerspective(views::kModelPage);
      return m_parts.stack.current()->openFile(first);
    case FileUse::Training:
      m_parts.stack.showPerspective(views::kPlanPage);
      return m_parts.stack.current()->openFile(first);
    case FileUse::Graph:
      return openGraph(first);
  }
}

void FileOpener::openGraph(const QString& path) {
  Workspace next = *m_parts.session.workspace();
  next.strategy.graph = QFileInfo(path).absoluteFilePath().toStdString();
  m_parts.session.edit(tr("Open graph %1").arg(QFileInfo(path).fileName()), std::move(next));
  m_parts.stack.showPerspective(views::kStrategyPage);
}

}  // namespace p2::explorer
