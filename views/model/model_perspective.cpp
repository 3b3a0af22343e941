// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/model/model_perspective.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "text/text_file.h"
#include "training/memory.h"
#include "training/model_name.h"
#include "training_answer/document_training.h"
#include "views/common/accessible_items.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/model/model_choices.h"
#include "views/model/model_facts.h"
#include "views/model/parts_table.h"
#include "views/shell/framework_list.h"
#include "views/shell/session.h"
#include "workspace/training_fields.h"

namespace p2::views {
namespace {

constexpr double kFindingScale = 1.15;
constexpr int kMostWidth = 1180;
constexpr int kLinesWithParts = 30;  // lines of text that the page has, so that the parts have room below the form
constexpr int kLongestName = 80;
constexpr int kListLetters = 6;  // shown of an entry; the opened list shows all

/// Fields with a line of text, by their keys in trainingFields().
constexpr std::array<std::string_view, 4> kLines{"batch", "sequence", "reserve", "fixed"};

const Property<TrainingChoice>& fieldOf(std::string_view key) { return *propertyOf(trainingFields(), key); }

/// Whether the model comes from a file of the user's.
bool isOwn(const TrainingChoice& training) {
  const auto& known = modelChoices();
  return !training.config.empty() &&
         std::find(known.begin(), known.end(), ModelChoice{training.model, training.config}) == known.end();
}

/// Memory that a device keeps free by default; an example of a text where the accelerator is unknown.
QString defaultReserve(const System& system) {
  const auto accelerator = trainingAcceleratorOf(system);
  return accelerator.ok() ? shownBytes(Bytes(defaultMemoryReserve(accelerator->memory))) : QStringLiteral("6 GB");
}

QString placeholderOf(std::string_view key, const System& system) {
  return key == "reserve" ? defaultReserve(system) : key == "fixed" ? QStringLiteral("tp=8,pp=4") : QString();
}

QString textOf(std::string_view key, const TrainingChoice& training) {
  if (key == "reserve") return training.reserve == 0 ? QString() : shownBytes(Bytes(training.reserve));
  const Property<TrainingChoice>& field = fieldOf(key);
  return qs(propertyText(field.info, field.get(training)));
}

/// Takes a typed text: numbers may have separators, bytes the unit that is shown.
Result<void> readLine(std::string_view key, const QString& typed, const QString& shown, TrainingChoice& training) {
  const Property<TrainingChoice>& field = fieldOf(key);
  const bool isBytes = field.info.kind == PropertyKind::Amount;
  QString bare = typed.simplified();
  if (!isBytes) bare.remove(' ');
  if (field.info.kind == PropertyKind::Whole) bare.remove(',');
  std::string text = isBytes ? withShownUnit(bare, shown) : bare.toStdString();
  if (isBytes && bare.isEmpty()) text = "0";
  if (key == "fixed") {
    P2_TRY_ASSIGN(const auto choices, fixedChoicesFrom(text));
    text = fixedChoicesText(choices);
  }
  P2_TRY_ASSIGN(const auto value, propertyFromText(field.info, text));
  field.set(training, value);
  return {};
}

}  // namespace

ModelPerspective::ModelPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_finding(new QLabel),
      m_details(new QLabel),
      m_problem(new InlineMessage),
      m_parts(new PartsTable),
      m_model(new QComboBox),
      m_name(new QLineEdit),
      m_precision(new QComboBox),
      m_framework(new FrameworkList(session)),
      m_next(new QPushButton(tr("Compare configurations"))) {
  setObjectName("modelPerspective");
  wrapped(named(m_finding, "modelFinding"));
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
  column->setContentsMargins(2 * Theme::kGrid, Theme::kGrid, 2 * Theme::kGrid, Theme::kGrid);
  column->addWidget(m_finding);
  column->addLayout(columns);
  // As high as its rows, where there is room for them.
  m_parts->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
  m_parts->setMinimumHeight(0);
  column->addSpacing(Theme::kGrid);
  column->addWidget(m_parts, 1);
  column->addStretch(0);
  auto* layout = bareLayout<QHBoxLayout>(this);
  layout->addWidget(page, 1);
  layout->addStretch(0);
  connect(&session, &Session::workspaceChanged, this, &ModelPerspective::refresh);
  connect(&session, &Session::replaced, this, [this] { m_wrong.clear(); });
  refresh();
}

QWidget* ModelPerspective::makeForm() {
  auto* panel = new QWidget;
  auto* form = bareLayout<QFormLayout>(panel, Theme::kGrid);
  form->setVerticalSpacing(Theme::kGrid / 2);  // nine rows on a screen of 1600 × 1000 at 200 %
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  m_model->setObjectName("modelChoice");
  m_model->setToolTip(tr("%1; drop the config.json of another one on the window").arg(qs(fieldOf("model").info.tip)));
  connect(m_model, &QComboBox::activated, this, &ModelPerspective::chooseModel);
  form->addRow(qs(fieldOf("model").info.label), m_model);
  auto* open = new QPushButton(tr("&Own model: config.json…"));
  named(open, "modelOpen", {}, tr("Take the model of a Hugging Face config.json or a p2-model file"));
  connect(open, &QPushButton::clicked, this, &ModelPerspective::askForFile);
  m_name->setObjectName("modelName");
  m_name->setAccessibleName(tr("Name of the own model"));
  m_name->setPlaceholderText(tr("its name"));
  m_name->setToolTip(tr("Name of the model from a file; empty for the name that its config.json gives"));
  m_name->setMaxLength(kLongestName);
  connect(m_name, &QLineEdit::editingFinished, this, &ModelPerspective::rename);
  auto* own = new QHBoxLayout;
  own->setSpacing(Theme::kGrid);
  own->addWidget(open);
  own->addWidget(m_name, 1);
  form->addRow(own);
  for (const std::string_view key : kLines) addLine(*form, key);
  named(m_precision, "modelPrecision", {}, qs(fieldOf("precision").info.tip));
  for (const std::string_view name : kProductPrecisions) m_precision->addItem(qs(name));
  connect(m_precision, &QComboBox::activated, this, [this](int index) {
    TrainingChoice training = m_session.workspace()->training;
    training.precision = m_precision->itemText(index).toStdString();
    edit(tr("Choose precision"), std::move(training));
  });
  form->addRow(qs(fieldOf("precision").info.label), m_precision);
  named(m_framework, "modelFramework", {}, qs(fieldOf("framework").info.tip));
  // As wide as the other fields: its longest entry would move it below its label.
  m_framework->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_framework->setMinimumContentsLength(kListLetters);
  form->addRow(qs(fieldOf("framework").info.label), m_framework);
  named(m_next, "modelNext", {}, tr("Compare every way to train this model on this cluster"));
  connect(m_next, &QPushButton::clicked, this, [this] { emit perspectiveWanted(kPlanPage); });
  form->addRow(m_next);
  return panel;
}

void ModelPerspective::addLine(QFormLayout& form, std::string_view key) {
  const PropertyInfo& info = fieldOf(key).info;
  auto* edit = new QLineEdit;
  edit->setObjectName(QStringLiteral("modelField_") + qs(key));
  edit->setToolTip(qs(info.tip));
  connect(edit, &QLineEdit::editingFinished, this, [this, key] { commit(key); });
  form.addRow(qs(info.label), edit);
  m_lines[key] = edit;
}

QWidget* ModelPerspective::makeFacts() {
  auto* panel = new QWidget;
  auto* column = bareLayout<QVBoxLayout>(panel, Theme::kGrid);
  wrapped(named(m_details, "modelDetails"));
  m_details->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_details->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_problem->setObjectName("modelProblem");
  m_problem->setWordWrap(true);
  column->addWidget(m_problem);
  column->addWidget(m_details);
  column->addStretch(1);
  return panel;
}

QWidget* ModelPerspective::mainList() { return m_model; }

void ModelPerspective::edit(const QString& text, TrainingChoice training, const QString& mergeKey) {
  m_session.editTraining(text, std::move(training), mergeKey);
  refresh();
}

void ModelPerspective::commit(std::string_view key) {
  TrainingChoice training = m_session.workspace()->training;
  const QString typed = m_lines[key]->text();
  if (typed == textOf(key, training) && !m_wrong.contains(key)) return;
  const auto read = readLine(key, typed, m_lines[key]->placeholderText(), training);
  if (key == "sequence") m_shortened = 0;
  const QString name = qs(labelWord(fieldOf(key).info));
  if (read.ok()) {
    m_wrong.erase(key);
    return edit(tr("Change %1").arg(name), std::move(training));
  }
  m_wrong[key] = QStringLiteral("%1: %2").arg(name, qs(read.error().text()));
  refresh();
}

void ModelPerspective::showProblem(const QString& ofSettings) {
  QStringList problems;
  for (const auto& [key, line] : m_lines) {
    const auto wrong = m_wrong.find(key);
    if (wrong != m_wrong.end()) problems << wrong->second;
    QPalette colours = palette();
    if (wrong != m_wrong.end()) colours.setColor(QPalette::Text, Theme::bad());
    line->setPalette(colours);
  }
  m_next->setEnabled(m_wrong.empty() && !m_session.workspace()->training.model.empty());
  m_problem->showProblem(problems.isEmpty() ? ofSettings : problems.join(QStringLiteral("\n✗ ")));
}

void ModelPerspective::chooseModel(int index) {
  if (index < 0 || std::size_t(index) >= m_listed.size()) return;
  const ModelChoice model = m_listed[std::size_t(index)];
  TrainingChoice training = m_session.workspace()->training;
  // Arrow keys pass models with fewer positions, which must not shorten the sequences of the next model.
  if (training.sequence == m_shortened) training.sequence = m_wanted;
  m_wanted = training.sequence;
  training = withModel(std::move(training), model);
  m_shortened = training.sequence < m_wanted ? training.sequence : 0;
  edit(tr("Choose model %1").arg(qs(model.name)), std::move(training), QStringLiteral("choose model"));
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
  std::string own = modelNameOf(path.toStdString(), *text);
  if (own.empty()) own = source->shape.name;
  edit(tr("Open model %1").arg(qs(own)), withModel(m_session.workspace()->training, {own, *text}));
}

// The model stays, and so do the choices for it.
void ModelPerspective::rename() {
  TrainingChoice training = m_session.workspace()->training;
  std::string typed = m_name->text().simplified().toStdString();
  if (typed.empty()) typed = modelNameOf({}, training.config);
  m_name->setText(qs(training.model));
  if (typed.empty() || typed == training.model || !isOwn(training)) return;
  training.model = typed;
  edit(tr("Rename the model to %1").arg(qs(typed)), std::move(training));
}

void ModelPerspective::showModels(const TrainingChoice& training) {
  const QSignalBlocker quiet(m_model);
  if (m_listed.empty()) m_listed = modelChoices();
  const ModelChoice chosen{training.model, training.config};
  auto current = std::find(m_listed.begin(), m_listed.end(), chosen);
  if (current == m_listed.end() && !training.model.empty()) {
    m_listed.resize(modelChoices().size());
    current = m_listed.insert(m_listed.end(), chosen);
  }
  m_model->clear();
  for (const ModelChoice& each : m_listed) m_model->addItem(qs(each.name));
  m_name->setEnabled(isOwn(training));
  if (const QString name = isOwn(training) ? qs(training.model) : QString(); m_name->text() != name) {
    m_name->setText(name);
    m_name->setCursorPosition(0);
  }
  m_model->setPlaceholderText(tr("choose a model"));
  m_model->setCurrentIndex(current == m_listed.end() ? -1 : int(current - m_listed.begin()));
}

void ModelPerspective::refresh() {
  const auto workspace = m_session.workspace();
  const TrainingChoice& training = workspace->training;
  showModels(training);
  for (const auto& [key, line] : m_lines) {
    const QString text = textOf(key, training);
    if (!m_wrong.contains(key) && line->text() != text) line->setText(text);
    line->setPlaceholderText(placeholderOf(key, workspace->system));
  }
  m_precision->setCurrentText(qs(training.precision));
  if (training.model.empty()) {
    m_finding->setText(tr("Which model do you train? Choose one, or drop or paste its config.json here."));
    m_details->clear();
    m_parts->show({}, {}, kStateBytes);
    showParts();
    return showProblem({});
  }
  const auto facts = modelFacts(workspace->system, training);
  showProblem(facts.ok() ? QString() : qs(facts.error().text()));
  if (!facts.ok()) return;
  m_finding->setText(facts->finding);
  announce(*this, facts->finding);
  QStringList details = facts->details;
  for (const QString& each : facts->assumed) details << tr("Assumed: %1").arg(each);
  m_details->setText(details.join(QStringLiteral("\n\n")));
  m_parts->show(facts->parts, facts->model, kStateBytes);
  showParts();
}

void ModelPerspective::showParts() {
  m_parts->setVisible(!m_session.workspace()->training.model.empty() &&
                      height() >= kLinesWithParts * fontMetrics().lineSpacing());
}

void ModelPerspective::resizeEvent(QResizeEvent* event) {
  Perspective::resizeEvent(event);
  showParts();
}

}  // namespace p2::views
