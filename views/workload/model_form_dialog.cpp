// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/model_form_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>

#include "base/counted.h"
#include "text/text_file.h"
#include "training/memory.h"
#include "training_answer/document_training.h"
#include "views/common/file_field.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/workload/model_form.h"
#include "views/workload/workload_list.h"
#include "workload/generate/generator.h"

namespace p2::views {
namespace {

constexpr QSize kFormDialogSize{1200, 760};
const QString kOfDocument = QStringLiteral("document");

Result<ConfiguredModel> configuredModel(const std::string& path, const std::stop_token&, const Progress&) {
  P2_TRY_ASSIGN(const auto text, readTextFile(path));
  return modelFromConfig(text).within(path);
}

/// "Llama 3.1 70B was trained on 256 devices (dp 32, tp 8 …); on the 64 of this document dp becomes 8".
std::optional<std::string> changeOf(const TrainingPlan& before, const TrainingPlan& after) {
  const TrainingPlan published = resolved(before);
  if (published.data == after.data) return std::nullopt;
  return "dp " + std::to_string(after.data) + " on the " + countedText(after.devices, "device") +
         " of this document; published with dp " + std::to_string(published.data) + " on " +
         std::to_string(devicesOf(published));
}

/// The document's training: its workload's, else the shown configuration of its model. Microbatches follow from the
/// batch, so that degrees can be changed.
std::optional<TrainedModel> trainingOf(Session& session) {
  const Workspace& workspace = *session.workspace();
  std::optional<TrainedModel> found;
  if (workspace.workload && workspace.workload->training) {
    found = TrainedModel{workspace.workload->training->model, workspace.workload->training->plan};
  } else if (const StepPlanner& planner = session.planner(); planner.hasModel()) {
    const PlannedConfiguration* shown = planner.shown();
    const auto input = trainingInputOf(workspace.system, workspace.training);
    if (!input.ok()) return std::nullopt;
    const TrainingQuestion& question = input->question;
    found = TrainedModel{question.model,
                         shown != nullptr ? workloadPlanOf(shown->configuration) : unsaidPlan(question.model)};
    found->model.name = workspace.training.model;
    found->plan.globalBatch = question.batch;
    found->plan.sequence = question.sequence;
  }
  if (found && found->plan.globalBatch > 0) found->plan.microbatches = 0;
  return found;
}

}  // namespace

ModelFormDialog::ModelFormDialog(Session& session, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_generated(session.jobs(), [](const Question& question, const std::stop_token&,
                                     const Progress&) { return generated(question); }),
      m_configured(session.jobs(), &configuredModel) {
  setObjectName(QStringLiteral("modelFormDialog"));
  setWindowTitle(tr("Workload of a model"));
  makeSources();
  auto* begin = new QFormLayout;
  begin->setSpacing(Theme::kGrid);
  begin->addRow(tr("&Begin with"), m_source);
  begin->addRow(tr("F&ile"), m_config);
  m_form = new ModelForm;
  auto* scroll = named(new QScrollArea, "modelFormScroll");
  scroll->setWidget(m_form);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setMinimumWidth(m_form->minimumSizeHint().width() + scroll->verticalScrollBar()->sizeHint().width());
  auto* left = new QWidget;
  QVBoxLayout* column = panelLayout(left);
  column->setContentsMargins({});
  column->addLayout(begin);
  column->addWidget(scroll, 1);
  auto* splitter = splitterOf(Qt::Horizontal, {{left}});
  m_list = new WorkloadList(session, QStringLiteral("model"));
  m_list->layout()->setContentsMargins(Theme::kGrid, 0, 0, 0);
  QDialogButtonBox* buttons = m_list->makeButtons(*this);
  splitter->addWidget(m_list);
  splitter->setStretchFactor(1, 1);
  QVBoxLayout* layout = panelLayout(this);
  layout->addWidget(splitter, 1);
  layout->addWidget(buttons);
  resize(kFormDialogSize);
  connect(buttons, &QDialogButtonBox::accepted, this, &ModelFormDialog::takeOver);
  connect(m_form, &ModelForm::typed, this, &ModelFormDialog::type);
  connect(&m_generated, &DerivedBase::changed, this, &ModelFormDialog::present);
  connect(&m_configured, &DerivedBase::changed, this, &ModelFormDialog::takeConfig);
  chooseSource();
}

void ModelFormDialog::makeSources() {
  m_source = named(new QComboBox, "modelSource", tr("Begin with"),
                   tr("The document's training, a published one, or the shape of a model from its config.json"));
  if (const auto training = trainingOf(m_session)) {
    m_source->addItem(tr("%1, as in the document").arg(qs(training->model.name)), kOfDocument);
  }
  for (const BundledRecipe& bundled : bundledRecipes()) {
    const auto recipe = recipeFromJson(bundled.json);
    if (!recipe.ok()) continue;
    m_source->addItem(qs(recipe->name), qs(std::string(bundled.name)));
    m_source->setItemData(m_source->count() - 1, qs(recipe->description), Qt::ToolTipRole);
  }
  m_source->addItem(tr("a config.json of Hugging Face"));
  m_config = new FileField(QStringLiteral("modelConfig"), tr("The config.json next to a model's weights"),
                           {tr("Models of transformers (*.json)"), tr("All files (*)")}, FileField::Takes::OneFile);
  connect(m_source, &QComboBox::currentIndexChanged, this, &ModelFormDialog::chooseSource);
  connect(m_config, &FileField::chosen, this, &ModelFormDialog::chooseSource);
}

void ModelFormDialog::readConfig(const QString& path) {
  m_source->setCurrentIndex(m_source->count() - 1);
  m_config->choose(path);
}

void ModelFormDialog::chooseSource() {
  const bool isConfig = !m_source->currentData().isValid();
  m_config->setEnabled(isConfig);
  m_configured.forget();
  if (isConfig) {
    m_listed.clear();
    m_begin = {};
    const std::vector<std::string> paths = m_config->fileNames();
    if (paths.empty()) {
      m_draft.setValues(fittedTo({}, m_session.workspace()->system.deviceCount()));
    } else {
      m_configured.askAgain(tr("Reading a model"), paths.front());
    }
  } else if (m_source->currentData() == kOfDocument) {
    m_listed.clear();
    m_begin = {};
    if (auto training = trainingOf(m_session)) {
      m_draft.setValues(fittedTo(*std::move(training), m_session.workspace()->system.deviceCount()));
    }
  } else {
    const std::string name = m_source->currentData().toString().toStdString();
    if (const auto recipe = bundledRecipe(name); recipe.ok()) showRecipe(*recipe, name);
  }
  m_form->setEnabled(m_listed.empty());
  m_form->showTexts(m_draft);
  ask();
}

void ModelFormDialog::showRecipe(const TrainingRecipe& recipe, const std::string& name) {
  m_listed = recipe.listed ? name : std::string();
  const TrainedModel published{recipe.model, recipe.plan};
  m_draft.setValues(fittedTo(published, m_session.workspace()->system.deviceCount()));
  m_begin = {};
  for (const std::string& text : {recipe.description, recipe.published.text, recipe.source}) {
    if (!text.empty()) m_begin.published.push_back(text);
  }
  if (recipe.listed) return;
  if (const auto change = changeOf(published.plan, m_draft.values().plan)) m_begin.assumed.push_back(*change);
}

void ModelFormDialog::takeConfig() {
  if (const auto configured = m_configured.current()) {
    m_listed.clear();
    m_begin = {{}, configured->understood, configured->assumed, configured->ignored};
    m_draft.setValues(
        fittedTo({configured->shape, unsaidPlan(configured->shape)}, m_session.workspace()->system.deviceCount()));
    m_form->setEnabled(true);
    m_form->showTexts(m_draft);
    return ask();
  }
  present();
}

void ModelFormDialog::type(std::size_t row, const QString& text) {
  // Typing after a failed file hides its error.
  if (m_configured.problem()) m_configured.forget();
  m_draft.type(row, text);
  ask();
}

Result<WorkloadSource> ModelFormDialog::generated(const Question& question) {
  if (question.listed.empty()) return generateWorkload(question.trained.model, question.trained.plan);
  P2_TRY_ASSIGN(auto recipe, bundledRecipe(question.listed));
  const std::vector<PlanChange> changes{{"dp", std::to_string(question.trained.plan.devices)}};
  return recipeWorkload(std::move(recipe), changes);
}

void ModelFormDialog::ask() {
  if (m_draft.isWhole()) {
    m_generated.ask(tr("Generating a workload"), {m_draft.values(), m_listed});
  } else {
    m_generated.withdraw();
  }
  present();
}

void ModelFormDialog::present() {
  presentProblems();
  const auto source = m_generated.current();
  m_list->setStale(source == nullptr);
  m_list->takeButton().setEnabled(false);
  const bool isReading = m_configured.isRunning() || m_configured.problem().has_value();
  if (source && !isReading) presentList(*source);
}

void ModelFormDialog::presentProblems() {
  const auto& refused = m_generated.problem();
  const auto wrong = refused ? ModelDraft::rowOf(*refused) : std::nullopt;
  for (std::size_t row = 0; row < ModelDraft::rows().size(); ++row) {
    const bool isWrong = wrong == row && m_draft.problem(row).isEmpty();
    m_form->showProblem(row, isWrong ? qs(refused->message) : m_draft.problem(row));
  }
  InlineMessage& message = m_list->message();
  if (const auto& unread = m_configured.problem()) {
    message.showProblem(qs(unread->text()));
  } else if (m_configured.isRunning()) {
    message.say(InlineMessage::Kind::Note, tr("Reading…"));
  } else if (refused || !m_draft.isWhole()) {
    message.showProblem(wrong || !refused ? tr("The list is out of date; correct the marked field.")
                                          : qs(refused->text()));
  } else {
    message.showProblem(tooLarge());
  }
}

/// Why this training does not fit into the devices, by the planner's count; empty where it does or nothing is known.
QString ModelFormDialog::tooLarge() const {
  const double has = m_session.workspace()->system.accelerator.memory;
  if (has <= 0 || !m_listed.empty()) return {};
  const TrainedModel trained = m_draft.values();
  const ModelShape model = resolved(trained.model);
  TrainingConfiguration configuration;
  configuration.plan = resolved(trained.plan);
  if (configuration.plan.recompute) configuration.recomputation = RecomputeKind::Full;
  if (!checkModel(model).ok() || !checkConfiguration(model, configuration).ok()) return {};
  const double reserve = defaultMemoryReserve(has);
  const double needs = peakMemory(model, configuration).total() + reserve;
  if (needs <= has) return {};
  return tr("A device needs %1, %2 of it kept free, and has %3: raise tp, pp or the ZeRO stage. Plan compares all.")
      .arg(bytesText(Bytes(needs)), bytesText(Bytes(reserve)), bytesText(Bytes(has)));
}

void ModelFormDialog::presentList(const WorkloadSource& source) {
  WorkloadNotes reported = m_begin;
  reported.understood.insert(reported.understood.end(), source.understood.begin(), source.understood.end());
  reported.assumed.insert(reported.assumed.end(), source.assumed.begin(), source.assumed.end());
  reported.ignored.insert(reported.ignored.end(), source.ignored.begin(), source.ignored.end());
  m_list->present(source, reported);
}

void ModelFormDialog::takeOver() {
  const auto source = m_generated.current();
  if (!source) return;
  m_list->takeOver(*source, tr("Workload of a model"));
  accept();
}

}  // namespace p2::views
