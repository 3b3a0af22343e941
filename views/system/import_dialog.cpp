// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/import_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTextBrowser>

#include "system/text_drawing.h"
#include "text/text_file.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/shell/session.h"
#include "views/system/file_field.h"
#include "workspace/workspace.h"

namespace p2::views {
namespace {

constexpr int kMostMachines = 1 << 20;
constexpr QSize kFirstSize{640, 560};

QString listed(const QString& title, const std::vector<std::string>& things) {
  if (things.empty()) return {};
  QString items;
  for (const std::string& thing : things) {
    items += QStringLiteral("<li>%1</li>").arg(QString::fromStdString(thing).toHtmlEscaped());
  }
  return QStringLiteral("<p><b>%1</b></p><ul>%2</ul>").arg(title, items);
}

QString htmlOf(const Imported& imported) {
  return QStringLiteral("<p><b>%1</b> · %2</p>")
             .arg(QString::fromStdString(describe(imported.system)).toHtmlEscaped(),
                  QString::fromStdString(imported.format).toHtmlEscaped()) +
         listed(QObject::tr("Understood"), imported.understood) + listed(QObject::tr("Assumed"), imported.assumed) +
         listed(QObject::tr("Ignored"), imported.ignored) +
         QStringLiteral("<pre>%1</pre>").arg(QString::fromStdString(drawnAsText(imported.system)).toHtmlEscaped());
}

Result<Imported> fromFile(const std::string& path, const ImportOptions& options) {
  const auto text = readTextFile(path);
  if (!text.ok()) return text.error();
  auto imported = importTopology(*text, options);
  if (!imported.ok()) return imported.error().within(path);
  return imported;
}

}  // namespace

Result<Imported> ImportDialog::imported(const Question& question) {
  const ImportOptions options{question.machines};
  auto imported = question.source == Source::File          ? fromFile(question.text, options)
                  : question.source == Source::Description ? importSynthetic(question.text, options)
                                                           : importThisMachine(options);
  if (!imported.ok()) return imported;
  if (auto checked = checkSystem(imported->system); !checked.ok()) return checked.error();
  return imported;
}

ImportDialog::ImportDialog(Session& session, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_imported(session.jobs(),
                 [](const Question& question, const std::stop_token&, const Progress&) { return imported(question); }) {
  setObjectName(QStringLiteral("importDialog"));
  setWindowTitle(tr("Import a system"));
  makeFields();
  makePreview();
  QVBoxLayout* layout = panelLayout(this);
  layout->addLayout(m_form);
  layout->addWidget(m_message);
  layout->addWidget(m_preview, 1);
  layout->addWidget(makeButtons());
  resize(kFirstSize);
  connect(&m_imported, &DerivedBase::changed, this, &ImportDialog::present);
  showSource();
}

void ImportDialog::makeFields() {
  m_source = new QComboBox;
  m_source->setObjectName(QStringLiteral("importSource"));
  m_source->setAccessibleName(tr("From"));
  m_source->setToolTip(tr("What the system is made from"));
  m_source->addItems({tr("a file"), tr("this machine"), tr("a description")});
  m_file = new FileField(QStringLiteral("import"), tr("The file to import"),
                         {tr("Descriptions of machines (*.xml *.txt *.yml *.yaml)"), tr("All files (*)")});
  m_description = new QLineEdit;
  m_description->setObjectName(QStringLiteral("importDescription"));
  m_description->setAccessibleName(tr("Description"));
  m_description->setToolTip(tr("A machine in hwloc's notation, as in pack:2 core:4 pu:2"));
  m_description->setPlaceholderText(QStringLiteral("pack:2 core:4 pu:2"));
  m_nodes = new QSpinBox;
  m_nodes->setObjectName(QStringLiteral("importMachines"));
  m_nodes->setAccessibleName(tr("Machines"));
  m_nodes->setToolTip(tr("How many such machines, joined by their network cards"));
  m_nodes->setRange(1, kMostMachines);
  m_nodes->setKeyboardTracking(false);
  m_form = new QFormLayout;
  m_form->setSpacing(Theme::kGrid);
  m_form->addRow(tr("&From"), m_source);
  m_form->addRow(tr("F&ile"), m_file);
  m_form->addRow(tr("&Description"), m_description);
  m_form->addRow(tr("&Machines"), m_nodes);
  connect(m_source, &QComboBox::currentIndexChanged, this, &ImportDialog::showSource);
  connect(m_file, &FileField::edited, this, &ImportDialog::forget);
  connect(m_file, &FileField::chosen, this, &ImportDialog::read);
  connect(m_description, &QLineEdit::textEdited, this, &ImportDialog::read);
  connect(m_nodes, &QSpinBox::valueChanged, this, &ImportDialog::read);
}

void ImportDialog::makePreview() {
  m_message = new InlineMessage;
  m_message->setObjectName(QStringLiteral("importMessage"));
  m_preview = new QTextBrowser;
  m_preview->setObjectName(QStringLiteral("importPreview"));
  m_preview->setAccessibleName(tr("What was understood"));
  m_preview->setToolTip(tr("What was understood, assumed and ignored, and the system it makes"));
  m_preview->document()->setDocumentMargin(Theme::kGrid);
}

QWidget* ImportDialog::makeButtons() {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  m_import = buttons->addButton(tr("I&mport"), QDialogButtonBox::AcceptRole);
  m_import->setObjectName(QStringLiteral("importAccept"));
  m_import->setToolTip(tr("Replace the system; Undo brings the old one back"));
  m_import->setDefault(true);
  buttons->button(QDialogButtonBox::Cancel)->setObjectName(QStringLiteral("importCancel"));
  connect(buttons, &QDialogButtonBox::accepted, this, &ImportDialog::importIt);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  return buttons;
}

void ImportDialog::showSource() {
  const auto source = Source(m_source->currentIndex());
  m_form->setRowVisible(m_file, source == Source::File);
  m_form->setRowVisible(m_description, source == Source::Description);
  read();
}

void ImportDialog::forget() {
  m_imported.forget();
  m_import->setEnabled(false);
  m_message->showProblem({});
  m_preview->clear();
}

void ImportDialog::read() {
  forget();
  const auto source = Source(m_source->currentIndex());
  const QString text = source == Source::File          ? m_file->path()
                       : source == Source::Description ? m_description->text()
                                                       : QString();
  if (source != Source::ThisMachine && text.isEmpty()) return;
  m_imported.ask(tr("Reading a system"), {source, text.toStdString(), m_nodes->value()});
}

void ImportDialog::present() {
  const auto imported = m_imported.current();
  m_import->setEnabled(imported != nullptr);
  if (const auto& problem = m_imported.problem()) {
    m_message->showProblem(QString::fromStdString(problem->text()));
  } else if (m_imported.wasCancelled()) {
    m_message->say(InlineMessage::Kind::Note, tr("Stopped; choose the source again to read it."));
  } else {
    m_message->say(InlineMessage::Kind::Note, m_imported.isRunning() ? tr("Reading…") : QString());
  }
  if (imported) m_preview->setHtml(htmlOf(*imported));
}

void ImportDialog::importIt() {
  Workspace next = *m_session.workspace();
  next.system = m_imported.current()->system;
  m_session.edit(tr("Import system"), std::move(next));
  accept();
}

}  // namespace p2::views
