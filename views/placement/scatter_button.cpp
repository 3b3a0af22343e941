// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/scatter_button.h"

#include <QMenu>
#include <QStringList>

#include "views/common/text.h"

namespace p2::views {
namespace {

bool isOffered(const Axis& axis) { return axis.reduce && axis.size > 1; }

}  // namespace

ScatterButton::ScatterButton(QWidget* parent) : QToolButton(parent) {
  setObjectName(QStringLiteral("scatter"));
  setPopupMode(QToolButton::InstantPopup);
  setToolTip(
      tr("Axes over which the sum is scattered; along the others every replica ends with the same "
         "part, as in HSDP"));
  setMenu(new QMenu(this));
}

void ScatterButton::showAxes(const std::vector<Axis>& axes) {
  m_axes = axes;
  menu()->clear();
  QStringList scattered;
  int offered = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!isOffered(axes[i])) continue;
    ++offered;
    const QString name = qs(axes[i].name);
    if (!axes[i].replicate) scattered << name;
    QAction* action = menu()->addAction(name);
    action->setObjectName(QStringLiteral("scatterOver_%1").arg(i));
    action->setCheckable(true);
    action->setChecked(!axes[i].replicate);
    // Later, since it makes a menu of other entries; undone before that, nothing is left of it.
    connect(
        action, &QAction::triggered, this,
        [this, i, axes] {
          if (axes == m_axes) toggle(i);
        },
        Qt::QueuedConnection);
  }
  if (scattered.size() == 1) {
    for (QAction* action : menu()->actions()) action->setEnabled(!action->isChecked());
  }
  setText(scattered.size() == offered ? tr("Over all axes") : tr("Over %1").arg(scattered.join(QStringLiteral(", "))));
  setAccessibleName(tr("Scattered %1").arg(text().toLower()));
  setVisible(offered > 1);
}

void ScatterButton::toggle(std::size_t axis) {
  std::vector<Axis> axes = m_axes;
  axes[axis].replicate = !axes[axis].replicate;
  const QString name = qs(axes[axis].name);
  emit chosen(axes[axis].replicate ? tr("Replicate along %1").arg(name) : tr("Scatter over %1").arg(name), axes);
}

}  // namespace p2::views
