// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/import_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTextBrowser>
#include <QUrl>

#include "base/units.h"
#include "importers/gpu_parts.h"
#include "system/text_drawing.h"
#include "views/common/file_field.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "workspace/import_files.h"
#include "workspace/workspace.h"

namespace p2::views {
namespace {

constexpr int kMostMachines = 1 << 20;
constexpr QSize kDialogSize{960, 600};
constexpr int kTextLines = 8;

QString listed(const QString& title, const std::vector<std::string>& things) {
  if (things.empty()) return {};
  QString items;
  for (const std::string& thing : things) {
    items += QStringLiteral("<li>%1</li>").arg(qs(thing).toHtmlEscaped());
  }
  return QStringLiteral("<p><b>%1</b></p><ul>%2</ul>").arg(title, items);
}

QString htmlOf(const Imported& imported) {
  return QStringLiteral("<p><b>%1</b> · %2</p>")
             .arg(qs(describe(imported.system)).toHtmlEscaped(), qs(imported.format).toHtmlEscaped()) +
         listed(QObject::tr("Understood"), imported.understood) + listed(QObject::tr("Assumed"), imported.assumed) +
         listed(QObject::tr("Ignored"), imported.ignored) +
         QStringLiteral("<pre>%1</pre>").arg(qs(drawnAsText(imported.system)).toHtmlEscaped());
}

struct SpeedField {
  const char* name;
  const char* label;
  const char* toolTip;
};

/// By SpeedKind.
constexpr std::array<SpeedField, kSpeedKinds> kSpeedFields{
    {{"importGpuLink", QT_TRANSLATE_NOOP("ImportDialog", "&NVLink or xGMI"),
      QT_TRANSLATE_NOOP("ImportDialog", "Bandwidth of one link between GPUs per direction, such as 25GB/s")},
     {"importPcie", QT_TRANSLATE_NOOP("ImportDialog", "&PCIe"),
      QT_TRANSLATE_NOOP("ImportDialog", "Bandwidth of a PCIe slot per direction, such as 32GB/s")},
     {"importSocket", QT_TRANSLATE_NOOP("ImportDialog", "Soc&kets"),
      QT_TRANSLATE_NOOP("ImportDialog", "Bandwidth between sockets per direction, such as 20GB/s")},
     {"importNic", QT_TRANSLATE_NOOP("ImportDialog", "NI&C"),
      QT_TRANSLATE_NOOP("ImportDialog", "Bandwidth of one NIC per direction, such as 100Gbit/s")},
     {"importOnChip", QT_TRANSLATE_NOOP("ImportDialog", "&On chip"),
      QT_TRANSLATE_NOOP("ImportDialog", "Bandwidth within a socket per direction, such as 64GB/s")}}};

}  // namespace

Result<Imported> ImportDialog::imported(const Question& question, const std::stop_token& stop) {
  const ImportOptions& options = question.options;
  auto imported = question.source == Source::File          ? importFiles(question.paths, options)
                  : question.source == Source::Description ? importSynthetic(question.description, options, stop)
                  : question.source == Source::Text        ? importTopology(question.description, options)
                                                           : importThisMachine(options, stop);
  P2_TRY(imported);
  P2_TRY(validated(imported->system));
  return imported;
}

ImportDialog::ImportDialog(Session& session, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_imported(session.jobs(), [](const Question& question, const std::stop_token& stop, const Progress&) {
        return imported(question, stop);
      }) {
  setObjectName(QStringLiteral("importDialog"));
  setWindowTitle(tr("Import a system"));
  makeFields();
  makeSpeeds();
  makePreview();
  QVBoxLayout* layout = panelLayout(this);
  auto* columns = new QHBoxLayout;
  columns->setSpacing(2 * Theme::kGrid);
  columns->addLayout(m_form, 2);
  columns->addWidget(m_preview, 3);
  layout->addLayout(columns, 1);
  layout->addWidget(m_message);
  layout->addWidget(makeButtons());
  resize(kDialogSize);
  connect(&m_imported, &DerivedBase::changed, this, &ImportDialog::present);
  showSource();
}

void ImportDialog::readFiles(const QStringList& paths) {
  m_source->setCurrentIndex(int(Source::File));
  m_file->choose(paths);
}

void ImportDialog::makeFields() {
  m_source = named(new QComboBox, "importSource", tr("From"), tr("Source of the system"));
  m_source->addItems({tr("a file"), tr("this machine"), tr("a description"), tr("pasted text")});
  m_file = new FileField(QStringLiteral("import"), tr("The file to import, or one per kind of node"),
                         {tr("Descriptions of machines (*.xml *.txt *.yml *.yaml *.json)"), tr("All files (*)")});
  m_description = named(new QLineEdit, "importDescription", tr("Description"),
                        tr("A machine in hwloc's notation, such as pack:2 core:4 pu:2"));
  m_description->setPlaceholderText(QStringLiteral("pack:2 core:4 pu:2"));
  makeTextField();
  makeGpus();
  m_nodes = named(new QSpinBox, "importMachines", tr("Nodes"), tr("Number of such nodes, joined by their NICs"));
  m_nodes->setRange(1, kMostMachines);
  m_nodes->setKeyboardTracking(false);
  m_cards = named(new QSpinBox, "importCards", tr("NICs per node"), tr("Number of NICs of each node"));
  m_cards->setRange(0, int(kMostCards));
  m_cards->setKeyboardTracking(false);
  m_form = new QFormLayout;
  m_form->setSpacing(Theme::kGrid);
  m_form->addRow(tr("&From"), m_source);
  m_form->addRow(tr("F&ile"), m_file);
  m_form->addRow(tr("&Description"), m_description);
  m_form->addRow(tr("&Text"), m_text);
  m_form->addRow(tr("Node&s"), m_nodes);
  m_form->addRow(tr("NICs p&er node"), m_cards);
  m_form->addRow(tr("&GPU"), m_gpu);
  connect(m_source, &QComboBox::currentIndexChanged, this, &ImportDialog::showSource);
  connect(m_gpu, &QComboBox::currentIndexChanged, this, &ImportDialog::read);
  connect(m_file, &FileField::edited, this, &ImportDialog::forget);
  connect(m_file, &FileField::chosen, this, &ImportDialog::read);
  connect(m_description, &QLineEdit::textEdited, this, &ImportDialog::read);
  for (QSpinBox* count : {m_nodes, m_cards}) connect(count, &QSpinBox::valueChanged, this, &ImportDialog::read);
}

void ImportDialog::makeTextField() {
  m_text = named(new QPlainTextEdit, "importText", tr("Text"),
                 tr("Output of %1; paste it or drop a file").arg(qs(importFormatNames())));
  m_text->setPlaceholderText(tr("Paste what nvidia-smi topo -m or lstopo --of xml prints"));
  m_text->setTabChangesFocus(true);
  m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_text->setMaximumHeight(m_text->fontMetrics().lineSpacing() * kTextLines);
  connect(m_text, &QPlainTextEdit::textChanged, this, &ImportDialog::read);
  setAcceptDrops(true);
}

/// Descriptions cannot show some links: those that topo -mp leaves out, and those between trays of one rack.
void ImportDialog::makeGpus() {
  m_gpu = named(new QComboBox, "importGpu", tr("GPU"),
                tr("GPU whose data sheet completes the links that the description cannot show"));
  m_gpu->addItem(tr("as described"));
  for (const GpuPart& part : gpuParts()) {
    const QString name = qs(std::string(part.name));
    if (m_gpu->findText(name) >= 0) continue;
    m_gpu->addItem(name, name);
    m_gpu->setItemData(m_gpu->count() - 1, qs(std::string(part.source)), Qt::ToolTipRole);
  }
}

void ImportDialog::readText(const QString& text) {
  // The text describes one node of the cluster.
  const System& system = m_session.workspace()->system;
  if (!system.levels.empty() && nodeDepth(system) > 0) {
    m_nodes->setValue(int(nodeCount(system)));
    m_keptNodes = m_nodes->value();
  }
  m_source->setCurrentIndex(int(Source::Text));
  m_text->setPlainText(text);
}

void ImportDialog::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls() || event->mimeData()->hasText()) event->acceptProposedAction();
}

