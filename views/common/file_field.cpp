// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/file_field.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

#include "views/common/forward_focus.h"
#include "views/common/panel.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr QChar kSeparator = u';';

}  // namespace

FileField::FileField(const QString& name, const QString& what, QStringList filters, Takes takes, QWidget* parent)
    : QWidget(parent),
      m_name(name),
      m_what(what),
      m_filters(std::move(filters)),
      m_takes(takes),
      m_path(new QLineEdit) {
  m_path->setObjectName(name + QStringLiteral("Path"));
  m_path->setAccessibleName(what);
  const bool several = takes == Takes::SeveralFiles;
  m_path->setToolTip(
      (several ? tr("%1 (separate several with semicolons; Enter reads them)") : tr("%1 (Enter reads it)")).arg(what));
  auto* button = new QPushButton(tr("&Browse…"));
  button->setObjectName(name + QStringLiteral("Browse"));
  button->setAccessibleName(tr("Browse"));
  button->setToolTip(several ? tr("Choose one or several files (Alt+B)") : tr("Choose the file (Alt+B)"));
  button->setAutoDefault(false);
  auto* layout = bareLayout<QHBoxLayout>(this, Theme::kGrid);
  layout->addWidget(m_path, 1);
  layout->addWidget(button);
  forwardFocus(*this, *m_path);
  connect(m_path, &QLineEdit::textEdited, this, &FileField::edited);
  connect(m_path, &QLineEdit::editingFinished, this, [this] {
    if (!m_path->isModified()) return;
    m_path->setModified(false);
    emit chosen();
  });
  connect(button, &QPushButton::clicked, this, &FileField::browse);
}

std::vector<std::string> FileField::fileNames() const {
  const QString text = m_path->text().trimmed();
  const bool one = m_takes == Takes::OneFile || QFileInfo::exists(text);
  const QStringList parts = one ? QStringList(text) : text.split(kSeparator);
  std::vector<std::string> names;
  for (const QString& part : parts) {
    const QString name = part.trimmed();
    // Alone, a hyphen would be the standard input, which a desktop program has not.
    if (!name.isEmpty()) names.push_back((name == QStringLiteral("-") ? "./" : "") + name.toStdString());
  }
  return names;
}

void FileField::choose(const QString& path) {
  m_path->setText(path);
  emit chosen();
}

void FileField::choose(const QStringList& paths) { choose(paths.join(QStringLiteral("; "))); }

void FileField::browse() {
  auto* dialog = new QFileDialog(this, m_what);
  dialog->setObjectName(m_name + QStringLiteral("FileDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(m_takes == Takes::OneFile ? QFileDialog::ExistingFile : QFileDialog::ExistingFiles);
  dialog->setNameFilters(m_filters);
  connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& paths) { choose(paths); });
  dialog->open();
}

}  // namespace p2::views
