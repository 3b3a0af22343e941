// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/cost_perspective.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/empty_page.h"
#include "views/common/inline_message.h"
#include "views/common/theme.h"
#include "views/cost/cost_export.h"
#include "views/cost/cost_plot.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

QCheckBox* makeCheck(const QString& text, const char* name, const QString& toolTip) {
  auto* check = new QCheckBox(text);
  check->setObjectName(name);
  check->setToolTip(toolTip);
  check->setAccessibleName(QString(text).remove('&'));
  return check;
}

}  // namespace

CostPerspective::CostPerspective(Session& session, QWidget* parent) : Perspective(parent), m_session(session) {
  m_plot = new CostPlot;
  m_plot->setObjectName("costPlot");
  m_plot->setMinimumSize(320, 200);
  m_detail = new QLabel;
  m_detail->setObjectName("costDetail");
  m_detail->setWordWrap(true);
  m_detail->setMinimumHeight(2 * m_detail->fontMetrics().lineSpacing());
  m_detail->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_message = new InlineMessage;
  m_message->setObjectName("costMessage");
  auto* page = new QWidget;
  auto* content = new QVBoxLayout(page);
  content->setContentsMargins(0, 0, 0, 0);
  content->setSpacing(Theme::kGrid);
  content->addWidget(makeToolbar());
  content->addWidget(m_message);
  content->addWidget(m_plot, 1);
  content->addWidget(m_detail);
  m_empty = new EmptyPage;
  connect(m_empty, &EmptyPage::clicked, this, [this] { emit perspectiveWanted(kSystemPage); });
  m_pages = new QStackedWidget;
  m_pages->addWidget(m_empty);
  m_pages->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(m_pages);
  setFocusProxy(m_plot);
  connectPlot();
  connect(&m_session, &Session::explorationChanged, this, &CostPerspective::refresh);
  connect(&m_session, &Session::freshnessChanged, this, &CostPerspective::showFreshness);
  connect(&m_session, &Session::selectionChanged, this, &CostPerspective::showSelection);
  refresh();
}

QString CostPerspective::help() const {
  return tr(
      "<p>One bar for every program of every placement, as long as its predicted time. Colour and letter tell "
      "the placement; the hatched, dashed bars are single AllReduces, the reference. The wheel or + and − zoom, "
      "dragging pans, Shift and dragging zooms into a rectangle, 0 shows everything.</p>"
      "<p>No program can be below the dotted line, the limit: it is what has to cross the border of some part of the "
      "system, over the bandwidth of the links that lead out of it, without any latency.</p>"
      "<p>Click a bar (or Enter after Left and Right) to select its program everywhere, double-click to watch "
      "it.</p>");
}

QWidget* CostPerspective::makeToolbar() {
  auto* bar = new QWidget;
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(Theme::kGrid);
  addChoices(*layout);
  layout->addStretch();
  addZoom(*layout);
  auto* save = new QToolButton;
  save->setObjectName("exportButton");
  save->setText(tr("&Export"));
  save->setIcon(Theme::icon("export"));
  save->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  save->setPopupMode(QToolButton::InstantPopup);
  save->setToolTip(tr("Save the plot as an image or the bars as a table (Alt+E)"));
  save->setAccessibleName(tr("Export"));
  save->setMenu(makeExportMenu());
  layout->addWidget(save);
  return bar;
}

void CostPerspective::addChoices(QBoxLayout& layout) {
  auto* caption = new QLabel(tr("S&ort"));
  m_order = new QComboBox;
  m_order->setObjectName("costOrder");
  m_order->setAccessibleName(tr("Sort"));
  m_order->setToolTip(tr("Order of the bars (Alt+O)"));
  m_order->addItem(tr("by time"), int(CostOrder::Time));
  m_order->addItem(tr("by placement"), int(CostOrder::Placement));
  m_order->addItem(tr("by speed-up"), int(CostOrder::Speedup));
  caption->setBuddy(m_order);
  m_onlySelected =
      makeCheck(tr("Selected &placement only"), "onlySelected", tr("Only the selected placement's programs (Alt+P)"));
  m_stacked = makeCheck(tr("S&teps"), "stacked", tr("Stack the bars by step, first step at the bottom (Alt+T)"));
  m_logarithmic = makeCheck(tr("Lo&garithmic"), "logarithmic", tr("Logarithmic time axis (Alt+G)"));
  connect(m_order, &QComboBox::currentIndexChanged, this, &CostPerspective::rebuild);
  connect(m_onlySelected, &QCheckBox::toggled, this, &CostPerspective::rebuild);
  connect(m_stacked, &QCheckBox::toggled, m_plot, &CostPlot::setStacked);
  connect(m_logarithmic, &QCheckBox::toggled, this, [this](bool on) {
    // Parts of a bar add up to it on a linear axis only.
    if (on) m_stacked->setChecked(false);
    m_stacked->setEnabled(!on);
    m_plot->setLogarithmic(on);
  });
  for (QWidget* widget : std::initializer_list<QWidget*>{caption, m_order, m_onlySelected, m_stacked, m_logarithmic}) {
    layout.addWidget(widget);
  }
}

