// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/model/model_perspective.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <span>

#include "base/numbers.h"
#include "base/units.h"
#include "text/text_file.h"
#include "training_answer/document_training.h"
#include "views/common/accessible_items.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/model/model_choices.h"
#include "views/model/model_facts.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr double kFindingScale = 1.15;
constexpr int kMostWidth = 1180;
constexpr std::int64_t kMostSequences = std::int64_t{1} << 30;

Result<std::int64_t> wholeFrom(const QString& text, const char* what) {
  const auto number = parseInteger(text.simplified().remove(' ').remove(',').toStdString());
  if (number && *number >= 1 && *number <= kMostSequences) return *number;
  return Error{"\"" + text.toStdString() + "\" is no number of " + what + "; use 1 to " +
               std::to_string(kMostSequences)};
}

Result<void> readBatch(const QString& text, TrainingChoice& training) {
  P2_TRY_ASSIGN(training.batch, wholeFrom(text, "sequences"));
  return {};
}

Result<void> readSequence(const QString& text, TrainingChoice& training) {
  P2_TRY_ASSIGN(training.sequence, wholeFrom(text, "tokens"));
  return {};
}

Result<void> readReserve(const QString& text, TrainingChoice& training) {
  if (text.trimmed().isEmpty()) {
    training.reserve = 0;
    return {};
  }
  P2_TRY_ASSIGN(const auto bytes, parseBytes(withShownUnit(text, QStringLiteral("6 GB"))));
  training.reserve = bytes.value();
  return {};
}

Result<void> readFixed(const QString& text, TrainingChoice& training) {
  P2_TRY_ASSIGN(const auto choices, fixedChoicesFrom(text.simplified().remove(' ').toStdString()));
  training.fixed = fixedChoicesText(choices);
  return {};
}

}  // namespace

struct ModelPerspective::Field {
  const char* key;
  const char* label;
  const char* toolTip;
  const char* placeholder;
  Result<void> (*read)(const QString& text, TrainingChoice& training);
  QString (*text)(const TrainingChoice& training);

  [[nodiscard]] static std::span<const Field> all() {
    static const Field kFields[] = {
        {"batch", QT_TRANSLATE_NOOP("ModelPerspective", "Global &batch"),
         QT_TRANSLATE_NOOP("ModelPerspective", "Sequences of a step, of all devices together"), "", readBatch,
         [](const TrainingChoice& training) { return QString::number(training.batch); }},
        {"sequence", QT_TRANSLATE_NOOP("ModelPerspective", "&Sequence"),
         QT_TRANSLATE_NOOP("ModelPerspective", "Tokens of a sequence"), "", readSequence,
         [](const TrainingChoice& training) { return QString::number(training.sequence); }},
        {"reserve", QT_TRANSLATE_NOOP("ModelPerspective", "Memor&y kept free"),
         QT_TRANSLATE_NOOP("ModelPerspective",
                           "Memory of a device for the CUDA context, communication buffers and gaps of the allocator"),
         "6 GB", readReserve,
         [](const TrainingChoice& training) {
           return training.reserve == 0 ? QString() : shownBytes(Bytes(training.reserve));
         }},
        {"fix", QT_TRANSLATE_NOOP("ModelPerspective", "Fixe&d choices"),
         QT_TRANSLATE_NOOP("ModelPerspective",
                           "Choices that are made; the others are searched. Keys: tp, pp, vpp, cp, ep, etp, dp, "
                           "replicas, zero, microbatch, sp, recompute, schedule, reshard"),
         "tp=8,pp=4", readFixed, [](const TrainingChoice& training) { return qs(training.fixed); }}};
    return kFields;
  }
};

