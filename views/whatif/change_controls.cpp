// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/whatif/change_controls.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cmath>

#include "base/near.h"
#include "training/accelerator_data.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "whatif/system_changes.h"

namespace p2::views {
namespace {

/// The present value of a spine, for which its own ratio stands.
constexpr double kAsItIs = 0;

constexpr int kListLetters = 18;  // shown of an entry; the opened list shows all

/// present · 2^k, from 1/8 to 8 times, whole multiples of `unit`.
std::vector<double> doublings(double present, double unit) {
  std::vector<double> values;
  for (int power = -3; power <= 3; ++power) {
    const double value = present * std::pow(2, power);
    if (value >= unit && std::abs(std::remainder(value, unit)) < kArithmeticTolerance * value) values.push_back(value);
  }
  return values;
}

}  // namespace

ChangeControls::ChangeControls(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("whatIfControls"));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins({});
  grid->setVerticalSpacing(Theme::kGrid);
  grid->setColumnStretch(1, 1);
  addSlider(*grid, "nodes", tr("&Nodes"), tr("Number of nodes; degrees that follow from it are derived again"));
  addSlider(*grid, "spine", tr("&Spine"), tr("Oversubscription of the network above the nodes, 1:1 does not block"));
  addSlider(*grid, "nic", tr("N&IC"), tr("Bandwidth of each NIC, in each direction"));
  addSlider(*grid, "batch", tr("Global &batch"), tr("Sequences of a step"));
  addSlider(*grid, "sequence", tr("Se&quence"), tr("Tokens of a sequence"));
  m_gpu = addList(*grid, QStringLiteral("whatIfGpu"), tr("&Accelerator"), tr("Another accelerator, by its data sheet"));
  m_down = addList(*grid, QStringLiteral("whatIfDown"), tr("&Out of order"), tr("A part that is out of order or slow"));
  m_job = new QCheckBox(tr("Second &job on the network"));
  m_job->setObjectName(QStringLiteral("whatIfJob"));
  m_job->setToolTip(tr("A job that communicates as much takes half of every link between nodes"));
  grid->addWidget(m_job, grid->rowCount(), 0, 1, 3);
  connect(m_job, &QCheckBox::toggled, this, [this] {
    showFigures();
    emit changed();
  });
  m_reset = new QPushButton(tr("As it is"));
  m_reset->setObjectName(QStringLiteral("whatIfReset"));
  m_reset->setToolTip(tr("Undo all changes of this page"));
  m_adopt = new QPushButton(tr("&Use these values"));
  m_adopt->setObjectName(QStringLiteral("whatIfAdopt"));
  m_adopt->setToolTip(tr("Give the document this machine, batch and sequence; Undo takes it back"));
  connect(m_adopt, &QPushButton::clicked, this, &ChangeControls::adoptWanted);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(Theme::kGrid);
  buttons->addWidget(m_reset);
  buttons->addWidget(m_adopt);
  buttons->addStretch(1);
  grid->addLayout(buttons, grid->rowCount(), 0, 1, 3);
  connect(m_reset, &QPushButton::clicked, this, &ChangeControls::reset);
}

void ChangeControls::addSlider(QGridLayout& grid, const char* key, const QString& label, const QString& toolTip) {
  auto* slider = new QSlider(Qt::Horizontal);
  slider->setObjectName(QStringLiteral("whatIf-") + QLatin1String(key));
  slider->setToolTip(toolTip);
  slider->setPageStep(1);
  slider->setTickPosition(QSlider::TicksBelow);
  slider->setMinimumWidth(100);
  auto* caption = new QLabel(label);
  caption->setBuddy(slider);
  auto* figure = new QLabel;
  figure->setObjectName(QStringLiteral("whatIfFigure-") + QLatin1String(key));
  figure->setFont(Theme::tabularFont());
  figure->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  figure->setMinimumWidth(figure->fontMetrics().horizontalAdvance(QStringLiteral("000.0 GB/s")));
  const int row = grid.rowCount();
  grid.addWidget(caption, row, 0);
  grid.addWidget(slider, row, 1);
  grid.addWidget(figure, row, 2);
  m_quantities.push_back({key, slider, figure, {}, 0});
  connect(slider, &QSlider::valueChanged, this, [this] {
    showFigures();
    emit changed();
  });
}

