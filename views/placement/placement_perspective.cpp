// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/placement_perspective.h"

#include <QAction>
#include <QSplitter>

#include "views/placement/axes_panel.h"
#include "views/placement/placement_panel.h"
#include "views/placement/placements_panel.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

/// The map has the larger part of the page.
constexpr int kListShare = 38;
constexpr int kMapShare = 62;

}  // namespace

PlacementPerspective::PlacementPerspective(Session& session, QWidget* parent) : Perspective(parent) {
  setObjectName(QStringLiteral("placementPerspective"));
  m_axes = new AxesPanel(session);
  m_placements = new PlacementsPanel(session);
  m_devices = new PlacementPanel(session);
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins({});
  column->setSpacing(0);
  column->addWidget(m_axes);
  column->addWidget(m_placements, 1);
  auto* splitter = new QSplitter;
  splitter->setObjectName(QStringLiteral("placementSplitter"));
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(side);
  splitter->addWidget(m_devices);
  splitter->setStretchFactor(0, kListShare);
  splitter->setStretchFactor(1, kMapShare);
  splitter->setSizes({kListShare * 100, kMapShare * 100});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(splitter);
  addAction(m_placements->findAction());

  connect(m_placements, &PlacementsPanel::placementActivated, this, [this] { emit perspectiveWanted(kProgramsPage); });
  connect(m_placements, &PlacementsPanel::comparisonWanted, this, [this] { emit perspectiveWanted(kProgramsPage); });
  connect(m_placements, &PlacementsPanel::axesWanted, m_axes, &AxesPanel::takeFocus);
  connect(m_placements, &PlacementsPanel::workloadWanted, this, [this] { emit perspectiveWanted(kWorkloadPage); });
  connect(m_placements, &PlacementsPanel::comparedChanged, m_devices, &PlacementPanel::compareWith);
  connect(m_devices, &PlacementPanel::comparisonWanted, m_placements, &PlacementsPanel::setCompared);
}

// The table goes first: left to ~QWidget, an open editor would commit to what is already gone.
PlacementPerspective::~PlacementPerspective() { delete m_axes; }

QString PlacementPerspective::help() const {
  return tr(
      "<p>Name the axes of parallelism and tick those to reduce over. Their sizes multiply to the number of devices. "
      "An axis that is to stay inside a node, or must not cross racks, says so under <b>Stays in</b>: placements that "
      "split it further are left out.</p>"
      "<p>The table lists every parallelism matrix: a row per axis, a column per level of the system; the factor "
      "says how many ways that axis is split inside that level, and the words beside it say where. Ctrl+C copies the "
      "row. ★ is the cheapest, ◇ what frameworks do unasked. "
      "Enter or a double click shows the programs of a placement.</p>"
      "<p>What is best for one reduction can be bad for the rest of a training step. Beside each placement stands what "
      "the other axes would pay, with ▲ from twice their best on; once there is a workload, the time of the whole "
      "step, "
      "with ● at the best.</p>"
      "<p>On the right stand the matrix with its axes and levels, Σ beside those that are reduced over, and every "
      "device "
      "with its coordinates on the axes; devices of one colour and letter reduce together. Point at a factor, an axis "
      "or "
      "a level, with the mouse or the arrow keys, and the devices divide by it; a click or Enter keeps it, Esc lets "
      "go. "
      "The mouse or the arrow keys on the map light up a group; the wheel or Ctrl with + and − zooms, Ctrl+0 fits, "
      "dragging pans.</p>"
      "<p>Ctrl and a click on another row, Ctrl+Space on the selected one, or <b>Compare with…</b> shows which devices "
      "reduce with other partners there, and how every row stands to it.</p>");
}

QWidget* PlacementPerspective::mainList() { return findChild<QWidget*>(QStringLiteral("placementsTable")); }

QList<QAction*> PlacementPerspective::viewActions() { return m_axes->rowActions() << m_placements->findAction(); }

}  // namespace p2::views
