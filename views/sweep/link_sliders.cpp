// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/link_sliders.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <cmath>

#include "base/units.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kStepsPerDecade = 100;
constexpr double kUsualLatency = 1e-6;

QString textOf(double figure, bool isLatency) {
  return QString::fromStdString(isLatency ? formatSeconds(figure) : formatBandwidth(figure));
}

}  // namespace

FigureSlider::FigureSlider(double figure, double usual, QWidget* parent)
    : QSlider(Qt::Horizontal, parent), m_figure(figure), m_usual(usual) {
  setRange(figure > 0 ? -kStepsPerDecade : 0, figure > 0 ? kStepsPerDecade : 2 * kStepsPerDecade);
  setPageStep(kStepsPerDecade / 10);
}

double FigureSlider::figure() const {
  if (value() == 0) return m_figure;
  if (m_figure > 0) return m_figure * std::pow(10.0, double(value()) / kStepsPerDecade);
  return m_usual * std::pow(10.0, double(value()) / kStepsPerDecade - 1);
}

void FigureSlider::mouseDoubleClickEvent(QMouseEvent*) { reset(); }

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
  m_reset->setToolTip(tr("Back to the figures of the system (Alt+R); of one slider by a double click"));
  m_apply->setObjectName("applyLinks");
  m_apply->setToolTip(tr("Give the system of the document these figures; can be undone (Alt+Y)"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(m_reset);
  buttons->addWidget(m_apply, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(Theme::kGrid);
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
  const QString name = QString::fromStdString(link.name);
  auto* title = new QLabel(name);
  QFont bold = title->font();
  bold.setBold(true);
  title->setFont(bold);
  grid.addWidget(title, grid.rowCount(), 0, 1, 3);
  row.bandwidthText = new QLabel;
  row.latencyText = new QLabel;
  row.bandwidth =
      addSlider(grid, name, tr("bandwidth"), new FigureSlider(link.bandwidth, link.bandwidth), row.bandwidthText);
  row.latency = addSlider(grid, name, tr("latency"), new FigureSlider(link.latency, kUsualLatency), row.latencyText);
  row.bandwidth->setObjectName(QStringLiteral("bandwidth-%1").arg(m_rows.size()));
  row.latency->setObjectName(QStringLiteral("latency-%1").arg(m_rows.size()));
  m_rows.push_back(row);
}

FigureSlider* LinkSliders::addSlider(QGridLayout& grid, const QString& name, const QString& what, FigureSlider* slider,
                                     QLabel* text) {
  slider->setAccessibleName(tr("%1 of %2").arg(what, name));
  slider->setToolTip(tr("%1 of %2, a tenth to ten times; a double click brings its own back").arg(what, name));
  text->setFont(Theme::tabularFont());
  text->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  text->setMinimumWidth(text->fontMetrics().horizontalAdvance("00.00 GB/s"));
  const int row = grid.rowCount();
  grid.addWidget(new QLabel(what), row, 0);
  grid.addWidget(slider, row, 1);
  grid.addWidget(text, row, 2);
  connect(slider, &QSlider::valueChanged, this, [this] {
    showFigures();
    emit moved();
  });
  connect(slider, &QSlider::sliderReleased, this, &LinkSliders::released);
  return slider;
}

void LinkSliders::showFigures() {
  for (const Row& row : m_rows) {
    const auto show = [](QLabel& label, const FigureSlider& slider, bool isLatency) {
      const QString text = textOf(slider.figure(), isLatency);
      label.setText(slider.value() == 0 ? text : QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped()));
    };
    show(*row.bandwidthText, *row.bandwidth, false);
    show(*row.latencyText, *row.latency, true);
  }
  const bool any = !tried().empty();
  m_reset->setEnabled(any);
  m_apply->setEnabled(any);
}

TriedLinks LinkSliders::tried() const {
  TriedLinks tried;
  for (const Row& row : m_rows) {
    TriedFigures figures;
    if (row.bandwidth->value() != 0) figures.bandwidth = row.bandwidth->figure();
    if (row.latency->value() != 0) figures.latency = row.latency->figure();
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