QComboBox* ChangeControls::addList(QGridLayout& grid, const QString& name, const QString& label,
                                   const QString& toolTip) {
  auto* list = new QComboBox;
  list->setObjectName(name);
  list->setToolTip(toolTip);
  // The entries come with the document.
  list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  list->setMinimumContentsLength(kListLetters);
  auto* caption = new QLabel(label);
  caption->setBuddy(list);
  const int row = grid.rowCount();
  grid.addWidget(caption, row, 0);
  grid.addWidget(list, row, 1, 1, 2);
  connect(list, &QComboBox::currentIndexChanged, this, [this] {
    showFigures();
    emit changed();
  });
  return list;
}

void ChangeControls::setValues(Quantity& quantity, std::vector<double> values, double present) {
  const QSignalBlocker blocker(quantity.slider);
  const auto found = std::find(values.begin(), values.end(), present);
  quantity.present = found == values.end() ? 0 : int(found - values.begin());
  quantity.values = std::move(values);
  quantity.slider->setRange(0, std::max(0, int(quantity.values.size()) - 1));
  quantity.slider->setValue(quantity.present);
  quantity.slider->setEnabled(quantity.values.size() > 1);
}

void ChangeControls::setQuestion(const TrainingQuestion& question) {
  const System& system = question.system;
  const auto nodes = double(nodeCount(system));
  const auto inner = system.levels.empty() ? 1.0 : nodes / double(system.levels.front().count);
  for (Quantity& quantity : m_quantities) {
    if (quantity.key == "nodes") setValues(quantity, doublings(nodes, std::max(1.0, inner)), nodes);
    if (quantity.key == "batch") setValues(quantity, doublings(double(question.batch), 1), double(question.batch));
    if (quantity.key == "sequence") {
      setValues(quantity, doublings(double(question.sequence), 1), double(question.sequence));
    }
    if (quantity.key == "nic") setValues(quantity, doublings(nicBandwidthOf(system), 1), nicBandwidthOf(system));
    if (quantity.key == "spine") {
      const bool has = withOversubscription(system, 2).ok();
      setValues(quantity, has ? std::vector<double>{kAsItIs, 1, 1.5, 2, 3, 4, 6, 8} : std::vector<double>{kAsItIs},
                kAsItIs);
    }
  }
  const QSignalBlocker gpu(m_gpu);
  m_gpu->clear();
  m_gpu->addItem(tr("%1, as it is").arg(qs(system.accelerator.type)));
  for (const TrainingAccelerator& each : trainingAccelerators()) m_gpu->addItem(qs(each.begins), qs(each.begins));
  setParts(system);
  showFigures();
}

/// Parts that can be out of order or slow, with the state that whatIfChangesFrom() reads.
void ChangeControls::setParts(const System& system) {
  const QSignalBlocker down(m_down);
  const QSignalBlocker job(m_job);
  m_down->clear();
  m_down->addItem(tr("nothing"));
  QString node;
  for (std::size_t i = nodeDepth(system); i-- > 0;) {
    node += (node.isEmpty() ? QString() : QStringLiteral(" of ")) + qs(system.levels[i].name) + QStringLiteral(" 0");
  }
  const QString nic = qs(nicNameOf(system));
  if (!nic.isEmpty()) {
    const QString first = nic + QStringLiteral(" 0");
    const QString one = node.isEmpty() ? first : first + QStringLiteral(" of ") + node;
    m_down->addItem(tr("%1, down").arg(one), first);
    if (!node.isEmpty()) {
      const QString all = first + QStringLiteral(" of every ") + qs(system.levels[nodeDepth(system) - 1].name);
      m_down->addItem(tr("%1, down").arg(all), all);
    }
    m_down->addItem(tr("%1, at half of its bandwidth").arg(one), one + QStringLiteral(": 50%"));
  }
  if (!node.isEmpty()) {
    m_down->addItem(tr("%1, down").arg(qs(system.levels[nodeDepth(system) - 1].name) + " 0"),
                    qs(system.levels[nodeDepth(system) - 1].name) + " 0");
    m_down->addItem(tr("%1, computing at 80 %").arg(node), node + ": 80%");
  }
  m_down->setEnabled(m_down->count() > 1);
  m_shared = sharedPartOf(system);
  m_job->setChecked(false);
  m_job->setEnabled(!m_shared.empty());
  m_job->setToolTip(m_shared.empty()
                        ? tr("Nothing joins the nodes of this system")
                        : tr("Another job uses %1 all the time: each gets its fair share").arg(qs(m_shared)));
}

