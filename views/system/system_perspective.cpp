// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_perspective.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

#include "views/common/cell_delegate.h"
#include "views/common/fold_box.h"
#include "views/common/folding_panels.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/row_editor.h"
#include "views/common/table.h"
#include "views/shell/notes_editor.h"
#include "views/shell/pages.h"
#include "views/shell/session.h"
#include "views/system/figures_box.h"
#include "views/system/import_dialog.h"
#include "views/system/kept_sums.h"
#include "views/system/level_columns.h"
#include "views/system/load_bar.h"
#include "views/system/options_box.h"
#include "views/system/source_box.h"
#include "views/system/system_editor.h"

namespace p2::views {
namespace {

constexpr int kLeastColumnCharacters = 36;
constexpr int kMostForms = 440;
constexpr double kShareOfForms = 0.3;  // share of the width

}  // namespace

SystemPerspective::SystemPerspective(Session& session, QWidget* parent) : Perspective(parent), m_session(session) {
  setObjectName(QStringLiteral("systemPerspective"));
  m_splitter = named(new QSplitter, "systemSplitter");
  m_splitter->setChildrenCollapsible(false);
  QWidget* drawing = makeRightPanel();
  m_splitter->addWidget(makeLeftPanel());
  m_splitter->addWidget(drawing);
  m_splitter->setStretchFactor(0, 0);
  m_splitter->setStretchFactor(1, 1);
  auto* layout = bareLayout<QVBoxLayout>(this);
  layout->addWidget(new FoldingPanels(m_splitter, {{QStringLiteral("forms"), tr("Properties and levels"), 1},
                                                   {QStringLiteral("drawing"), tr("Drawing")}}));
  connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_placed = true; });
  connect(m_editor, &SystemEditor::importWanted, this, &SystemPerspective::showImport);

  connect(&m_levels, &LevelsModel::edited, this, [this](const QString& what) { edit(what, m_levels.system()); });
  connect(&m_networks, &NetworksModel::edited, this, [this](const QString& what) { edit(what, m_networks.system()); });
  connect(&session, &Session::workspaceChanged, this, &SystemPerspective::showNetworks);
  showNetworks();
  // Once the table knows what its new texts need.
  connect(&m_levels, &LevelsModel::modelReset, this, &SystemPerspective::placeForms, Qt::QueuedConnection);
  connect(&m_levels, &LevelsModel::dataChanged, this, &SystemPerspective::placeForms, Qt::QueuedConnection);
  addAction(m_rows->rowActions().front());
  addActions({m_load->nextAction(), m_figures->calibrateAction()});
  // Text copied elsewhere can be pasted with the focus anywhere on the page; fields that take text keep theirs.
  addAction(findChild<QAction*>(QStringLiteral("systemPaste")));
}

// The tables go first: left to ~QWidget, an open editor would commit to a deleted model.
SystemPerspective::~SystemPerspective() {
  delete m_rows;
  delete m_networkTable;
}

/// The title, and the way on.
QWidget* SystemPerspective::makeHead() {
  auto* next = named(new QToolButton, "systemNext");
  next->setText(tr("&Next: Model"));
  next->setToolTip(tr("Choose the model that is trained on this cluster (Ctrl+2)"));
  next->setFocusPolicy(Qt::TabFocus);
  connect(next, &QToolButton::clicked, this, [this] { emit perspectiveWanted(kModelPage); });
  auto* head = new QWidget;
  auto* row = bareLayout<QHBoxLayout>(head);
  row->addWidget(panelTitle(tr("System")), 1);
  row->addWidget(next);
  return head;
}

QWidget* SystemPerspective::makeLeftPanel() {
  auto* panel = new QWidget;
  makeLevels();
  makeNetworks();
  m_figures = new FiguresBox(m_session);
  m_form = new FoldBox(QStringLiteral("formFold"), tr("Properties"), m_editor->takeForm());
  QVBoxLayout* layout = panelLayout(panel);
  layout->addWidget(makeHead());
  layout->addWidget(new SourceBox(m_session));
  layout->addWidget(m_form);
  layout->addWidget(panelTitle(tr("Levels, from the outside in")));
  layout->addWidget(m_rows);
  layout->addWidget(m_networkTitle);
  layout->addWidget(m_networkTable);
  layout->addWidget(m_networkProblem);
  layout->addWidget(m_figures);
  layout->addWidget(
      new FoldBox(QStringLiteral("modelFold"), tr("Cost model of collectives"), new OptionsBox(m_session)));
  layout->addWidget(new FoldBox(QStringLiteral("notesFold"), tr("Notes"), new NotesEditor(m_session)));
  layout->addStretch(1);
  // The selected part has its form in sight; the system's own form appears on request.
  // An edit of the system's form selects nothing again, which must not close it.
  connect(m_editor, &SystemEditor::selected, m_form, [this, hadPart = false](bool hasPart) mutable {
    if (hasPart || hadPart) m_form->setOpen(hasPart);
    hadPart = hasPart;
  });
  connect(m_editor, &SystemEditor::formWanted, m_form, [this] {
    FoldingPanels::revealAll(*m_form);
    m_form->setOpen(true);
  });
  auto* scroll = named(new QScrollArea, "systemForms", tr("Forms of the system"));
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(panel);
  scroll->setMinimumWidth(scroll->fontMetrics().averageCharWidth() * kLeastColumnCharacters);
  return scroll;
}

