// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_perspective.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>

#include "views/common/panel.h"
#include "views/common/row_editor.h"
#include "views/shell/session.h"
#include "views/system/hierarchy_view.h"
#include "views/system/options_box.h"
#include "views/system/source_box.h"

namespace p2::views {

SystemPerspective::SystemPerspective(Session& session, QWidget* parent) : Perspective(parent), m_session(session) {
  setObjectName(QStringLiteral("systemPerspective"));
  auto* splitter = new QSplitter;
  splitter->setObjectName(QStringLiteral("systemSplitter"));
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(makeLeftPanel());
  splitter->addWidget(makeDrawingPanel());
  splitter->setStretchFactor(0, 0);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({520, 800});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(splitter);

  connect(&m_levels, &LevelsModel::edited, this, [this](const QString& what) {
    Workspace next = *m_session.workspace();
    next.system = m_levels.system();
    m_session.edit(what, std::move(next));
  });
  connect(&session, &Session::workspaceChanged, this, &SystemPerspective::refresh);
  connect(&session, &Session::hoverChanged, this, [this] { m_view->setHoveredDevice(m_session.hoveredDevice()); });
  refresh();
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
  layout->addWidget(new OptionsBox(m_session));
  layout->addStretch();
  return panel;
}

void SystemPerspective::makeLevels() {
  m_rows = new RowEditor(QStringLiteral("levels"), tr("level"), m_levels);
  QHeaderView* header = m_rows->table().horizontalHeader();
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  header->setSectionResizeMode(LevelsModel::Network, QHeaderView::Stretch);
}

QWidget* SystemPerspective::makeDrawingPanel() {
  auto* panel = new QWidget;
  m_view = new HierarchyView;
  makeZoomActions();
  m_summary = new QLabel;
  m_summary->setObjectName(QStringLiteral("systemSummary"));
  auto* title = new QHBoxLayout;
  title->addWidget(m_summary);
  title->addStretch();
  for (QAction* action : m_zoomActions) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setObjectName(action->objectName() + QStringLiteral("Button"));
    button->setAccessibleName(action->text());
    title->addWidget(button);
  }
  m_hover = new QLabel;
  m_hover->setObjectName(QStringLiteral("hierarchyHover"));
  m_hover->setTextFormat(Qt::PlainText);
  m_hover->setMinimumHeight(m_hover->fontMetrics().lineSpacing());
  connect(m_view, &HierarchyView::shapeHovered, m_hover, &QLabel::setText);
  connect(m_view, &HierarchyView::deviceHovered, &m_session, &Session::setHoveredDevice);
  QVBoxLayout* layout = panelLayout(panel);
  layout->addLayout(title);
  layout->addWidget(m_view, 1);
  layout->addWidget(m_hover);
  return panel;
}

void SystemPerspective::makeZoomActions() {
  const auto add = [this](const QString& name, const QString& icon, const QString& text, const QKeySequence& key,
                          void (Canvas::*slot)()) {
    auto* action = new QAction(Theme::icon(icon), text, this);
    action->setObjectName(name);
    action->setToolTip(QStringLiteral("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
    connect(action, &QAction::triggered, m_view, slot);
    m_zoomActions.append(action);
  };
  // The drawing itself takes these keys while it has the focus; elsewhere they zoom the window's text.
  add(QStringLiteral("hierarchyZoomOut"), QStringLiteral("zoom-out"), tr("Zoom out"), Qt::CTRL | Qt::Key_Minus,
      &Canvas::zoomOut);
  add(QStringLiteral("hierarchyZoomIn"), QStringLiteral("zoom-in"), tr("Zoom in"), Qt::CTRL | Qt::Key_Plus,
      &Canvas::zoomIn);
  add(QStringLiteral("hierarchyFit"), QStringLiteral("zoom-fit"), tr("Fit"), Qt::CTRL | Qt::Key_0, &Canvas::fit);
}

QString SystemPerspective::title() const { return QStringLiteral("System"); }
QString SystemPerspective::iconName() const { return QStringLiteral("system"); }

QString SystemPerspective::help() const {
  return tr("<p>A system is a hierarchy of levels, the outermost first: in each instance of a level there are so many "
            "of the next. Choose a preset, type a line such as <code>rack:1 server:2 cpu:2 gpu:4@270GB/s,2us</code>, "
            "or edit the table. A cell that cannot be understood keeps what was typed, with a sign and the reason.</p>"
            "<p>The drawing shows switches as bars their instances hang from and rings as links between neighbours. "
            "Point at anything to read what it is; the wheel or Ctrl with + and − zooms, Ctrl+0 fits, dragging "
            "pans.</p>"
            "<p>Model says what is predicted: how many bytes each device reduces, how often, and how a collective "
            "moves them.</p>");
}

QList<QAction*> SystemPerspective::viewActions() { return m_rows->rowActions() + m_zoomActions; }

void SystemPerspective::refresh() {
  const System& system = m_session.workspace()->system;
  m_levels.setSystem(system);
  m_view->setSystem(system);
  m_summary->setText(tr("<b>%1</b> · %2 devices")
                         .arg(QString::fromStdString(describe(system)).toHtmlEscaped(),
                              QString::number(system.deviceCount())));
}

}  // namespace p2::views
