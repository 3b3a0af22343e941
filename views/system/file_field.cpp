// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/file_field.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

#include "views/common/theme.h"

namespace p2::views {

FileField::FileField(const QString& name, const QString& what, QStringList filters, QWidget* parent)
    : QWidget(parent), m_name(name), m_what(what), m_filters(std::move(filters)), m_path(new QLineEdit) {
  m_path->setObjectName(name + QStringLiteral("Path"));
  m_path->setAccessibleName(what);
  m_path->setToolTip(tr("%1 (Enter to read it)").arg(what));
  auto* button = new QPushButton(tr("&Browse…"));
  button->setObjectName(name + QStringLiteral("Browse"));
  button->setAccessibleName(tr("Browse"));
  button->setToolTip(tr("Look for the file (Alt+B)"));
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

QString FileField::path() const { return m_path->text(); }

void FileField::browse() {
  auto* dialog = new QFileDialog(this, m_what);
  dialog->setObjectName(m_name + QStringLiteral("FileDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilters(m_filters);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    m_path->setText(path);
    emit chosen();
  });
  dialog->open();
}

}  // namespace p2::views
