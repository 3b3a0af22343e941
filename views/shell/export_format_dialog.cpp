// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/export_format_dialog.h"

#include <QDialogButtonBox>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr QLatin1String kFormatKey("export/format");
constexpr int kCharacters = 90;
constexpr int kLines = 22;

}  // namespace

ExportFormatDialog::ExportFormatDialog(QWidget* parent)
    : QDialog(parent), m_formats(exportFormats(ExportSubject::Plan)), m_list(new QListWidget) {
  setObjectName("exportFormatDialog");
  setWindowTitle(tr("Export the plan"));
  m_list->setObjectName("exportFormats");
  m_list->setAccessibleName(tr("Formats"));
  m_list->setWordWrap(true);
  for (const ExportFormat& format : m_formats) {
    m_list->addItem(QStringLiteral("%1 – %2").arg(qs(format.name), qs(format.description)));
  }
  const std::string last = QSettings().value(kFormatKey).toString().toStdString();
  const auto found =
      std::find_if(m_formats.begin(), m_formats.end(), [&](const auto& each) { return each.name == last; });
  m_list->setCurrentRow(found == m_formats.end() ? 0 : int(found - m_formats.begin()));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  QPushButton* save = buttons->addButton(tr("&Save as…"), QDialogButtonBox::AcceptRole);
  save->setObjectName("exportSave");
  save->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_list, &QListWidget::itemActivated, this, &QDialog::accept);
  connect(this, &QDialog::accepted, this, [this] { QSettings().setValue(kFormatKey, qs(chosen().name)); });
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(m_list, 1);
  layout->addWidget(buttons);
  resize(fontMetrics().averageCharWidth() * kCharacters, fontMetrics().lineSpacing() * kLines);
}

const ExportFormat& ExportFormatDialog::chosen() const {
  return m_formats[std::size_t(std::max(0, m_list->currentRow()))];
}

}  // namespace p2::views