QWidget* SystemPerspective::makeRightPanel() {
  auto* panel = new QWidget;
  m_editor = new SystemEditor(m_session);
  m_load = new LoadBar(m_session);
  auto* layout = bareLayout<QVBoxLayout>(panel, 0);
  layout->addWidget(m_editor, 1);
  layout->addWidget(m_load);
  connect(m_load, &LoadBar::loadsChanged, m_editor, &SystemEditor::setLoads);
  return panel;
}

void SystemPerspective::showImport(const QString& text) {
  auto* dialog = new ImportDialog(m_session, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
  dialog->readText(text);
}

// Esc clears the selection before it leaves the perspective.
bool SystemPerspective::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape && m_editor->hasSelection()) {
      event->accept();
      return true;
    }
  }
  return Perspective::event(event);
}

void SystemPerspective::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape || !m_editor->unselect()) Perspective::keyPressEvent(event);
}

// The drawing has the room, at any size of the window, until the user changes it.
void SystemPerspective::resizeEvent(QResizeEvent* event) {
  Perspective::resizeEvent(event);
  placeForms();
}

void SystemPerspective::placeForms() {
  if (m_placed) return;
  auto* scroll = static_cast<QScrollArea*>(m_splitter->widget(0));
  const int needed = scroll->widget()->minimumSizeHint().width() + scroll->verticalScrollBar()->sizeHint().width();
  // Long names may take half of it, no more.
  const int least = std::min(needed, width() / 2);
  const int forms = std::clamp(qRound(width() * kShareOfForms), least, std::max(least, kMostForms));
  m_splitter->setSizes({forms, width() - forms});
}

void SystemPerspective::makeLevels() {
  m_rows = new RowEditor(QStringLiteral("levels"), tr("level"), m_levels, LevelsModel::Network);
  new LevelColumns(m_rows->table());
}

void SystemPerspective::makeNetworks() {
  m_networkTitle = panelTitle(tr("Networks: NICs, rails, spine"));
  m_networkTable = new QTableView;
  m_networkTable->setModel(&m_networks);
  m_networkTable->setItemDelegate(new CellDelegate(m_networkTable));
  TableSetup setup;
  setup.name = QStringLiteral("networksTable");
  setup.accessible = tr("Table of the networks");
  setup.cells = true;
  setup.stretched = NetworksModel::Ratio;  // names are whole
  setup.fitted = true;
  setUpTable(*m_networkTable, setup);
  m_networkTable->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  m_networkTable->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Maximum);
  m_networkProblem = named(new InlineMessage, "networksProblem");
  connect(&m_networks, &DraftTableModel::draftsChanged, m_networkProblem,
          [this] { m_networkProblem->showProblem(m_networks.firstProblem()); });
}

void SystemPerspective::showNetworks() {
  const System& system = m_session.workspace()->system;
  m_levels.setSystem(system);
  m_networks.setSystem(system);
  m_networkTitle->setVisible(!system.networks.empty());
  m_networkTable->setVisible(!system.networks.empty());
  // Layouts learn the width of all figures.
  const QAbstractItemView& table = *m_networkTable;
  int needed = 2 * m_networkTable->frameWidth();
  for (int column = 0; column < NetworksModel::ColumnCount; ++column) {
    needed += std::max(table.sizeHintForColumn(column), m_networkTable->horizontalHeader()->sectionSizeHint(column));
  }
  m_networkTable->setMinimumWidth(needed);
}

void SystemPerspective::edit(const QString& what, const System& system) {
  Workspace next = *m_session.workspace();
  KeptSums kept = withSumsKept(next.system, system);
  next.system = std::move(kept.system);
  m_session.edit(what, std::move(next));
  m_editor->note(kept.stated);
}

// The editor removes and moves levels too; entries of both would look the same.
QList<QAction*> SystemPerspective::viewActions() {
  return QList<QAction*>{m_rows->rowActions().constFirst()} + m_editor->actions() + actions();
}

}  // namespace p2::views
