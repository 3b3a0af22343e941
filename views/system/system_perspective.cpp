// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_perspective.h"

#include <QSplitter>
#include <QTableView>

#include "views/common/panel.h"
#include "views/common/row_editor.h"
#include "views/shell/notes_editor.h"
#include "views/shell/session.h"
#include "views/system/figures_box.h"
#include "views/system/load_bar.h"
#include "views/system/options_box.h"
#include "views/system/source_box.h"
#include "views/system/system_editor.h"

namespace p2::views {

SystemPerspective::SystemPerspective(Session& session, QWidget* parent) : Perspective(parent), m_session(session) {
  setObjectName(QStringLiteral("systemPerspective"));
  auto* splitter = new QSplitter;
  splitter->setObjectName(QStringLiteral("systemSplitter"));
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(makeLeftPanel());
  splitter->addWidget(makeRightPanel());
  splitter->setStretchFactor(0, 0);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({496, 784});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(splitter);

  connect(&m_levels, &LevelsModel::edited, this, [this](const QString& what) {
    Workspace next = *m_session.workspace();
    next.system = m_levels.system();
    m_session.edit(what, std::move(next));
  });
  connect(&session, &Session::workspaceChanged, this, [this] { m_levels.setSystem(m_session.workspace()->system); });
  m_levels.setSystem(session.workspace()->system);
  addActions({m_load->nextAction(), m_figures->calibrateAction()});
}

// The table goes first: left to ~QWidget, an open editor would commit to what is already gone.
SystemPerspective::~SystemPerspective() { delete m_rows; }

QWidget* SystemPerspective::makeLeftPanel() {
  auto* panel = new QWidget;
  makeLevels();
  QVBoxLayout* layout = panelLayout(panel);
  layout->addWidget(panelTitle(tr("System")));
  layout->addWidget(new SourceBox(m_session));
  layout->addWidget(panelTitle(tr("Levels, from the outside in")));
  layout->addWidget(m_rows);
  m_figures = new FiguresBox(m_session);
  layout->addWidget(m_figures);
  layout->addWidget(new OptionsBox(m_session));
  layout->addWidget(panelTitle(tr("Notes")));
  layout->addWidget(new NotesEditor(m_session), 1);
  return panel;
}

QWidget* SystemPerspective::makeRightPanel() {
  auto* panel = new QWidget;
  m_editor = new SystemEditor(m_session);
  m_load = new LoadBar(m_session);
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins({});
  layout->setSpacing(0);
  layout->addWidget(m_editor, 1);
  layout->addWidget(m_load);
  connect(m_load, &LoadBar::loadsChanged, m_editor, &SystemEditor::setLoads);
  return panel;
}

void SystemPerspective::makeLevels() {
  m_rows = new RowEditor(QStringLiteral("levels"), tr("level"), m_levels, LevelsModel::Network);
}

QString SystemPerspective::help() const {
  return tr(
      "<p>A system is a hierarchy of levels, the outermost first: in each instance of a level there are so many "
      "of the next. Choose a preset, type a line such as <code>rack:1 server:2 cpu:2 gpu:4@270GB/s,2us</code>, "
      "edit the table, or draw: drag a level beside the drawing to put it around everything, onto a box to put "
      "it inside; drag a switch, ring, mesh or bus onto a box to join what it holds, onto an interconnect to join "
      "its instances. Drag from the round handle of a network to whatever shall be a member of it.</p>"
      "<p>What is selected is a form on the right; the sentence below a field says why it was not taken over. "
      "Ctrl+click and a rubber band (Shift+drag) select several. Del removes, Ctrl+D puts instances and links "
      "out of order, Alt+↑ and Alt+↓ move a level, Insert adds, the menu key lists the rest.</p>"
      "<p>Of levels with many instances one stands open: click another to open it, or Page Up and Page Down. The "
      "wheel or Ctrl with + and − zooms, Ctrl+0 fits, the middle button or Shift with the arrow keys pans.</p>"
      "<p>Show load of the program, or of one step (Ctrl+L goes on to the next), colours and widens the links by "
      "how busy they are. Calibrate fits bandwidths and latencies to measured times; the switch beside it goes "
      "back and forth between those and the nominal ones.</p>"
      "<p>Model says what is predicted: how many bytes each device reduces, how often, and how a collective "
      "moves them.</p>");
}

QList<QAction*> SystemPerspective::viewActions() { return m_rows->rowActions() + m_editor->actions() + actions(); }

}  // namespace p2::views
