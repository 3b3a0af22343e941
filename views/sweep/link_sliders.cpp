// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/link_sliders.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>

#include "base/units.h"
#include "views/common/figure_slider.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kFigureDecades = 1;
constexpr double kDefaultLatency = 1e-6;

QString textOf(double figure, bool isLatency) {
  return qs(isLatency ? formatSeconds(figure) : formatBandwidth(figure));
}

}  // namespace

LinkSliders::LinkSliders(QWidget* parent)
    : QWidget(parent),
      m_area(new QScrollArea),
      m_reset(new QPushButton(tr("&Reset"))),
      m_apply(new QPushButton(tr("Appl&y to the system"))) {
  setObjectName("linkSliders");
  auto* caption = new QLabel(tr("Try other figures of the links. The document stays as it is until they are applied."));
  caption->setWordWrap(true);
  caption->setForegroundRole(QPalette::PlaceholderText);
  m_area->setWidgetResizable(true);
  m_area->setFrameShape(QFrame::NoFrame);
  m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_reset->setObjectName("resetLinks");
  m_reset->setToolTip(tr("Restore the figures of the system (Alt+R); a double click restores one slider"));
  m_apply->setObjectName("applyLinks");
  m_apply->setToolTip(tr("Give the system of the document these figures; can be undone (Alt+Y)"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(m_reset);
  buttons->addWidget(m_apply, 1);
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid);
  layout->addWidget(caption);
  layout->addWidget(m_area, 1);
  layout->addLayout(buttons);
  setFixedWidth(fontMetrics().averageCharWidth() * 40);
  connect(m_reset, &QPushButton::clicked, this, &LinkSliders::reset);
  connect(m_apply, &QPushButton::clicked, this, &LinkSliders::applyWanted);
  showFigures();
}

void LinkSliders::setSystem(const System& system) {
  std::vector<TriableLink> links = triableLinks(system);
  if (links == m_links) return;
  m_links = std::move(links);
  rebuild();
  showFigures();
}

void LinkSliders::rebuild() {
  m_rows.clear();
  auto* content = new QWidget;
  auto* grid = new QGridLayout(content);
  grid->setContentsMargins(0, 0, Theme::kGrid, 0);
  grid->setHorizontalSpacing(Theme::kGrid);
  grid->setVerticalSpacing(Theme::kGrid / 2);
  for (const TriableLink& link : m_links) addRow(*grid, link);
  grid->setRowStretch(grid->rowCount(), 1);
  grid->setColumnStretch(1, 1);
  m_area->setWidget(content);
}

void LinkSliders::addRow(QGridLayout& grid, const TriableLink& link) {
  Row row;
  row.link = link.index;
  const QString name = qs(link.name);
  auto* title = new QLabel(name);
  makeBold(*title);
  grid.addWidget(title, grid.rowCount(), 0, 1, 3);
  row.bandwidth = new FigureSlider(kFigureDecades);
  row.bandwidth->setFigure(link.bandwidth);
  row.bandwidth->setObjectName(QStringLiteral("bandwidth-%1").arg(m_rows.size()));
  row.bandwidthText = addFigure(grid, name, tr("bandwidth"), *row.bandwidth);
  row.latency = new FigureSlider(kFigureDecades);
  row.latency->setFigure(link.latency, {}, kDefaultLatency);
  row.latency->setObjectName(QStringLiteral("latency-%1").arg(m_rows.size()));
  row.latencyText = addFigure(grid, name, tr("latency"), *row.latency);
  m_rows.push_back(row);
}

QLabel* LinkSliders::addFigure(QGridLayout& grid, const QString& name, const QString& what, FigureSlider& slider) {
  slider.setAccessibleName(tr("%1 of %2").arg(what, name));
  slider.setToolTip(tr("%1 of %2, a tenth to ten times; a double click restores its own value").arg(what, name));
  connect(&slider, &QSlider::valueChanged, this, [this] {
    showFigures();
    emit moved();
  });
  connect(&slider, &QSlider::sliderReleased, this, &LinkSliders::released);
  return addFigureRow(grid, what, slider, QStringLiteral("00.00 GB/s"));
}

void LinkSliders::showFigures() {
  for (const Row& row : m_rows) {
    showFigure(*row.bandwidthText, textOf(row.bandwidth->figure(), false), row.bandwidth->isMoved());
    showFigure(*row.latencyText, textOf(row.latency->figure(), true), row.latency->isMoved());
  }
  const bool any = !tried().empty();
  m_reset->setEnabled(any);
  m_apply->setEnabled(any);
}

TriedLinks LinkSliders::tried() const {
  TriedLinks tried;
  for (const Row& row : m_rows) {
    TriedFigures figures;
    if (row.bandwidth->isMoved()) figures.bandwidth = row.bandwidth->figure();
    if (row.latency->isMoved()) figures.latency = row.latency->figure();
    if (figures != TriedFigures{}) tried[row.link] = figures;
  }
  return tried;
}

void LinkSliders::reset() {
  for (const Row& row : m_rows) {
    for (FigureSlider* slider : {row.bandwidth, row.latency}) {
      const QSignalBlocker quiet(slider);
      slider->reset();
    }
  }
  showFigures();
  emit moved();
}

}  // namespace p2::views
