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

#include "base/figures.h"
#include "base/units.h"
#include "graphs/strategy_source.h"
#include "views/common/decimal_box.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/strategy/open_sizes.h"
#include "views/strategy/plan_graph.h"
#include "views/strategy/plan_graph_line.h"
#include "views/strategy/strategy_loading.h"

namespace p2::views {
namespace {

constexpr double kTera = 1e12;

}  // namespace

StrategyInspector::StrategyInspector(Session& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_layout(new QFormLayout(this)), m_form(session, *m_layout) {
  m_layout->setSpacing(Theme::kGrid);
  makeGraph();
  makeSpace();
  makeModel();
  connectFields();
  connect(&session, &Session::workspaceChanged, this, &StrategyInspector::refresh);
  refresh();
}

void StrategyInspector::makeGraph() {
  m_graph = new QComboBox;
  for (const QString& name : bundledGraphNames()) m_graph->addItem(name, name);
  m_form.add(*m_graph, "strategyGraphName", "graph");
  m_open = named(new QPushButton(tr("&Open file…")), "strategyOpen", tr("Open a graph"),
                 tr("Read a graph (p2-graph JSON, ONNX) or tables of costs from a file (Alt+O)"));
  m_layout->addRow(QString(), m_open);
  m_take = named(new QPushButton(tr("Ta&ke the plan's model")), "strategyTakePlan");
  m_layout->addRow(QString(), m_take);
  m_batch = m_form.number("strategyBatch", "batch", tr("Set batch size"));
  m_batch->setSpecialValueText(tr("as in the model"));
  m_sequence = m_form.number("strategySequence", "sequence", tr("Set sequence"));
  m_sequence->setSpecialValueText(tr("as in the model"));
  m_capacity = new DecimalBox;
  m_capacity->setRange(kLeastCapacity, kMostCapacity);
  m_capacity->setSingleStep(0.25);
  m_capacity->setKeyboardTracking(false);
  m_form.add(*m_capacity, "strategyCapacity", "capacity_factor");
  m_layout->addRow(new OpenSizes(m_session));
  m_devices = m_form.number("strategyDevices", "devices", tr("Set devices of the strategy"));
}

void StrategyInspector::makeSpace() {
  m_space = m_form.words("strategySpace", "space", tr("Choose splits %1"));
  m_cutoff = m_form.number("strategyCutoff", "cutoff", tr("Set minimum shard size to %1"));
  m_exactly = m_form.flag("strategyExactly", "exactly", tr("Use all devices"), tr("Allow fewer devices"));
}

void StrategyInspector::makeModel() {
  m_model = m_form.words("strategyModel", "model", tr("Choose model %1"));
  m_flops = new DecimalBox;
  m_flops->setRange(0, kSpeedRange.most / kTera);  // 0 for the system's
  m_flops->setDecimals(3);
  m_flops->setSuffix(tr(" TFLOP/s"));
  m_flops->setKeyboardTracking(false);
  m_form.add(*m_flops, "strategyFlops", "flops");
  m_bandwidth = new QLineEdit;
  m_form.add(*m_bandwidth, "strategyBandwidth", "bandwidth");
  m_problem = named(new InlineMessage, "strategyBandwidthProblem");
  m_problem->floatBelow(*m_bandwidth);
}

void StrategyInspector::connectFields() {
  connect(m_graph, &QComboBox::activated, this, [this](int index) {
    const QString graph = m_graph->itemData(index).toString();
    edit(tr("Choose graph %1").arg(m_graph->itemText(index)),
         [&](StrategyChoice& c) { c.graph = graph.toStdString(); });
  });
  connect(m_take, &QPushButton::clicked, this, [this] { PlanGraphLine::takePlan(m_session); });
  connect(&m_session, &Session::trainingChanged, this, &StrategyInspector::refreshGraph);
  connect(m_open, &QPushButton::clicked, this, &StrategyInspector::askForFile);
  connect(m_capacity, &QDoubleSpinBox::valueChanged, this, [this](double factor) {
    edit(
        tr("Set capacity"), [=](StrategyChoice& c) { c.capacityFactor = factor == kLeastCapacity ? 0 : factor; },
        QStringLiteral("strategy-capacity"));
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
  m_dialog =
      named(new QFileDialog(this, tr("Open a graph"), {}, tr("Graphs and cost tables (*.json *.onnx);;All files (*)")),
            "strategyOpenDialog");
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
  if (!bandwidth.ok()) return m_problem->showProblem(qs(bandwidth.error().text()));
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
  const QSignalBlocker blockers[]{QSignalBlocker(m_flops), QSignalBlocker(m_capacity)};
  m_devices->setSpecialValueText(tr("all %1").arg(m_session.workspace()->system.deviceCount()));
  m_form.show(choice);
  m_batch->setEnabled(hasOpenBatch(choice.graph));
  m_sequence->setEnabled(hasOpenSequence(choice.graph));
  m_capacity->setValue(std::max(kLeastCapacity, choice.capacityFactor));
  m_capacity->setEnabled(hasCapacity(choice.graph));
  m_cutoff->setEnabled(options.space.kind == SpaceKind::Divisors);
  GraphCostOptions standard = options;
  standard.flops = 0;
  standard = filledIn(standard, m_session.workspace()->system);
  m_flops->setSpecialValueText(tr("default: %1").arg(qs(formatFlops(standard.flops))));
  m_flops->setValue(options.flops / kTera);
  m_bandwidth->setEnabled(options.model == StrategyCostModel::Flat);
  if (options.bandwidth == m_shownBandwidth) return;
  m_shownBandwidth = options.bandwidth;
  m_bandwidth->setText(editableBandwidth(options.bandwidth));
  m_problem->showProblem({});
}

void StrategyInspector::refreshGraph() {
  const QString graph = qs(m_session.workspace()->strategy.graph);
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
  const bool planned = isPlanned(m_session.planner());
  m_take->setEnabled(taken && planned && !(*taken == m_session.workspace()->strategy));
  m_take->setToolTip(taken && !planned ? tr("The plan is being computed")
                     : !taken ? tr("Choose a model on the Model page first; models with a bundled graph can be taken")
                     : m_take->isEnabled() ? tr("The graph of the document's model, on its cluster, with batch, ZeRO "
                                                "stage, microbatches and stages of the plan")
                                           : tr("This is the plan's model already"));
}

}  // namespace p2::views