void ImportDialog::dropEvent(QDropEvent* event) {
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) files += url.toLocalFile();
  }
  event->acceptProposedAction();
  if (!files.isEmpty()) return readFiles(files);
  readText(event->mimeData()->text());
}

void ImportDialog::makeSpeeds() {
  for (std::size_t kind = 0; kind < kSpeedKinds; ++kind) {
    auto* field = new QLineEdit;
    field->setObjectName(QString::fromUtf8(kSpeedFields[kind].name));
    field->setAccessibleName(tr(kSpeedFields[kind].label).remove('&'));
    field->setToolTip(tr(kSpeedFields[kind].toolTip));
    m_speeds[kind] = field;
    m_form->addRow(tr(kSpeedFields[kind].label), field);
    connect(field, &QLineEdit::textEdited, this, &ImportDialog::forget);
    // Once by Enter before the field is finished: a suspicious value is confirmed.
    connect(field, &QLineEdit::returnPressed, this, [this, field, kind] {
      const QString text = field->text().trimmed();
      if (!text.isEmpty() && text == m_doubted[kind]) m_meant[kind] = text;
    });
    connect(field, &QLineEdit::editingFinished, this, [this, field] {
      if (!field->isModified()) return;
      field->setModified(false);
      read();
    });
  }
  showAssumed({});
}