WhatIfChange ChangeControls::changeOf(const Quantity& quantity, double value) {
  WhatIfChange change;
  if (quantity.key == "nodes") change.nodes = std::llround(value);
  if (quantity.key == "batch") change.batch = std::llround(value);
  if (quantity.key == "sequence") change.sequence = std::llround(value);
  if (quantity.key == "nic") change.nicBandwidth = value;
  if (quantity.key == "spine" && value != kAsItIs) change.oversubscription = value;
  return change;
}

WhatIfChange ChangeControls::change() const {
  WhatIfChange change;
  for (const Quantity& quantity : m_quantities) {
    const int place = quantity.slider->value();
    if (place == quantity.present || place >= int(quantity.values.size())) continue;
    change = combined(change, changeOf(quantity, quantity.values[std::size_t(place)]));
  }
  if (m_gpu->currentIndex() > 0) change.accelerator = m_gpu->currentData().toString().toStdString();
  if (m_down->currentIndex() > 0) change.down = m_down->currentData().toString().toStdString();
  if (m_job->isChecked()) change.jobs = 2;
  return change;
}

std::vector<WhatIfChange> ChangeControls::around(const std::string& key) const {
  std::vector<WhatIfChange> changes;
  for (const Quantity& quantity : m_quantities) {
    if (quantity.key != key) continue;
    for (const double value : quantity.values) {
      if (value != kAsItIs) changes.push_back(combined(change(), changeOf(quantity, value)));
    }
  }
  return changes;
}

void ChangeControls::reset() {
  {
    const QSignalBlocker gpu(m_gpu);
    const QSignalBlocker down(m_down);
    const QSignalBlocker job(m_job);
    m_gpu->setCurrentIndex(0);
    m_down->setCurrentIndex(0);
    m_job->setChecked(false);
    for (Quantity& quantity : m_quantities) {
      const QSignalBlocker slider(quantity.slider);
      quantity.slider->setValue(quantity.present);
    }
  }
  showFigures();
  emit changed();
}

void ChangeControls::setAdoptable(bool adoptable) {
  if (adoptable == m_isAdoptable) return;
  m_isAdoptable = adoptable;
  showFigures();
}

QString ChangeControls::figureOf(const Quantity& quantity) const {
  if (quantity.values.empty()) return {};
  const double value = quantity.values[std::size_t(quantity.slider->value())];
  if (quantity.key == "nic") return value > 0 ? bandwidthText(value) : tr("none");
  if (quantity.key != "spine") return QString::number(std::llround(value));
  return value == kAsItIs ? tr("as it is") : QStringLiteral("%1:1").arg(value);
}

void ChangeControls::showFigures() {
  m_adopt->setEnabled(m_isAdoptable && !(change() == WhatIfChange()));
  for (Quantity& quantity : m_quantities) {
    const bool moved = quantity.slider->value() != quantity.present;
    QFont font = quantity.figure->font();
    font.setBold(moved);
    quantity.figure->setFont(font);
    quantity.figure->setText(figureOf(quantity));
    quantity.slider->setAccessibleDescription(figureOf(quantity));
  }
}

}  // namespace p2::views
