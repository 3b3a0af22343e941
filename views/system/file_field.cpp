// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/file_field.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr QChar kSeparator = u';';

}  // namespace

FileField::FileField(const QString& name, const QString& what, QStringList filters, QWidget* parent)
    : QWidget(parent), m_name(name), m_what(what), m_filters(std::move(filters)), m_path(new QLineEdit) {
  m_path->setObjectName(name + QStringLiteral("Path"));
  m_path->setAccessibleName(what);
  m_path->setToolTip(tr("%1 (Enter to read it; several between semicolons)").arg(what));
  auto* button = new QPushButton(tr("&Browse…"));
  button->setObjectName(name + QStringLiteral("Browse"));
  button->setAccessibleName(tr("Browse"));
  button->setToolTip(tr("Look for the file, or several (Alt+B)"));
  button->setAutoDefault(false);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins({});
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(m_path, 1);
  layout->addWidget(button);
  setFocusProxy(m_path);
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
  const QStringList parts = QFileInfo::exists(text) ? QStringList(text) : text.split(kSeparator);
  std::vector<std::string> names;
  for (const QString& part : parts) {
    const QString name = part.trimmed();
    // Alone, a hyphen would be the standard input, which a desktop program has not.
    if (!name.isEmpty()) names.push_back((name == QStringLiteral("-") ? "./" : "") + name.toStdString());
  }
  return names;
}

void FileField::browse() {
  auto* dialog = new QFileDialog(this, m_what);
  dialog->setObjectName(m_name + QStringLiteral("FileDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  dialog->setNameFilters(m_filters);
  connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& paths) {
    m_path->setText(paths.join(QStringLiteral("; ")));
    emit chosen();
  });
  dialog->open();
}

}  // namespace p2::views