Result<double> ImportDialog::speedOf(std::size_t kind) {
  const QString text = m_speeds[kind]->text().trimmed();
  const double assumed = m_assumed.by[kind];
  P2_TRY_ASSIGN(const double speed, typedBandwidth(text, assumed));
  const QString doubt = m_meant[kind] == text ? QString() : doubtOfBandwidth(assumed, speed);
  m_doubted[kind] = doubt.isEmpty() ? QString() : text;
  if (!doubt.isEmpty()) return Error{tr("%1 Press Enter again to keep it.").arg(doubt).toStdString()};
  return speed;
}

std::optional<Speeds> ImportDialog::speeds() {
  Speeds speeds;
  for (std::size_t kind = 0; kind < kSpeedKinds; ++kind) {
    if (m_speeds[kind]->text().trimmed().isEmpty()) continue;
    const auto speed = speedOf(kind);
    if (!speed.ok()) {
      const QString sentence = m_speeds[kind]->accessibleName() + QStringLiteral(": ") + qs(speed.error().text());
      m_speeds[kind]->setModified(true);  // so that Enter reads it again
      m_message->say(m_doubted[kind].isEmpty() ? InlineMessage::Kind::Problem : InlineMessage::Kind::Note, sentence);
      return std::nullopt;
    }
    speeds.by[kind] = *speed;
  }
  return speeds;
}

void ImportDialog::showAssumed(const Imported& imported) {
  const Speeds& assumed = imported.assumedSpeeds;
  m_cards->setSpecialValueText(imported.assumedCards > 0 ? tr("%1, assumed").arg(imported.assumedCards)
                                                         : tr("as described"));
  for (std::size_t kind = 0; kind < kSpeedKinds; ++kind) {
    // A value in place of an assumption is still compared with it.
    if (m_speeds[kind]->text().trimmed().isEmpty()) m_assumed.by[kind] = assumed.by[kind];
    m_speeds[kind]->setPlaceholderText(assumed.by[kind] > 0 ? tr("%1, assumed").arg(bandwidthText(assumed.by[kind]))
                                                            : tr("as described"));
  }
}

void ImportDialog::makePreview() {
  m_message = named(new InlineMessage, "importMessage");
  m_preview = named(new QTextBrowser, "importPreview", tr("Interpretation"),
                    tr("The facts understood, assumed and ignored, and the resulting system"));
  m_preview->document()->setDocumentMargin(Theme::kGrid);
}

QWidget* ImportDialog::makeButtons() {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  m_import = buttons->addButton(tr("I&mport"), QDialogButtonBox::AcceptRole);
  named(m_import, "importAccept", {}, tr("Replace the system. Undo restores the old one"));
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
  m_form->setRowVisible(m_text, source == Source::Text);
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
  const QString description = source == Source::Text ? m_text->toPlainText() : m_description->text();
  const std::vector<std::string> paths = m_file->fileNames();
  if (source == Source::File && paths.empty()) return;
  const bool typed = source == Source::Description || source == Source::Text;
  if (typed && description.trimmed().isEmpty()) return;
  const auto chosen = speeds();
  if (!chosen) return;
  m_imported.ask(tr("Reading a system"),
                 {source,
                  paths,
                  description.toStdString(),
                  {m_nodes->value(), *chosen, m_cards->value(), m_gpu->currentData().toString().toStdString()}});
}

void ImportDialog::present() {
  const auto imported = m_imported.current();
  m_import->setEnabled(imported != nullptr);
  if (const auto& problem = m_imported.problem()) {
    m_message->showProblem(qs(problem->text()));
  } else if (m_imported.wasCancelled()) {
    m_message->say(InlineMessage::Kind::Note, tr("Stopped; choose the source again to read it."));
  } else {
    m_message->say(InlineMessage::Kind::Note, m_imported.isRunning() ? tr("Reading…") : QString());
  }
  if (!imported) return;
  showAssumed(*imported);
  Imported shown = *imported;
  if (m_nodes->value() == m_keptNodes && m_keptNodes > 1) {
    shown.assumed.insert(shown.assumed.begin(),
                         tr("%1 nodes, as the present system has").arg(m_keptNodes).toStdString());
  }
  m_preview->setHtml(htmlOf(shown));
}

void ImportDialog::importIt() {
  m_session.edit(tr("Import system"), withSystem(*m_session.workspace(), m_imported.current()->system));
  accept();
}

}  // namespace p2::views
