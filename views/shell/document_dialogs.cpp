// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/document_dialogs.h"

#include <QApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>

#include "exporters/exporters.h"
#include "views/common/text.h"
#include "views/shell/export_format_dialog.h"

namespace p2::views {
namespace {

QString workspaceFilter() { return QObject::tr("P² workspaces (*.p2.json);;JSON files (*.json);;All files (*)"); }

}  // namespace

QString WidgetDocumentDialogs::askOpenPath(const QString& folder) {
  return QFileDialog::getOpenFileName(QApplication::activeWindow(), QObject::tr("Open a file"), folder,
                                      QObject::tr("All files (*)") + ";;" + workspaceFilter().section(";;", 0, 1));
}

std::optional<DocumentDialogs::SaveTarget> WidgetDocumentDialogs::askSaveTarget(const SaveTarget& suggestion) {
  const QString plans = QObject::tr("P² plans with lowered steps and predictions (*.json)");
  QStringList filters = workspaceFilter().split(";;");
  filters.insert(suggestion.kind == DocumentKind::Plan ? 0 : 1, plans);
  QFileDialog dialog(QApplication::activeWindow(), QObject::tr("Save the document"), suggestion.path);
  dialog.setNameFilters(filters);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  const auto useSuffixOf = [&](const QString& filter) {
    dialog.setDefaultSuffix(filter == plans ? "p2-plan.json" : "p2.json");
  };
  QObject::connect(&dialog, &QFileDialog::filterSelected, useSuffixOf);
  useSuffixOf(filters.first());
  dialog.selectFile(suggestion.path);
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return std::nullopt;
  return SaveTarget{dialog.selectedFiles().constFirst(),
                    dialog.selectedNameFilter() == plans ? DocumentKind::Plan : DocumentKind::Workspace};
}

std::optional<DocumentDialogs::ExportTarget> WidgetDocumentDialogs::askExportTarget(const QString& suggestion,
                                                                                    const ExportSource& source) {
  ExportFormatDialog formats(source.jobs, source.workspace, QApplication::activeWindow());
  if (formats.exec() != QDialog::Accepted) return std::nullopt;
  const ExportFormat& format = formats.chosen();
  QFileDialog dialog(QApplication::activeWindow(), QObject::tr("Export the plan as %1").arg(qs(format.name)),
                     suggestion);
  dialog.selectFile(suggestion);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setNameFilters({QStringLiteral("%1 (*.%2)").arg(qs(format.name), qs(format.extension))});
  dialog.setDefaultSuffix(qs(format.extension));
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return std::nullopt;
  return ExportTarget{dialog.selectedFiles().constFirst(), format.name};
}

bool WidgetDocumentDialogs::askDiscard(const QString& documentName) {
  QMessageBox box(QMessageBox::Warning, QObject::tr("Discard unsaved changes"),
                  QObject::tr("Delete the unsaved changes to %1?").arg(documentName), QMessageBox::Cancel,
                  QApplication::activeWindow());
  box.setInformativeText(QObject::tr("This cannot be undone."));
  const QPushButton* discard = box.addButton(QObject::tr("Delete them"), QMessageBox::DestructiveRole);
  box.setDefaultButton(QMessageBox::Cancel);
  box.exec();
  return box.clickedButton() == discard;
}

DocumentDialogs::Unsaved WidgetDocumentDialogs::askUnsaved(const QString& documentName) {
  QMessageBox box(QMessageBox::Question, QObject::tr("Unsaved changes"),
                  QObject::tr("Save your changes to %1?").arg(documentName),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QApplication::activeWindow());
  box.setInformativeText(QObject::tr("Otherwise they will be lost."));
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

DocumentDialogs::Changed WidgetDocumentDialogs::askChanged(const QString& documentName) {
  QMessageBox box(QMessageBox::Warning, QObject::tr("Changed by another program"),
                  QObject::tr("Another program has changed %1 since you opened it.").arg(documentName),
                  QMessageBox::Cancel, QApplication::activeWindow());
  box.setInformativeText(QObject::tr("Saving would overwrite its changes."));
  QPushButton* saveAs = box.addButton(QObject::tr("Save under another name…"), QMessageBox::AcceptRole);
  const QPushButton* reopen = box.addButton(QObject::tr("Open the other version"), QMessageBox::DestructiveRole);
  const QPushButton* replace = box.addButton(QObject::tr("Overwrite it"), QMessageBox::DestructiveRole);
  box.setDefaultButton(saveAs);
  box.exec();
  if (box.clickedButton() == saveAs) return Changed::SaveAs;
  if (box.clickedButton() == reopen) return Changed::Reopen;
  return box.clickedButton() == replace ? Changed::Replace : Changed::Cancel;
}

bool WidgetDocumentDialogs::askEndWhile(const QString& what) {
  QMessageBox box(QMessageBox::Question, QObject::tr("Not finished"), QObject::tr("Not finished: %1.").arg(what),
                  QMessageBox::Cancel, QApplication::activeWindow());
  box.setInformativeText(
      QObject::tr("Closing cancels runs, whose results so far are kept, and drops lessons that are not saved."));
  const QPushButton* end = box.addButton(QObject::tr("Close anyway"), QMessageBox::DestructiveRole);
  box.setDefaultButton(QMessageBox::Cancel);
  box.exec();
  return box.clickedButton() == end;
}

}  // namespace p2::views
