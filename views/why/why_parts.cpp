// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of WhyPerspective: the waterfall, the details behind their tabs, and their exports.
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/common/theme.h"
#include "views/common/view_figure.h"
#include "views/common/view_tabs.h"
#include "views/timeline/timeline_view.h"
#include "views/why/alternatives_model.h"
#include "views/why/collectives_model.h"
#include "views/why/machine_view.h"
#include "views/why/memory_view.h"
#include "views/why/waterfall_view.h"
#include "views/why/why_perspective.h"

namespace p2::views {
namespace {

constexpr int kChangeCharacters = 32;  // shown of a change at most

}  // namespace

template <class Model>
void WhyPerspective::openRows(QTableView& table, const Model& model, void (WhyPerspective::*open)(int row)) {
  connect(&table, &QTableView::activated, this, [this, open](const QModelIndex& index) { (this->*open)(index.row()); });
  connect(&table, &QTableView::clicked, this, [this, &model, open](const QModelIndex& index) {
    if (model.isLink(index)) (this->*open)(index.row());
  });
  table.setMouseTracking(true);
  connect(&table, &QTableView::entered, this, [&table, &model](const QModelIndex& index) {
    table.viewport()->setCursor(model.isLink(index) ? Qt::PointingHandCursor : Qt::ArrowCursor);
  });
}

void WhyPerspective::makeTables() {
  m_alternatives = new AlternativesModel(this);
  m_alternativesTable = new QTableView;
  m_alternativesTable->setMinimumHeight(60);
  m_alternativesTable->setModel(m_alternatives);
  setUpTable(*m_alternativesTable,
             {.name = QStringLiteral("whyAlternatives"),
              .accessible = tr("Plans that differ from this one in one choice"),
              .toolTip = tr("A click on a change, or Enter, compares it with this plan line by line"),
              .stretched = AlternativesModel::Reason,
              .fitted = true});
  // The reasons are to be read, and the changes have tooltips.
  m_alternativesTable->horizontalHeader()->setSectionResizeMode(AlternativesModel::Change, QHeaderView::Interactive);
  connect(m_alternatives, &QAbstractItemModel::modelReset, m_alternativesTable, [table = m_alternativesTable] {
    const QAbstractItemView* cells = table;
    const int most = kChangeCharacters * table->fontMetrics().averageCharWidth();
    table->setColumnWidth(AlternativesModel::Change,
                          std::min(most, cells->sizeHintForColumn(AlternativesModel::Change) + Theme::kGrid));
  });
  m_collectives = new CollectivesModel(this);
  m_table = new QTableView;
  m_table->setMinimumHeight(60);
  m_table->setModel(m_collectives);
  setUpTable(*m_table, {.name = QStringLiteral("whyCollectives"),
                        .accessible = tr("Collectives of the step"),
                        .toolTip = tr("A click on the name of a collective, or Enter, shows its programs"),
                        .stretched = CollectivesModel::Link,
                        .fitted = true});
  openRows(*m_table, *m_collectives, &WhyPerspective::openCollective);
  openRows(*m_alternativesTable, *m_alternatives, &WhyPerspective::openAlternative);
}

QWidget* WhyPerspective::makeWaterfall() {
  m_waterfall = new WaterfallView;
  auto* scroll = new QScrollArea;
  scroll->setWidget(m_waterfall);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  const auto picture = [this] { return m_waterfall->picture(); };
  auto* left = new QWidget;
  auto* layout = bareLayout<QVBoxLayout>(left);
  layout->addWidget(scroll, 1);
  layout->addWidget(exportButton("whyWaterfallExport", tr("Waterfall"), "waterfall", *m_waterfall, picture), 0,
                    Qt::AlignLeft);
  return left;
}

/// Other plans, collectives, machine and memory behind their tabs, and the files of the timeline above them.
QWidget* WhyPerspective::makeDetails() {
  makeTables();
  m_machine = new MachineView;
  m_memory = new MemoryView;
  m_details = new QStackedWidget;
  for (QWidget* page : std::initializer_list<QWidget*>{m_alternativesTable, m_table, m_machine, m_memory}) {
    m_details->addWidget(page);
  }
  m_tabs =
      new ViewTabs(QStringLiteral("whyTabs"), tr("Detail"), QStringLiteral("why/detail"),
                   {{"whyAlternativesAction", "alternatives", tr("Why not another?"),
                     tr("What changes of one choice would cost, and why")},
                    {"whyCollectivesAction", "collectives", tr("Collectives"), tr("Every collective of the step")},
                    {"whyMachineAction", "machine", tr("Machine"), tr("Where the axes are, and loads of links")},
                    {"whyMemoryAction", "memory", tr("Memory"), tr("Memory of the fullest device over the step")}});
  auto* trace = named(new QToolButton, "whyTrace");
  trace->setText(tr("Trace…"));
  trace->setToolTip(tr("Write the timeline as a trace that ui.perfetto.dev opens"));
  connect(trace, &QToolButton::clicked, this, &WhyPerspective::exportTrace);
  const auto timeline = [this] { return m_timeline->picture(); };
  const auto detail = [this] {
    return m_details->currentWidget() == m_memory ? m_memory->picture() : m_machine->picture();
  };
  m_detailExport = exportButton("whyDetailExport", tr("Drawing"), "step", *m_details, detail);
  auto* head = new QHBoxLayout;
  head->setSpacing(Theme::kGrid / 2);
  head->addWidget(m_tabs);
  head->addStretch(1);
  head->addWidget(trace);
  m_timelineExport = exportButton("whyTimelineExport", tr("Timeline"), "timeline", *m_timeline, timeline);
  head->addWidget(m_timelineExport);
  head->addWidget(m_detailExport);
  auto* details = new QWidget;
  auto* layout = bareLayout<QVBoxLayout>(details, 0);
  layout->addLayout(head);
  layout->addWidget(m_details, 1);
  return details;
}

QToolButton* WhyPerspective::exportButton(const QString& name, const QString& text, const QString& file,
                                          const QWidget& view, std::function<ViewPicture()> picture) {
  auto* button = new PlotExportButton(name, file, [&view, picture = std::move(picture)](const FigureStyle& style) {
    return figureOf(picture(), view.width(), style);
  });
  button->setText(text);
  button->setToolTip(tr("Save it as an image or a figure for print, or its values as a table"));
  button->setAccessibleName(tr("Export: %1").arg(text));
  connect(button, &PlotExportButton::written, this, [this](const QString& path) {
    m_message->sayBriefly(InlineMessage::Kind::Good, tr("Written: %1").arg(path));
  });
  connect(button, &PlotExportButton::failed, m_message, &InlineMessage::showProblem);
  return button;
}

}  // namespace p2::views
