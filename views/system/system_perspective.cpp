// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_perspective.h"

#include <QKeyEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <algorithm>

#include "views/common/fold_box.h"
#include "views/common/panel.h"
#include "views/common/row_editor.h"
#include "views/shell/notes_editor.h"
#include "views/shell/session.h"
#include "views/system/figures_box.h"
#include "views/system/import_dialog.h"
#include "views/system/load_bar.h"
#include "views/system/options_box.h"
#include "views/system/source_box.h"
#include "views/system/system_editor.h"

namespace p2::views {
namespace {

constexpr int kLeastColumnCharacters = 36;
constexpr int kMostForms = 440;
constexpr double kShareOfForms = 0.3;  // of the width

}  // namespace

SystemPerspective::SystemPerspective(Session& session, QWidget* parent) : Perspective(parent), m_session(session) {
  setObjectName(QStringLiteral("systemPerspective"));
  m_splitter = new QSplitter;
  m_splitter->setObjectName(QStringLiteral("systemSplitter"));
  m_splitter->setChildrenCollapsible(false);
  QWidget* drawing = makeRightPanel();
  m_splitter->addWidget(makeLeftPanel());
  m_splitter->addWidget(drawing);
  m_splitter->setStretchFactor(0, 0);
  m_splitter->setStretchFactor(1, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(m_splitter);
  connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_placed = true; });
  connect(m_editor, &SystemEditor::importWanted, this, &SystemPerspective::showImport);

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
  m_figures = new FiguresBox(m_session);
  m_form = new FoldBox(QStringLiteral("formFold"), tr("Properties"), m_editor->takeForm());
  QVBoxLayout* layout = panelLayout(panel);
  layout->addWidget(panelTitle(tr("System")));
  layout->addWidget(new SourceBox(m_session));
  layout->addWidget(m_form);
  layout->addWidget(panelTitle(tr("Levels, from the outside in")));
  layout->addWidget(m_rows);
  layout->addWidget(m_figures);
  layout->addWidget(new FoldBox(QStringLiteral("modelFold"), tr("Model"), new OptionsBox(m_session)));
  layout->addWidget(new FoldBox(QStringLiteral("notesFold"), tr("Notes"), new NotesEditor(m_session)));
  layout->addStretch(1);
  // What is selected has its form in sight; of the system itself only who asks for it.
  connect(m_editor, &SystemEditor::selected, m_form, &FoldBox::setOpen);
  connect(m_editor, &SystemEditor::formWanted, m_form, [this] { m_form->setOpen(true); });
  auto* scroll = new QScrollArea;
  scroll->setObjectName(QStringLiteral("systemForms"));
  scroll->setAccessibleName(tr("Forms of the system"));
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
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins({});
  layout->setSpacing(0);
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

// Esc leaves what is selected before it leaves the perspective.
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

// The drawing has the room, whatever the window's size, until somebody says otherwise.
void SystemPerspective::resizeEvent(QResizeEvent* event) {
  Perspective::resizeEvent(event);
  if (m_placed) return;
  auto* scroll = static_cast<QScrollArea*>(m_splitter->widget(0));
  const int least = scroll->widget()->minimumSizeHint().width() + scroll->verticalScrollBar()->sizeHint().width();
  const int forms = std::clamp(qRound(width() * kShareOfForms), least, std::max(least, kMostForms));
  m_splitter->setSizes({forms, width() - forms});
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
      "<p>What is selected has its form on the left, which writes to all of it at once; the sentence below a field "
      "says "
      "why it was not taken over. Ctrl+click and a rubber band (Shift+drag) select several; a selected network marks "
      "its links; Esc selects nothing. Del removes, Ctrl+D puts instances and links "
      "out of order, Alt+↑ and Alt+↓ move a level, Insert adds, the menu key lists the rest.</p>"
      "<p>What would be too small to read is folded: one instance stands open, the others are chips with their wires. "
      "Click another to open it, or Page Up and Page Down; zooming in unfolds what there is then room for. Of rails "
      "that run side by side all but the one under the "
      "mouse are dimmed. The "
      "wheel or Ctrl with + and − zooms, Ctrl+0 fits, the middle button or Shift with the arrow keys pans.</p>"
      "<p>Show load of the program, or of one step (Ctrl+L goes on to the next), colours and widens the links by "
      "how busy they are, writes at them what they carry, and lists the busiest. Ctrl+V in the drawing takes copied "
      "parts, and opens the import on what another program says of its machine. Calibrate fits bandwidths and "
      "latencies to measured times; the switch beside it goes "
      "back and forth between those and the nominal ones.</p>"
      "<p>Model says what is predicted: how many bytes each device reduces, how often, and how a collective "
      "moves them.</p>");
}

QList<QAction*> SystemPerspective::viewActions() { return m_rows->rowActions() + m_editor->actions() + actions(); }

}  // namespace p2::views
