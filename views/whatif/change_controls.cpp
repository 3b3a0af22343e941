// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/whatif/change_controls.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/counted.h"
#include "base/near.h"
#include "system/oversubscription.h"
#include "training/accelerator_data.h"
#include "training/memory.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/whatif/marked_slider.h"
#include "views/whatif/quantity_box.h"
#include "whatif/system_changes.h"

namespace p2::views {
namespace {

/// The present value of a spine, for which its own ratio stands.
constexpr double kAsItIs = 0;

constexpr int kListLetters = 22;  // shown of an entry; the opened list shows all

/// Ratios of the spine, and those with a word below the slider.
constexpr std::array<double, 7> kRatios{1, 1.5, 2, 3, 4, 6, 8};
constexpr std::array<double, 4> kMarked{1, 2, 4, 8};

/// Stops of a slider within a doubling.
constexpr int kStopsOfDoubling = 4;

/// Range and form of a number box.
struct BoxForm {
  const char* key;
  double unit;
  double least;
  double most;
  int decimals;
  const char* suffix;
  const char* atLeast;  ///< shown in place of the least value; empty: the value
};
constexpr BoxForm kBoxForms[] = {{"nodes", 1, 1, 65536, 0, "", ""},
                                 {"spine", 1, kAsItIs, 64, 2, ":1", QT_TR_NOOP("as it is")},
                                 {"nic", 1e9, 0, 1e4, 2, " GB/s", QT_TR_NOOP("none")},
                                 {"batch", 1, 1, 1e6, 0, "", ""},
                                 {"sequence", 1, 1, 1e7, 0, "", ""},
                                 {"reserve", 1e9, 0.1, 1e3, 1, " GB", ""}};

constexpr double kReserveStep = 1e8;  // bytes

/// Bytes of a device that are kept free, by default or as stated.
double reserveOf(const TrainingQuestion& question) {
  if (question.reserve > 0) return question.reserve;
  const auto accelerator = trainingAcceleratorOf(question.system);
  return accelerator.ok() ? defaultMemoryReserve(accelerator->memory) : 0;
}

const BoxForm& boxFormOf(std::string_view key) {
  return *std::find_if(std::begin(kBoxForms), std::end(kBoxForms),
                       [key](const BoxForm& each) { return each.key == key; });
}

/// From 1/8 to 8 times the present value, whole multiples of `unit`: its doublings, each in equal parts.
std::vector<double> doublings(double present, double unit, int parts) {
  std::vector<double> values;
  for (int part = -3 * parts; part <= 3 * parts; ++part) {
    const int power = int(std::floor(double(part) / parts));
    const double within = double(part - power * parts) / parts;
    const double value = present * std::pow(2, power) * (1 + within);
    if (value >= unit && std::abs(std::remainder(value, unit)) < kArithmeticTolerance * value) values.push_back(value);
  }
  return values;
}

}  // namespace

ChangeControls::ChangeControls(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("whatIfControls"));
  auto* grid = bareLayout<QGridLayout>(this);
  grid->setVerticalSpacing(Theme::kGrid);
  grid->setColumnStretch(1, 1);
  addQuantity(*grid, "nodes", tr("&Nodes"), tr("Number of nodes. Data parallelism and microbatches follow from it"));
  addQuantity(
      *grid, "spine", tr("&Spine"),
      tr("Oversubscription of the network above the nodes: 4:1 carries a quarter of their traffic, 1:1 all of it"));
  addQuantity(*grid, "nic", tr("N&IC"), tr("Bandwidth of each NIC, in each direction"));
  addQuantity(*grid, "batch", tr("Global &batch"), tr("Sequences of a step"));
  addQuantity(*grid, "sequence", tr("Se&quence"), tr("Tokens of a sequence"));
  addQuantity(*grid, "reserve", tr("Memory &kept free"), tr("Memory of a device that no plan may use"));
  m_precision =
      addList(*grid, QStringLiteral("whatIfPrecision"), tr("&Precision"), tr("Number type of the large products"));
  m_recomputation = addList(*grid, QStringLiteral("whatIfRecompute"), tr("Reco&mputation"),
                            tr("Recomputation of this plan, and of the best one there"));
  m_framework = addList(*grid, QStringLiteral("whatIfFramework"), tr("F&ramework"),
                        tr("The degrees of this plan in another training framework, next to its best plan"));
  m_gpu = addList(*grid, QStringLiteral("whatIfGpu"), tr("&Accelerator"), tr("Another accelerator, by its data sheet"));
  m_down = addList(*grid, QStringLiteral("whatIfDown"), tr("D&own or slow"), tr("A part that is down or slow"), true);
  m_job = named(new QCheckBox(tr("Second &job on the network")), "whatIfJob", {},
                tr("A job that communicates as much takes half of every link between nodes"));
  grid->addWidget(m_job, grid->rowCount(), 0, 1, 3);
  connect(m_job, &QCheckBox::toggled, this, [this] {
    showValues();
    emit changed();
  });
  m_reset = named(new QPushButton(tr("As it is")), "whatIfReset", {}, tr("Undo all changes of this page"));
  m_adopt = named(new QPushButton(tr("&Use these values")), "whatIfAdopt");
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

void ChangeControls::addQuantity(QGridLayout& grid, const char* key, const QString& label, const QString& toolTip) {
  auto* slider = new MarkedSlider;
  slider->setObjectName(QStringLiteral("whatIf-") + QLatin1String(key));
  slider->setToolTip(toolTip);
  slider->setTickPosition(QSlider::TicksBelow);
  slider->setMinimumWidth(60);
  auto* caption = new QLabel(label);
  caption->setBuddy(slider);
  const BoxForm& form = boxFormOf(key);
  auto* box = new QuantityBox;
  box->setObjectName(QStringLiteral("whatIfBox-") + QLatin1String(key));
  box->setAccessibleName(QString(label).remove('&'));
  box->setToolTip(tr("%1: type any value").arg(toolTip));
  box->setFont(Theme::tabularFont());
  box->setAlignment(Qt::AlignRight);
  box->setDecimals(form.decimals);
  box->setRange(form.least, form.most);
  box->setSuffix(QLatin1String(form.suffix));
  // A number is complete with Return or the next field: "128" is not 1 node and then 12.
  box->setKeyboardTracking(false);
  box->setSpecialValueText(tr(form.atLeast));
  const int row = grid.rowCount();
  grid.addWidget(caption, row, 0);
  grid.addWidget(slider, row, 1);
  grid.addWidget(box, row, 2);
  if (form.key == std::string_view("nodes")) m_nodes = caption;
  const std::size_t place = m_quantities.size();
  m_quantities.push_back({key, slider, box, form.unit, {}, {}, 0, 0, 0});
  connect(slider, &QSlider::valueChanged, this, [this, place](int stop) {
    const Quantity& moved = m_quantities[place];
    if (std::size_t(stop) >= moved.stops.size()) return;
    const double value = moved.stops[std::size_t(stop)];
    take(place, value == moved.stop ? moved.present : value);
  });
  connect(box, &QDoubleSpinBox::valueChanged, this, [this, place](double value) {
    const Quantity& typed = m_quantities[place];
    // The text of the box is rounded.
    const bool isPresent = value == QString::number(typed.stop / typed.unit, 'f', typed.box->decimals()).toDouble();
    take(place, isPresent ? typed.present : value * typed.unit);
  });
}

void ChangeControls::take(std::size_t place, double value) {
  m_quantities[place].value = value;
  showValues();
  emit changed();
}

QComboBox* ChangeControls::addList(QGridLayout& grid, const QString& name, const QString& label, const QString& toolTip,
                                   bool isWide) {
  auto* list = new QComboBox;
  list->setObjectName(name);
  list->setToolTip(toolTip);
  // The entries come with the document.
  list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  list->setMinimumContentsLength(kListLetters);
  auto* caption = new QLabel(label);
  caption->setBuddy(list);
  const int row = grid.rowCount();
  grid.addWidget(caption, row, 0, 1, isWide ? 3 : 1);
  grid.addWidget(list, isWide ? row + 1 : row, isWide ? 0 : 1, 1, isWide ? 3 : 2);
  connect(list, &QComboBox::currentIndexChanged, this, [this] {
    showValues();
    emit changed();
  });
  return list;
}

/// Present value, and stops and a table around it. `step` is the least part of a value; 0 disables the quantity.
void ChangeControls::setValues(Quantity& quantity, double present, double step) {
  const QSignalBlocker slider(quantity.slider);
  const QSignalBlocker box(quantity.box);
  quantity.present = quantity.stop = quantity.value = present;
  quantity.stops = doublings(present, step, quantity.key == "nodes" ? kStopsOfDoubling : 1);
  quantity.table = doublings(present, step, 1);
  quantity.slider->setPageStep(quantity.key == "nodes" ? kStopsOfDoubling : 1);
  quantity.box->setSingleStep(std::max(1.0, step / quantity.unit));
  setRange(quantity, step > 0);
}

void ChangeControls::setRatios(Quantity& spine, bool changes, double present) {
  const QSignalBlocker slider(spine.slider);
  const QSignalBlocker box(spine.box);
  spine.present = spine.value = kAsItIs;
  spine.stop = present > 0 ? present : kAsItIs;
  spine.table = changes ? std::vector<double>(kRatios.begin(), kRatios.end()) : std::vector<double>();
  std::set<double> stops(spine.table.begin(), spine.table.end());
  std::erase_if(stops, [present](double each) { return nearlyEqual(each, present); });
  stops.insert(spine.stop);
  spine.stops.assign(stops.begin(), stops.end());
  QStringList marks;
  for (const double each : spine.stops) {
    const bool isMarked = each == spine.stop || std::find(kMarked.begin(), kMarked.end(), each) != kMarked.end();
    marks << (isMarked && each != kAsItIs ? qs(ratioText(each)) : QString());
  }
  spine.slider->setMarks(marks);
  spine.slider->setPageStep(1);
  const bool isKnown = present > 0;
  spine.box->setRange(isKnown ? std::min(1.0, present) : kAsItIs, boxFormOf("spine").most);
  spine.box->setSpecialValueText(isKnown ? QString() : tr("as it is"));
  setRange(spine, changes);
}

void ChangeControls::setRange(Quantity& quantity, bool changes) {
  quantity.slider->setRange(0, std::max(0, int(quantity.stops.size()) - 1));
  quantity.slider->setEnabled(changes && quantity.stops.size() > 1);
  quantity.box->setEnabled(changes);
}

void ChangeControls::setQuestion(const TrainingQuestion& question) {
  const System& system = question.system;
  const auto nodes = double(nodeCount(system));
  const auto inner = system.levels.empty() ? 1.0 : nodes / double(system.levels.front().count);
  const double nic = nicBandwidthOf(system);
  for (Quantity& quantity : m_quantities) {
    if (quantity.key == "nodes") setValues(quantity, nodes, std::max(1.0, inner));
    if (quantity.key == "batch") setValues(quantity, double(question.batch), 1);
    if (quantity.key == "sequence") setValues(quantity, double(question.sequence), 1);
    if (quantity.key == "nic") setValues(quantity, nic, nic > 0 ? 1 : 0);
    if (quantity.key == "reserve") setValues(quantity, reserveOf(question), kReserveStep);
    if (quantity.key == "spine") {
      const auto part = oversubscribedPart(system);
      setRatios(quantity, withOversubscription(system, 2).ok(), part.ok() ? oversubscriptionOf(system, *part) : 0);
    }
  }
  QString plural = qs(pluralOf(nodeNameOf(system)));
  plural[0] = plural[0].toUpper();
  m_nodes->setText(nodeNameOf(system) == "node" ? tr("&Nodes") : plural);
  const QSignalBlocker gpu(m_gpu);
  m_gpu->clear();
  m_gpu->addItem(tr("%1, as it is").arg(qs(system.accelerator.type)));
  for (const TrainingAccelerator& each : trainingAccelerators()) m_gpu->addItem(qs(each.begins), qs(each.begins));
  setPrecision(question.precision);
  setParts(system);
  showValues();
}

WhatIfChange ChangeControls::changeOf(const Quantity& quantity, double value) {
  WhatIfChange change;
  if (quantity.key == "nodes") change.nodes = std::llround(value);
  if (quantity.key == "batch") change.batch = std::llround(value);
  if (quantity.key == "sequence") change.sequence = std::llround(value);
  if (quantity.key == "nic") change.nicBandwidth = value;
  if (quantity.key == "reserve") change.reserve = value;
  if (quantity.key == "spine" && value != kAsItIs) change.oversubscription = value;
  return change;
}

WhatIfChange ChangeControls::change() const {
  WhatIfChange change;
  for (const Quantity& quantity : m_quantities) {
    if (quantity.value != quantity.present) change = combined(change, changeOf(quantity, quantity.value));
  }
  if (m_precision->currentIndex() > 0) change.precision = ProductPrecision(m_precision->currentData().toInt());
  if (m_recomputation->currentIndex() > 0) {
    change.recomputation = RecomputeKind(m_recomputation->currentData().toInt());
  }
  if (const QVariant name = m_framework->currentData(); name.isValid()) {
    change.framework = frameworkNamed(name.toString());
  }
  if (m_gpu->currentIndex() > 0) change.accelerator = m_gpu->currentData().toString().toStdString();
  if (m_down->currentIndex() > 0) change.down = m_down->currentData().toString().toStdString();
  if (m_job->isChecked()) change.jobs = 2;
  return change;
}

std::vector<WhatIfChange> ChangeControls::around(const std::string& key) const {
  std::vector<WhatIfChange> changes;
  if (key == "framework") return inFrameworks();
  for (const Quantity& quantity : m_quantities) {
    if (quantity.key != key) continue;
    for (const double value : quantity.table) {
      changes.push_back(combined(change(), changeOf(quantity, value)));
    }
  }
  return changes;
}

void ChangeControls::reset() {
  {
    const QSignalBlocker job(m_job);
    for (QComboBox* list : {m_gpu, m_down, m_precision, m_recomputation, m_framework}) {
      const QSignalBlocker blocker(list);
      list->setCurrentIndex(0);
    }
    m_job->setChecked(false);
    for (Quantity& quantity : m_quantities) quantity.value = quantity.present;
  }
  showValues();
  emit changed();
}

void ChangeControls::setAdoptable(bool adoptable) {
  if (adoptable == m_isAdoptable) return;
  m_isAdoptable = adoptable;
  showValues();
}

/// The slider stands at the last stop that the value reaches.
void ChangeControls::showValues() {
  m_adopt->setEnabled(m_isAdoptable && !(change() == WhatIfChange()));
  m_down->setToolTip(tr("A part that is down or slow: %1").arg(m_down->currentText()));
  for (Quantity& quantity : m_quantities) {
    const QSignalBlocker slider(quantity.slider);
    const QSignalBlocker box(quantity.box);
    const double stop = quantity.value == quantity.present ? quantity.stop : quantity.value;
    quantity.box->setValue(stop / quantity.unit);
    const auto next = std::upper_bound(quantity.stops.begin(), quantity.stops.end(), stop);
    quantity.slider->setValue(std::max(0, int(next - quantity.stops.begin()) - 1));
    QFont font = quantity.box->font();
    font.setBold(quantity.value != quantity.present);
    quantity.box->setFont(font);
    quantity.slider->setAccessibleDescription(quantity.box->text());
  }
}

}  // namespace p2::views