ModelPerspective::ModelPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_finding(new QLabel),
      m_details(new QLabel),
      m_problem(new InlineMessage),
      m_model(new QComboBox),
      m_precision(new QComboBox),
      m_framework(new QComboBox),
      m_next(new QPushButton(tr("Compare configurations"))) {
  setObjectName("modelPerspective");
  m_finding->setObjectName("modelFinding");
  m_finding->setWordWrap(true);
  QFont large = m_finding->font();
  large.setPointSizeF(large.pointSizeF() * kFindingScale);
  m_finding->setFont(large);
  auto* columns = new QHBoxLayout;
  columns->setSpacing(4 * Theme::kGrid);
  columns->addWidget(makeForm(), 2);
  columns->addWidget(makeFacts(), 3);
  auto* page = new QWidget;
  page->setMaximumWidth(kMostWidth);
  QVBoxLayout* column = panelLayout(page);
  column->setContentsMargins(2 * Theme::kGrid, 2 * Theme::kGrid, 2 * Theme::kGrid, 2 * Theme::kGrid);
  column->setSpacing(2 * Theme::kGrid);
  column->addWidget(m_finding);
  column->addLayout(columns);
  column->addStretch(1);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(page, 1);
  layout->addStretch(0);
  connect(&session, &Session::workspaceChanged, this, &ModelPerspective::refresh);
  connect(&session, &Session::replaced, this, [this] { m_wrong.clear(); });
  refresh();
}

QWidget* ModelPerspective::makeForm() {
  auto* panel = new QWidget;
  auto* form = new QFormLayout(panel);
  form->setContentsMargins({});
  form->setSpacing(Theme::kGrid);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  m_model->setObjectName("modelChoice");
  m_model->setToolTip(tr("A model that comes with the program; drop the config.json of another one on the window"));
  connect(m_model, &QComboBox::activated, this, &ModelPerspective::chooseModel);
  form->addRow(tr("&Model"), m_model);
  auto* open = new QPushButton(tr("&Open config.json…"));
  open->setObjectName("modelOpen");
  open->setToolTip(tr("Take the model of a Hugging Face config.json or a p2-model file"));
  connect(open, &QPushButton::clicked, this, &ModelPerspective::askForFile);
  form->addRow(QString(), open);
  for (const Field& field : Field::all()) addField(*form, field);
  m_precision->setObjectName("modelPrecision");
  m_precision->setToolTip(tr("Number type of the large products"));
  for (const std::string_view name : kProductPrecisions) m_precision->addItem(qs(name));
  connect(m_precision, &QComboBox::activated, this, [this](int index) {
    TrainingChoice training = m_session.workspace()->training;
    training.precision = m_precision->itemText(index).toStdString();
    edit(tr("Choose precision"), std::move(training));
  });
  form->addRow(tr("&Precision"), m_precision);
  m_framework->setObjectName("modelFramework");
  m_framework->setToolTip(tr("Configurations that this framework can run"));
  for (const TrainingFramework* each : trainingFrameworks()) m_framework->addItem(qs(each->label), qs(each->name));
  m_framework->addItem(tr("All frameworks"), QStringLiteral("any"));
  connect(m_framework, &QComboBox::activated, this, [this](int index) {
    TrainingChoice training = m_session.workspace()->training;
    training.framework = m_framework->itemData(index).toString().toStdString();
    edit(tr("Choose framework"), std::move(training));
  });
  form->addRow(tr("Frame&work"), m_framework);
  return panel;
}

void ModelPerspective::addField(QFormLayout& form, const Field& field) {
  auto* edit = new QLineEdit;
  edit->setObjectName(QStringLiteral("modelField_") + QLatin1String(field.key));
  edit->setToolTip(tr(field.toolTip));
  edit->setPlaceholderText(QLatin1String(field.placeholder));
  connect(edit, &QLineEdit::editingFinished, this, [this, key = std::string(field.key)] { commit(key); });
  form.addRow(tr(field.label), edit);
  m_fields[field.key] = edit;
}

QWidget* ModelPerspective::makeFacts() {
  auto* panel = new QWidget;
  auto* column = new QVBoxLayout(panel);
  column->setContentsMargins({});
  column->setSpacing(Theme::kGrid);
  m_details->setObjectName("modelDetails");
  m_details->setWordWrap(true);
  m_details->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_details->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_problem->setObjectName("modelProblem");
  m_problem->setWordWrap(true);
  m_next->setObjectName("modelNext");
  m_next->setToolTip(tr("Compare every way to train this model on this cluster"));
  connect(m_next, &QPushButton::clicked, this, [this] { emit perspectiveWanted(kPlanPage); });
  column->addWidget(m_problem);
  column->addWidget(m_details);
  column->addWidget(m_next, 0, Qt::AlignLeft);
  column->addStretch(1);
  return panel;
}

