// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/save_dialog.h"

#include <QFileDialog>
#include <utility>

namespace p2::views {

QString endingOf(const QString& filter) {
  const qsizetype pattern = filter.indexOf(QStringLiteral("*."));
  if (pattern < 0) return {};
  const qsizetype begin = pattern + 2;
  qsizetype end = begin;
  while (end < filter.size() && filter[end] != ' ' && filter[end] != ')') ++end;
  return filter.mid(begin, end - begin);
}

QString plainFileName(const QString& name) {
  QString plain;
  for (const QChar c : name) {
    const bool kept = c.unicode() < 128 && (c.isLetterOrNumber() || c == '.' || c == '_');
    if (kept) plain += c;
    if (!kept && !plain.isEmpty() && !plain.endsWith('-')) plain += '-';
  }
  while (plain.endsWith('-') || plain.endsWith('.')) plain.chop(1);
  return plain.isEmpty() ? QStringLiteral("untitled") : plain;
}

QFileDialog* askWhereToSave(QWidget* parent, const SaveWish& wish, std::function<void(const QString&)> chosen) {
  // One that was closed may not be gone yet.
  delete parent->findChild<QFileDialog*>(wish.objectName, Qt::FindDirectChildrenOnly);
  auto* dialog = new QFileDialog(parent, wish.title);
  dialog->setObjectName(wish.objectName);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilters(wish.filters);
  const QString ending = endingOf(wish.filters.constFirst());
  dialog->setDefaultSuffix(ending);
  const QString base = plainFileName(wish.base);
  dialog->selectFile(ending.isEmpty() ? base : base + '.' + ending);
  QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
    const QString other = endingOf(filter);
    if (other.isEmpty()) return;
    dialog->setDefaultSuffix(other);
    const QFileInfo named(dialog->selectedFiles().value(0));
    if (!named.isDir()) dialog->selectFile(named.completeBaseName() + '.' + other);
  });
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, std::move(chosen));
  dialog->open();
  return dialog;
}

}  // namespace p2::views
