// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of ChangeControls.
#include <QCheckBox>
#include <QComboBox>
#include <QSignalBlocker>

#include "views/common/text.h"
#include "views/common/whole_entries.h"
#include "views/whatif/change_controls.h"
#include "whatif/system_changes.h"

namespace p2::views {

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
    m_down->addItem(tr("%1, down").arg(node), node);
    m_down->addItem(tr("%1, computing at 80 %").arg(node), node + ": 80%");
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