QWidget* ModelPerspective::mainList() { return m_model; }

void ModelPerspective::edit(const QString& text, TrainingChoice training, const QString& mergeKey) {
  m_wrong.clear();
  m_session.editTraining(text, std::move(training), mergeKey);
  refresh();
}

void ModelPerspective::commit(const std::string& key) {
  for (const Field& field : Field::all()) {
    if (key != field.key) continue;
    TrainingChoice training = m_session.workspace()->training;
    const QString typed = m_fields[key]->text();
    if (typed == field.text(training) && m_wrong != key) return;
    const auto read = field.read(typed, training);
    if (read.ok()) return edit(tr("Change %1").arg(tr(field.label).remove('&').toLower()), std::move(training));
    m_wrong = key;
    m_problem->showProblem(qs(read.error().text()));
  }
}

void ModelPerspective::chooseModel(int index) {
  const auto& choices = modelChoices();
  if (index < 0 || std::size_t(index) >= choices.size()) return;
  const ModelChoice& model = choices[std::size_t(index)];
  edit(tr("Choose model %1").arg(qs(model.name)), withModel(m_session.workspace()->training, model),
       QStringLiteral("choose model"));
}

void ModelPerspective::askForFile() {
  auto* dialog = new QFileDialog(this, tr("Open a model"), {}, tr("Models (*.json);;All files (*)"));
  dialog->setObjectName("modelFileDialog");
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, &ModelPerspective::openFile);
  dialog->open();
}

void ModelPerspective::openFile(const QString& path) {
  const QString name = QFileInfo(path).fileName();
  const auto text = readTextFile(path.toStdString());
  const auto source = text.ok() ? modelFromText(*text).within(name.toStdString()) : Result<ModelSource>(text.error());
  if (!source.ok()) return m_problem->showProblem(qs(source.error().text()));
  // A config.json is called after its folder, as it is downloaded.
  const QFileInfo file(path);
  const QString own = file.completeBaseName() == "config" ? file.absoluteDir().dirName() : file.completeBaseName();
  edit(tr("Open model %1").arg(own), withModel(m_session.workspace()->training, {own.toStdString(), *text}));
}

void ModelPerspective::showModels(const TrainingChoice& training) {
  const auto& choices = modelChoices();
  const QSignalBlocker quiet(m_model);
  m_model->clear();
  int current = -1;
  for (const ModelChoice& each : choices) {
    if (each.name == training.model && each.config == training.config) current = m_model->count();
    m_model->addItem(qs(each.name));
  }
  if (current < 0 && !training.model.empty()) {
    current = m_model->count();
    m_model->addItem(qs(training.model));
  }
  m_model->setPlaceholderText(tr("choose a model"));
  m_model->setCurrentIndex(current);
}

void ModelPerspective::refresh() {
  const auto workspace = m_session.workspace();
  const TrainingChoice& training = workspace->training;
  showModels(training);
  for (const Field& field : Field::all()) {
    QLineEdit* edit = m_fields[field.key];
    if (m_wrong != field.key && edit->text() != field.text(training)) edit->setText(field.text(training));
  }
  m_precision->setCurrentText(qs(training.precision));
  m_framework->setCurrentIndex(m_framework->findData(qs(training.framework)));
  const bool hasModel = !training.model.empty();
  m_next->setEnabled(hasModel);
  if (!hasModel) {
    m_finding->setText(tr("Which model do you train? Choose one, or drop its config.json here."));
    m_details->clear();
    m_problem->showProblem({});
    return;
  }
  const auto facts = modelFacts(workspace->system, training);
  if (m_wrong.empty()) m_problem->showProblem(facts.ok() ? QString() : qs(facts.error().text()));
  if (!facts.ok()) return;
  m_finding->setText(facts->finding);
  announce(*this, facts->finding);
  QStringList details = facts->details;
  for (const QString& each : facts->assumed) details << tr("Assumed: %1").arg(each);
  m_details->setText(details.join(QStringLiteral("\n\n")));
}

}  // namespace p2::views
