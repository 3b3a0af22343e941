// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of ChangeControls.
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <algorithm>

#include "system/part_states.h"
#include "training/accelerator_data.h"
#include "views/common/text.h"
#include "views/common/whole_entries.h"
#include "views/whatif/change_controls.h"
#include "whatif/system_changes.h"

namespace p2::views {

void ChangeControls::addField(const QString& label, QWidget& field) {
  auto* grid = static_cast<QGridLayout*>(layout());
  auto* caption = new QLabel(label);
  caption->setBuddy(&field);
  const int row = grid->rowCount();
  grid->addWidget(caption, row, 0);
  grid->addWidget(&field, row, 1, 1, 2);
}

void ChangeControls::setPrecision(ProductPrecision present) {
  const QSignalBlocker blocker(m_precision);
  m_precision->clear();
  m_precision->addItem(tr("%1, as it is").arg(qs(nameOf(present))));
  for (const ProductPrecision each : {ProductPrecision::Bf16, ProductPrecision::Fp8, ProductPrecision::Fp4}) {
    if (each != present) m_precision->addItem(qs(nameOf(each)), int(each));
  }
}

void ChangeControls::setRecomputation(RecomputeKind present) {
  if (m_presentRecomputation == present) return;
  m_presentRecomputation = present;
  const QSignalBlocker blocker(m_recomputation);
  m_recomputation->clear();
  m_recomputation->addItem(tr("%1, as it is").arg(qs(nameOf(present))));
  for (const RecomputeKind each : {RecomputeKind::None, RecomputeKind::Selective, RecomputeKind::Full}) {
    if (each != present) m_recomputation->addItem(qs(nameOf(each)), int(each));
  }
}

void ChangeControls::setFramework(const TrainingFramework& present, const System& system) {
  const auto accelerator = trainingAcceleratorOf(system);
  const auto reasonOf = [&](const TrainingFramework& framework) {
    return accelerator.ok() ? missingPlatform(framework, accelerator->platform) : std::string();
  };
  const QString wanted = m_presentFramework == &present ? m_framework->currentData().toString() : QString();
  m_presentFramework = &present;
  const QSignalBlocker blocker(m_framework);
  m_framework->clear();
  m_framework->addItem(tr("%1, as it is").arg(qs(present.label)));
  for (const bool runs : {true, false}) {
    for (const TrainingFramework* each : trainingFrameworks()) {
      const std::string reason = reasonOf(*each);
      if (each == &present || reason.empty() != runs) continue;
      m_framework->addItem(runs ? qs(each->label) : tr("%1: %2").arg(qs(each->label), qs(reason)), qs(each->name));
      auto* items = qobject_cast<QStandardItemModel*>(m_framework->model());
      if (items != nullptr) items->item(m_framework->count() - 1)->setEnabled(runs);
    }
  }
  const int kept = wanted.isEmpty() ? 0 : m_framework->findData(wanted);
  m_framework->setCurrentIndex(std::max(0, kept));
  showWholeEntries(*m_framework);
}

const TrainingFramework* ChangeControls::frameworkNamed(const QString& name) {
  const auto found = trainingFrameworkFrom(name.toStdString());
  return found.ok() ? *found : nullptr;
}

/// The change with each framework that runs, the present one first.
std::vector<WhatIfChange> ChangeControls::inFrameworks() const {
  std::vector<WhatIfChange> changes;
  const auto* items = qobject_cast<QStandardItemModel*>(m_framework->model());
  for (int entry = 0; entry < m_framework->count(); ++entry) {
    if (items != nullptr && !items->item(entry)->isEnabled()) continue;
    WhatIfChange each = change();
    each.framework = entry == 0 ? m_presentFramework : frameworkNamed(m_framework->itemData(entry).toString());
    changes.push_back(std::move(each));
  }
  return changes;
}

/// Parts that can be out of order or slow, with the state that whatIfChangesFrom() reads.
void ChangeControls::setParts(const System& system) {
  const QSignalBlocker down(m_down);
  const QSignalBlocker job(m_job);
  m_down->clear();
  const QString present = qs(describeStates(system));
  m_down->addItem(present.isEmpty() ? tr("nothing") : tr("%1, as it is").arg(present));
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
    m_down->addItem(tr("%1 at 50 % of its speed").arg(one), one + QStringLiteral(": 50%"));
  }
  if (!node.isEmpty()) {
    m_down->addItem(tr("%1, down").arg(node), node);
    m_down->addItem(tr("%1 at 80 % of its speed").arg(node), node + ": 80%");
  }
  showWholeEntries(*m_down);
  m_down->setEnabled(m_down->count() > 1);
  m_shared = sharedPartOf(system);
  m_job->setChecked(false);
  m_job->setEnabled(!m_shared.empty());
  m_job->setToolTip(m_shared.empty()
                        ? tr("Nothing joins the nodes of this system")
                        : tr("Another job uses %1 all the time: each gets its fair share").arg(qs(m_shared)));
}

}  // namespace p2::views
