// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/placement_perspective.h"

#include <QAction>
#include <QLabel>
#include <QSplitter>

#include "views/common/panel.h"
#include "views/placement/axes_panel.h"
#include "views/placement/devices_view.h"
#include "views/placement/placements_panel.h"
#include "views/shell/session.h"

namespace p2::views {

PlacementPerspective::PlacementPerspective(Session& session, QWidget* parent)
    : Perspective(parent), m_session(session) {
  setObjectName(QStringLiteral("placementPerspective"));
  m_axes = new AxesPanel(session);
  m_placements = new PlacementsPanel(session);
  auto* splitter = new QSplitter;
  splitter->setObjectName(QStringLiteral("placementSplitter"));
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(m_axes);
  splitter->addWidget(m_placements);
  splitter->addWidget(makeDevicesPanel());
  splitter->setStretchFactor(0, 0);
  splitter->setStretchFactor(1, 2);
  splitter->setStretchFactor(2, 3);
  splitter->setSizes({240, 560, 440});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(splitter);
  addAction(m_placements->findAction());

  connect(m_placements, &PlacementsPanel::placementActivated, this, [this] { emit perspectiveWanted(kProgramsPage); });
  connect(m_placements, &PlacementsPanel::comparisonWanted, this, [this] { emit perspectiveWanted(kProgramsPage); });
  connect(m_placements, &PlacementsPanel::axesWanted, m_axes, &AxesPanel::takeFocus);
  connect(m_placements, &PlacementsPanel::workloadWanted, this, [this] { emit perspectiveWanted(kWorkloadPage); });
  connect(m_devices, &DevicesView::deviceHovered, &session, &Session::setHoveredDevice);
  connect(&session, &Session::hoverChanged, this, &PlacementPerspective::showHoveredDevice);
  connect(&session, &Session::explorationChanged, this, &PlacementPerspective::refreshDevices);
  connect(&session, &Session::selectionChanged, this, &PlacementPerspective::refreshDevices);
  connect(&session, &Session::freshnessChanged, this, [this] { m_devices->setStale(!m_session.isCurrent()); });
  refreshDevices();
}

// The table goes first: left to ~QWidget, an open editor would commit to what is already gone.
PlacementPerspective::~PlacementPerspective() { delete m_axes; }

QWidget* PlacementPerspective::makeDevicesPanel() {
  auto* panel = new QWidget;
  m_devices = new DevicesView;
  m_legend = new QLabel;
  m_legend->setObjectName(QStringLiteral("devicesLegend"));
  m_legend->setWordWrap(true);
  m_device = new QLabel;
  m_device->setObjectName(QStringLiteral("hoveredDevice"));
  m_device->setWordWrap(true);
  m_device->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_device->setMinimumHeight(2 * m_device->fontMetrics().lineSpacing());
  QVBoxLayout* layout = panelLayout(panel);
  layout->addWidget(panelTitle(tr("Devices")));
  layout->addWidget(m_devices, 1);
  layout->addWidget(m_legend);
  layout->addWidget(m_device);
  return panel;
}

QString PlacementPerspective::help() const {
  return tr(
      "<p>Name the axes of parallelism on the left and tick those to reduce over. Their sizes multiply to the "
      "number of devices.</p>"
      "<p>The table lists every parallelism matrix: a row per axis, a column per level of the system; the factor "
      "says how many ways that axis is split inside that level. ★ is the cheapest, ◇ what frameworks do unasked. "
      "Enter or a double click shows the programs of a placement.</p>"
      "<p>What is best for one reduction can be bad for the rest of a training step. Beside each placement stands what "
      "the other axes would pay, with ▲ from twice their best on; once there is a workload, the time of the whole "
      "step, "
      "with ● at the best.</p>"
      "<p>On the right every device carries its coordinates on the axes; devices of one colour and letter reduce "
      "together. The mouse or the arrow keys light up a group; the wheel or Ctrl with + and − zooms, Ctrl+0 "
      "fits, dragging pans.</p>");
}

QList<QAction*> PlacementPerspective::viewActions() { return m_axes->rowActions() << m_placements->findAction(); }

void PlacementPerspective::refreshDevices() {
  const PlacementResult* placement = m_session.placement();
  if (placement == nullptr) {
    m_devices->clear();
    m_legend->setText(tr("The devices of the selected placement appear here."));
    m_device->clear();
    return;
  }
  const Workspace& asked = m_session.exploration()->workspace;
  m_devices->showPlacement(asked.system, asked.axes, placement->matrix);
  m_devices->setStale(!m_session.isCurrent());
  QString legend = m_devices->legend();
  if (!m_devices->map().complete) {
    legend += tr("\nOnly the first %1 of %2 devices are drawn.")
                  .arg(m_devices->map().cells.size())
                  .arg(asked.system.deviceCount());
  }
  m_legend->setText(legend);
  showHoveredDevice();
}

void PlacementPerspective::showHoveredDevice() {
  const Device device = m_session.hoveredDevice();
  m_devices->setHoveredDevice(device);
  const bool known = m_session.placement() != nullptr && !device.isNone() &&
                     device.value() < m_session.exploration()->workspace.system.deviceCount();
  m_device->setText(known ? m_devices->sentence(device) : QString());
}

}  // namespace p2::views
