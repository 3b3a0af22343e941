// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/placement_perspective.h"

#include <QAction>
#include <QSplitter>
#include <QVBoxLayout>

#include "views/common/folding_panels.h"
#include "views/common/panel.h"
#include "views/placement/axes_panel.h"
#include "views/placement/placement_panel.h"
#include "views/placement/placements_panel.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

/// The map has the larger part of the page.
constexpr int kListShare = 38;
constexpr int kMapShare = 62;
constexpr int kLowLines = 30;    // of height, below which sentences give way too
constexpr int kLeastLines = 42;  // of height, below which the axes give way to the placements

}  // namespace

PlacementPerspective::PlacementPerspective(Session& session, QWidget* parent) : Perspective(parent) {
  setObjectName(QStringLiteral("placementPerspective"));
  m_axes = new AxesPanel(session);
  m_placements = new PlacementsPanel(session);
  m_devices = new PlacementPanel(session);
  auto* side = new QWidget;
  auto* column = bareLayout<QVBoxLayout>(side, 0);
  column->addWidget(m_axes);
  column->addWidget(m_placements, 1);
  auto* splitter = splitterOf(Qt::Horizontal, {{side, kListShare}, {m_devices, kMapShare}}, "placementSplitter");
  splitter->setSizes({kListShare * 100, kMapShare * 100});
  auto* layout = bareLayout<QVBoxLayout>(this);
  layout->addWidget(new FoldingPanels(splitter, {{QStringLiteral("placements"), tr("Axes and placements"), 1},
                                                 {QStringLiteral("map"), tr("Devices")}}));
  addAction(m_placements->findAction());
  // Adding an axis needs no selected row.
  addAction(m_axes->rowActions().front());

  connect(m_placements, &PlacementsPanel::placementActivated, this, [this] { emit perspectiveWanted(kProgramsPage); });
  connect(m_placements, &PlacementsPanel::comparisonWanted, this, [this] { emit perspectiveWanted(kProgramsPage); });
  connect(m_placements, &PlacementsPanel::axesWanted, this, [this] {
    FoldingPanels::revealAll(*m_axes);
    m_axes->takeFocus();
  });
  connect(m_placements, &PlacementsPanel::workloadWanted, this, [this] { emit perspectiveWanted(kWorkloadPage); });
  connect(m_placements, &PlacementsPanel::comparedChanged, m_devices, &PlacementPanel::compareWith);
  connect(m_devices, &PlacementPanel::comparisonWanted, m_placements, &PlacementsPanel::setCompared);
}

// The table goes first: left to ~QWidget, an open editor would commit to a deleted model.
PlacementPerspective::~PlacementPerspective() { delete m_axes; }

void PlacementPerspective::resizeEvent(QResizeEvent* event) {
  Perspective::resizeEvent(event);
  m_axes->setLittleRoom(height() < kLeastLines * fontMetrics().lineSpacing());
  m_placements->setLow(height() < kLowLines * fontMetrics().lineSpacing());
}

QWidget* PlacementPerspective::mainList() { return findChild<QWidget*>(QStringLiteral("placementsTable")); }

bool PlacementPerspective::says(const Error& problem) const {
  // A folded panel says nothing.
  if (problem.kind != ErrorKind::BadInput) return m_placements->isVisibleTo(this);
  return m_axes->says(problem) && m_axes->isVisibleTo(this);
}

QList<QAction*> PlacementPerspective::viewActions() { return m_axes->rowActions() << m_placements->findAction(); }

}  // namespace p2::views
