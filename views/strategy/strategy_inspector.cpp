// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_inspector.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <array>

#include "base/figures.h"
#include "base/units.h"
#include "graphs/strategy_source.h"
#include "views/common/decimal_box.h"
#include "views/common/inline_message.h"
#include "views/common/quantity_text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/strategy/open_sizes.h"
#include "views/strategy/plan_graph.h"
#include "views/strategy/strategy_loading.h"

namespace p2::views {
namespace {

constexpr std::array kSpaces{SpaceKind::All, SpaceKind::Divisors, SpaceKind::PowersOfTwo};
constexpr std::array kModels{StrategyCostModel::Flat, StrategyCostModel::Hierarchical};
constexpr double kTera = 1e12;
constexpr int kMostSpin = 1 << 24;

template <class Values>
QComboBox* makeChoice(const Values& values) {
  auto* box = new QComboBox;
  for (const auto value : values) {
    const std::string_view name = nameOf(value);
    box->addItem(QString::fromUtf8(name.data(), qsizetype(name.size())));
  }
  return box;
}

}  // namespace

StrategyInspector::StrategyInspector(Session& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_layout(new QFormLayout(this)) {
  m_layout->setSpacing(Theme::kGrid);
  makeGraph();
  makeSpace();
  makeModel();
  connectFields();
  connect(&session, &Session::workspaceChanged, this, &StrategyInspector::refresh);
  refresh();
}

void StrategyInspector::addField(QWidget* field, const char* name, const QString& label, const QString& toolTip) {
  field->setObjectName(QLatin1String(name));
  field->setToolTip(toolTip);
  field->setAccessibleName(QString(label).remove('&'));
  field->setAccessibleDescription(toolTip);
  m_layout->addRow(label, field);
}

void StrategyInspector::makeGraph() {
  m_graph = new QComboBox;
  for (const QString& name : bundledGraphNames()) m_graph->addItem(name, name);
  addField(m_graph, "strategyGraphName", tr("&Graph"), tr("The computation graph to divide among the devices (Alt+G)"));
  m_open = new QPushButton(tr("&Open file…"));
  m_open->setObjectName(QStringLiteral("strategyOpen"));
  m_open->setToolTip(tr("Read a graph (p2-graph JSON, ONNX) or tables of costs from a file (Alt+O)"));
  m_open->setAccessibleName(tr("Open a graph"));
  m_layout->addRow(QString(), m_open);
  m_take = new QPushButton(tr("Take the plan's &model"));
  m_take->setObjectName(QStringLiteral("strategyTakePlan"));
  m_take->setToolTip(
      tr("The graph of the document's model, on its cluster, with batch, ZeRO stage and microbatches of "
         "the plan"));
  m_layout->addRow(QString(), m_take);
  m_batch = new QSpinBox;
  m_batch->setRange(0, kMostSpin);
  m_batch->setSpecialValueText(tr("as in the model"));
  m_batch->setKeyboardTracking(false);
  addField(
      m_batch, "strategyBatch", tr("Batch size"),
      tr("Samples or sequences of one microbatch on all devices; the global batch is this times the microbatches"));
  m_sequence = new QSpinBox;
  m_sequence->setRange(0, kMostSpin);
  m_sequence->setSpecialValueText(tr("as in the model"));
  m_sequence->setKeyboardTracking(false);
  addField(m_sequence, "strategySequence", tr("Sequence"), tr("Tokens of a transformer's sequence"));
  m_capacity = new DecimalBox;
  m_capacity->setRange(kLeastCapacity, kMostCapacity);
  m_capacity->setSingleStep(0.25);
  m_capacity->setKeyboardTracking(false);
  addField(m_capacity, "strategyCapacity", tr("Capacity"),
           tr("Rows that experts have room for, relative to an even distribution of tokens"));
  m_layout->addRow(new OpenSizes(m_session));
  m_devices = new QSpinBox;
  m_devices->setRange(0, kMostSpin);
  m_devices->setKeyboardTracking(false);
  addField(m_devices, "strategyDevices", tr("Devi&ces"),
           tr("How many devices may be used; 0 stands for all of the system"));
}

void StrategyInspector::makeSpace() {
  m_space = makeChoice(kSpaces);
  addField(m_space, "strategySpace", tr("&Splits"),
           tr("Into how many parts a dimension may be split: any number, its divisors, or powers of two"));
  m_cutoff = new QSpinBox;
  m_cutoff->setRange(1, kMostSpin);
  m_cutoff->setKeyboardTracking(false);
  addField(m_cutoff, "strategyCutoff", tr("Minimum shard size"),
           tr("Smallest part of a dimension, for divisors; 1 allows every divisor"));
  m_exactly = new QCheckBox(tr("&Use all devices"));
  m_exactly->setObjectName(QStringLiteral("strategyExactly"));
  m_exactly->setToolTip(tr("Every vertex is split among exactly all devices, not at most (Alt+U)"));
  m_exactly->setAccessibleName(tr("Use all devices"));
  m_layout->addRow(QString(), m_exactly);
}

void StrategyInspector::makeModel() {
  m_model = makeChoice(kModels);
  addField(m_model, "strategyModel", tr("&Model"),
           tr("flat: one bandwidth between any two devices; hierarchical: all operators on one mesh of the system's "
              "devices, with simulated collectives"));
  m_flops = new DecimalBox;
  m_flops->setRange(0, kSpeedRange.most / kTera);  // 0 for the system's
  m_flops->setDecimals(3);
  m_flops->setSuffix(tr(" TFLOP/s"));
  m_flops->setKeyboardTracking(false);
  addField(m_flops, "strategyFlops", tr("Speed"),
           tr("Operations per second of one device, a multiply-add is two; 0 for the system's figure"));
  m_bandwidth = new QLineEdit;
  addField(m_bandwidth, "strategyBandwidth", tr("Band&width"), tr("Of one device, for the flat model, as in 4GB/s"));
  m_problem = new InlineMessage;
  m_problem->setObjectName(QStringLiteral("strategyBandwidthProblem"));
  m_problem->floatBelow(*m_bandwidth);
}

void StrategyInspector::connectFields() {
  connect(m_graph, &QComboBox::activated, this, [this](int index) {
    const QString graph = m_graph->itemData(index).toString();
    edit(tr("Choose graph %1").arg(m_graph->itemText(index)),
         [&](StrategyChoice& c) { c.graph = graph.toStdString(); });
  });
  connect(m_take, &QPushButton::clicked, this, [this] {
    const auto taken = graphOfPlan(*m_session.workspace(), m_session.planner().shown());
    if (taken) edit(tr("Take the plan's model"), [&](StrategyChoice& c) { c = *taken; });
  });
  connect(&m_session, &Session::trainingChanged, this, &StrategyInspector::refreshGraph);
  connect(m_open, &QPushButton::clicked, this, &StrategyInspector::askForFile);
  connect(m_batch, &QSpinBox::valueChanged, this, [this](int batch) {
    edit(
        tr("Set batch size"), [=](StrategyChoice& c) { c.batch = batch; }, QStringLiteral("strategy-batch"));
  });
  connect(m_sequence, &QSpinBox::valueChanged, this, [this](int sequence) {
    edit(
        tr("Set sequence"), [=](StrategyChoice& c) { c.sequence = sequence; }, QStringLiteral("strategy-sequence"));
  });
  connect(m_capacity, &QDoubleSpinBox::valueChanged, this, [this](double factor) {
    edit(
        tr("Set capacity"), [=](StrategyChoice& c) { c.capacityFactor = factor == kLeastCapacity ? 0 : factor; },
        QStringLiteral("strategy-capacity"));
  });
  connect(m_devices, &QSpinBox::valueChanged, this, [this](int devices) {
    edit(
        tr("Set devices of the strategy"), [=](StrategyChoice& c) { c.options.devices = devices; },
        QStringLiteral("strategy-devices"));
  });
  connect(m_space, &QComboBox::activated, this, [this](int index) {
    edit(tr("Choose splits %1").arg(m_space->itemText(index)),
         [=](StrategyChoice& c) { c.options.space.kind = kSpaces[std::size_t(index)]; });
  });
  connect(m_cutoff, &QSpinBox::valueChanged, this, [this](int cutoff) {
    edit(
        tr("Set minimum shard size to %1").arg(cutoff), [=](StrategyChoice& c) { c.options.space.cutoff = cutoff; },
        QStringLiteral("strategy-cutoff"));
  });
  connect(m_exactly, &QCheckBox::toggled, this, [this](bool on) {
    edit(on ? tr("Use all devices") : tr("Use as many devices as pay"),
         [=](StrategyChoice& c) { c.options.space.exactly = on; });
  });
  connect(m_model, &QComboBox::activated, this, [this](int index) {
    edit(tr("Choose model %1").arg(m_model->itemText(index)),
         [=](StrategyChoice& c) { c.options.model = kModels[std::size_t(index)]; });
  });
  connect(m_flops, &QDoubleSpinBox::valueChanged, this, [this](double tera) {
    edit(
        tr("Set the devices' speed"), [=](StrategyChoice& c) { c.options.flops = tera * kTera; },
        QStringLiteral("strategy-flops"));
  });
  // Enter confirms a questioned value before the field is finished.
  connect(m_bandwidth, &QLineEdit::returnPressed, this, [this] {
    if (m_bandwidth->isModified() && m_bandwidth->text() == m_doubted) applyBandwidth(true);
  });
  connect(m_bandwidth, &QLineEdit::editingFinished, this, [this] {
    if (m_bandwidth->isModified()) applyBandwidth(false);
  });
}

void StrategyInspector::askForFile() {
  delete m_dialog;
  m_dialog = new QFileDialog(this, tr("Open a graph"), {}, tr("Graphs and cost tables (*.json *.onnx);;All files (*)"));
  m_dialog->setObjectName(QStringLiteral("strategyOpenDialog"));
  m_dialog->setAttribute(Qt::WA_DeleteOnClose);
  m_dialog->setFileMode(QFileDialog::ExistingFile);
  connect(m_dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    edit(tr("Open graph %1").arg(QFileInfo(path).fileName()), [&](StrategyChoice& c) { c.graph = path.toStdString(); });
  });
  m_dialog->open();
}

void StrategyInspector::applyBandwidth(bool confirmed) {
  const double before = m_session.workspace()->strategy.options.bandwidth;
  const auto bandwidth = typedBandwidth(m_bandwidth->text(), before);
  if (!bandwidth.ok()) return m_problem->showProblem(QString::fromStdString(bandwidth.error().text()));
  const QString doubt = confirmed ? QString() : doubtOfBandwidth(before, *bandwidth);
  m_doubted = doubt.isEmpty() ? QString() : m_bandwidth->text();
  if (!doubt.isEmpty()) {
    return m_problem->say(InlineMessage::Kind::Note, tr("%1 Press Enter again to keep it.").arg(doubt));
  }
  m_shownBandwidth = 0;  // so that the spelling is tidied even when the number stays
  edit(tr("Set bandwidth to %1").arg(m_bandwidth->text()),
       [&](StrategyChoice& c) { c.options.bandwidth = *bandwidth; });
  refresh();
}

void StrategyInspector::edit(const QString& what, const std::function<void(StrategyChoice&)>& change,
                             const QString& mergeKey) {
  Workspace next = *m_session.workspace();
  change(next.strategy);
  m_session.edit(what, std::move(next), mergeKey);
}

void StrategyInspector::refresh() {
  const StrategyChoice& choice = m_session.workspace()->strategy;
  const GraphCostOptions& options = choice.options;
  refreshGraph();
  const QSignalBlocker blockers[]{QSignalBlocker(m_batch),   QSignalBlocker(m_sequence), QSignalBlocker(m_devices),
                                  QSignalBlocker(m_cutoff),  QSignalBlocker(m_exactly),  QSignalBlocker(m_flops),
                                  QSignalBlocker(m_capacity)};
  m_batch->setValue(int(std::min<std::int64_t>(choice.batch, kMostSpin)));
  m_batch->setEnabled(hasOpenBatch(choice.graph));
  m_sequence->setValue(int(std::min<std::int64_t>(choice.sequence, kMostSpin)));
  m_sequence->setEnabled(hasOpenSequence(choice.graph));
  m_capacity->setValue(std::max(kLeastCapacity, choice.capacityFactor));
  m_layout->setRowVisible(m_capacity, hasCapacity(choice.graph));
  m_devices->setSpecialValueText(tr("all %1").arg(m_session.workspace()->system.deviceCount()));
  m_devices->setValue(int(std::min<std::int64_t>(options.devices, kMostSpin)));
  m_cutoff->setValue(int(std::min<std::int64_t>(options.space.cutoff, kMostSpin)));
  m_cutoff->setEnabled(options.space.kind == SpaceKind::Divisors);
  m_exactly->setChecked(options.space.exactly);
  GraphCostOptions usual = options;
  usual.flops = 0;
  usual = filledIn(usual, m_session.workspace()->system);
  m_flops->setSpecialValueText(tr("default: %1").arg(QString::fromStdString(formatFlops(usual.flops))));
  m_flops->setValue(options.flops / kTera);
  m_space->setCurrentIndex(int(std::find(kSpaces.begin(), kSpaces.end(), options.space.kind) - kSpaces.begin()));
  m_model->setCurrentIndex(int(std::find(kModels.begin(), kModels.end(), options.model) - kModels.begin()));
  m_bandwidth->setEnabled(options.model == StrategyCostModel::Flat);
  if (options.bandwidth == m_shownBandwidth) return;
  m_shownBandwidth = options.bandwidth;
  m_bandwidth->setText(editableBandwidth(options.bandwidth));
  m_problem->showProblem({});
}

void StrategyInspector::refreshGraph() {
  const QString graph = QString::fromStdString(m_session.workspace()->strategy.graph);
  int index = m_graph->findData(graph);
  const int bundled = int(bundledGraphNames().size());
  if (index < 0) {
    // One file is kept below the bundled graphs, so that one can go back to it.
    if (m_graph->count() > bundled) m_graph->removeItem(bundled);
    m_graph->addItem(QFileInfo(graph).fileName(), graph);
    m_graph->setItemData(bundled, graph, Qt::ToolTipRole);
    index = bundled;
  }
  m_graph->setCurrentIndex(index);
  const auto taken = graphOfPlan(*m_session.workspace(), m_session.planner().shown());
  m_layout->setRowVisible(m_take, taken && !(*taken == m_session.workspace()->strategy));
}

}  // namespace p2::views
