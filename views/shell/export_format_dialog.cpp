// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/export_format_dialog.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr QLatin1String kFormatKey("export/format");
constexpr int kCharacters = 130;
constexpr int kLines = 26;
constexpr qsizetype kMostPreviewed = 20'000;  // characters

}  // namespace

ExportFormatDialog::ExportFormatDialog(JobQueue& jobs, Workspace workspace, QWidget* parent)
    : QDialog(parent),
      m_formats(exportFormats(ExportSubject::Plan)),
      m_workspace(std::move(workspace)),
      m_list(new QListWidget),
      m_preview(new QPlainTextEdit),
      m_message(new QLabel),
      m_plan(jobs, [](const Workspace& planned, std::stop_token stop,
                      const Progress&) { return makePlan(planned, std::move(stop)); }),
      m_text(jobs, [](const Question& question, std::stop_token, const Progress&) {
        return p2::exportPlan(*question.plan, question.format);
      }) {
  setObjectName("exportFormatDialog");
  setWindowTitle(tr("Export the plan"));
  named(m_list, "exportFormats", tr("Formats"));
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
  m_copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
  named(m_copy, "exportCopy", {}, tr("Copy the whole file"));
  connect(m_copy, &QPushButton::clicked, this, &ExportFormatDialog::copy);
  named(m_preview, "exportPreview", tr("Preview"));
  m_preview->setReadOnly(true);
  m_preview->setTabChangesFocus(true);
  m_preview->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_preview->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  wrapped(named(m_message, "exportMessage"));
  connect(m_list, &QListWidget::currentRowChanged, this, &ExportFormatDialog::preview);
  connect(&m_plan, &DerivedBase::changed, this, &ExportFormatDialog::preview);
  connect(&m_text, &DerivedBase::changed, this, &ExportFormatDialog::follow);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_list, &QListWidget::itemActivated, this, &QDialog::accept);
  connect(this, &QDialog::accepted, this, [this] { QSettings().setValue(kFormatKey, qs(chosen().name)); });
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(Theme::kGrid);
  auto* columns = new QHBoxLayout;
  columns->setSpacing(Theme::kGrid);
  columns->addWidget(m_list, 2);
  columns->addWidget(m_preview, 3);
  layout->addLayout(columns, 1);
  layout->addWidget(m_message);
  layout->addWidget(buttons);
  resize(fontMetrics().averageCharWidth() * kCharacters, fontMetrics().lineSpacing() * kLines);
  m_plan.ask(tr("Planning the export"), m_workspace);
  preview();
}

void ExportFormatDialog::preview() {
  if (const auto plan = m_plan.current()) m_text.ask(tr("Writing a preview"), {plan, chosen().name});
  follow();
}

void ExportFormatDialog::follow() {
  const auto text = m_text.current();
  m_copy->setEnabled(text != nullptr);
  if (const auto& problem = m_plan.problem() ? m_plan.problem() : m_text.problem()) {
    m_preview->clear();
    return m_message->setText(qs(problem->text()));
  }
  if (!text) return m_message->setText(tr("Writing …"));
  const QString all = qs(*text);
  m_preview->setPlainText(all.left(kMostPreviewed));
  m_message->setText(all.size() > kMostPreviewed
                         ? tr("The preview ends after %L1 of %L2 characters.").arg(kMostPreviewed).arg(all.size())
                         : QString());
}

void ExportFormatDialog::copy() {
  if (const auto text = m_text.current()) QGuiApplication::clipboard()->setText(qs(*text));
  m_message->setText(tr("Copied: %1").arg(qs(chosen().name)));
}

const ExportFormat& ExportFormatDialog::chosen() const {
  return m_formats[std::size_t(std::max(0, m_list->currentRow()))];
}

}  // namespace p2::views
