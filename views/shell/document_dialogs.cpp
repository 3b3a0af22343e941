// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/document_dialogs.h"

#include <QApplication>
#include <QFileDialog>
#include <QMessageBox>

#include "exporters/exporters.h"

namespace p2::views {
namespace {

QString workspaceFilter() { return QObject::tr("P² workspaces (*.p2.json);;JSON files (*.json);;All files (*)"); }

}  // namespace

QString WidgetDocumentDialogs::askOpenPath(const QString& folder) {
  return QFileDialog::getOpenFileName(QApplication::activeWindow(), QObject::tr("Open a workspace or plan"), folder,
                                      workspaceFilter());
}

QString WidgetDocumentDialogs::askSavePath(const QString& suggestion) {
  QFileDialog dialog(QApplication::activeWindow(), QObject::tr("Save the workspace"), suggestion, workspaceFilter());
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix("p2.json");
  dialog.selectFile(suggestion);
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

std::optional<DocumentDialogs::ExportTarget> WidgetDocumentDialogs::askExportTarget(const QString& suggestion) {
  const std::vector<ExportFormat> formats = exportFormats(ExportSubject::Plan);
  QStringList filters;
  for (const ExportFormat& format : formats) {
    // Parentheses would be read as patterns.
    const QString text = QString::fromStdString(format.description).replace('(', '[').replace(')', ']');
    filters << QStringLiteral("%1 (*.%2)").arg(text, QString::fromStdString(format.extension));
  }
  QFileDialog dialog(QApplication::activeWindow(), QObject::tr("Export the plan"), suggestion);
  dialog.selectFile(suggestion);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setNameFilters(filters);
  const auto useSuffixOf = [&dialog, &filters, &formats](const QString& filter) {
    const ExportFormat& format = formats[std::size_t(std::max(qsizetype(0), filters.indexOf(filter)))];
    dialog.setDefaultSuffix(QString::fromStdString(format.extension));
  };
  QObject::connect(&dialog, &QFileDialog::filterSelected, useSuffixOf);
  useSuffixOf(filters.first());
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return std::nullopt;
  const qsizetype chosen = std::max(qsizetype(0), filters.indexOf(dialog.selectedNameFilter()));
  return ExportTarget{dialog.selectedFiles().first(), formats[std::size_t(chosen)].name};
}

DocumentDialogs::Unsaved WidgetDocumentDialogs::askUnsaved(const QString& documentName) {
  QMessageBox box(QMessageBox::Question, QObject::tr("Unsaved changes"),
                  QObject::tr("Save the changes to %1?").arg(documentName),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QApplication::activeWindow());
  box.setInformativeText(QObject::tr("They are lost otherwise."));
  box.setDefaultButton(QMessageBox::Save);
  switch (box.exec()) {
    case QMessageBox::Save:
      return Unsaved::Save;
    case QMessageBox::Discard:
      return Unsaved::Discard;
    default:
      return Unsaved::Cancel;
  }
}

}  // namespace p2::views