void CostPerspective::addZoom(QBoxLayout& layout) {
  m_actions = {makeZoom(tr("Zoom in"), "zoom-in", {Qt::Key_Plus, Qt::Key_Equal}, &CostPlot::zoomIn),
               makeZoom(tr("Zoom out"), "zoom-out", {Qt::Key_Minus}, &CostPlot::zoomOut),
               makeZoom(tr("Show all"), "zoom-fit", {Qt::Key_0}, &CostPlot::fit)};
  for (QAction* action : m_actions) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setObjectName(action->objectName().replace("Action", "Button"));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(action->text());
    layout.addWidget(button);
  }
}

QAction* CostPerspective::makeZoom(const QString& text, const QString& icon, const QList<QKeySequence>& keys,
                                   void (CostPlot::*slot)()) {
  auto* action = new QAction(Theme::icon(icon), text, this);
  action->setObjectName(icon + "Action");
  action->setShortcuts(keys);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setToolTip(tr("%1 (%2)").arg(text, keys.first().toString(QKeySequence::NativeText)));
  connect(action, &QAction::triggered, m_plot, slot);
  addAction(action);
  return action;
}

QMenu* CostPerspective::makeExportMenu() {
  auto* menu = new QMenu(this);
  menu->setObjectName("exportMenu");
  for (const CostFormat& format : costFormats()) {
    QAction* action = menu->addAction(tr("%1 …").arg(format.description));
    action->setObjectName("export-" + format.suffix);
    connect(action, &QAction::triggered, this, [this, format] { askForFile(format.suffix, format.description); });
  }
  return menu;
}

void CostPerspective::askForFile(const QString& suffix, const QString& description) {
  delete m_dialog;
  m_dialog = new QFileDialog(this, tr("Export the costs"), {}, QString("%1 (*.%2)").arg(description, suffix));
  m_dialog->setObjectName("exportDialog");
  m_dialog->setAttribute(Qt::WA_DeleteOnClose);
  m_dialog->setAcceptMode(QFileDialog::AcceptSave);
  m_dialog->setDefaultSuffix(suffix);
  m_dialog->selectFile("costs." + suffix);
  connect(m_dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    const auto written = exportCosts(*m_plot, path);
    m_message->say(written.ok() ? InlineMessage::Kind::Good : InlineMessage::Kind::Problem,
                   written.ok() ? tr("written to %1").arg(path) : QString::fromStdString(written.error().text()));
  });
  m_dialog->open();
}

void CostPerspective::connectPlot() {
  connect(m_plot, &CostPlot::barHovered, this, &CostPerspective::showDetail);
  connect(m_plot, &CostPlot::barClicked, this, &CostPerspective::selectBar);
  connect(m_plot, &CostPlot::barActivated, this, [this](int bar) {
    selectBar(bar);
    emit perspectiveWanted(kProgramsPage);
  });
}

void CostPerspective::refresh() {
  m_pages->setCurrentIndex(m_session.exploration() ? 1 : 0);
  showFreshness();
  rebuild();
}

void CostPerspective::showFreshness() {
  const auto problem = m_session.problem();
  m_empty->say(
      problem ? QString::fromStdString(problem->text()) : tr("The costs appear here as soon as they are found."),
      problem ? tr("Go to the system") : QString());
  m_plot->setStale(!m_session.isCurrent());
}

void CostPerspective::rebuild() {
  const auto exploration = m_session.exploration();
  if (!exploration) return;
  CostChoice choice;
  choice.order = CostOrder(m_order->currentData().toInt());
  choice.onlyPlacement = m_onlySelected->isChecked() ? m_session.placementIndex() : -1;
  if (exploration != m_shown || choice != m_choice) {
    m_shown = exploration;
    m_choice = choice;
    const CostSeries series = costSeries(*exploration, choice);
    m_leftOut = series.leftOut;
    const bool grouped = choice.order == CostOrder::Placement || choice.onlyPlacement >= 0;
    m_plot->setSeries(exploration, series, grouped);
  }
  m_plot->setSelected(m_session.placementIndex(), m_session.programIndex());
  showDetail(-1);
}

void CostPerspective::showSelection() {
  if (m_session.exploration() != m_shown || m_onlySelected->isChecked()) return rebuild();
  m_plot->setSelected(m_session.placementIndex(), m_session.programIndex());
}

void CostPerspective::showDetail(int bar) {
  if (bar >= 0) {
    m_detail->setText(m_plot->textOf(bar));
    return;
  }
  const auto shown = m_plot->bars().size();
  QString text = shown == 1 ? tr("1 program") : tr("%1 programs").arg(shown);
  if (m_leftOut > Count(0)) text += tr(", %1 slower ones not shown").arg(QString::fromStdString(m_leftOut.toString()));
  m_detail->setText(text);
}

void CostPerspective::selectBar(int bar) {
  const CostBar& chosen = m_plot->bars()[std::size_t(bar)];
  m_session.select(chosen.placement, std::max(chosen.program, 0));
}

}  // namespace p2::views
