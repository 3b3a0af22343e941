// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/cost_bars_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

#include "views/common/forward_focus.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/plot_export.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/cost/best_rows.h"
#include "views/cost/cost_plot.h"
#include "views/shell/session.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

QString subtitleOf(const Exploration& exploration) {
  return summaryOf(exploration.workspace, nullptr).question + QStringLiteral(" · ") +
         pricedHow(exploration.workspace.options.cost);
}

QCheckBox* makeCheck(const QString& text, const char* name, const QString& toolTip) {
  auto* check = new QCheckBox(text);
  check->setObjectName(name);
  check->setToolTip(toolTip);
  check->setAccessibleName(QString(text).remove('&'));
  return check;
}

}  // namespace

CostBarsPage::CostBarsPage(Session& session, QWidget* parent) : QWidget(parent), m_session(session) {
  m_plot = named(new CostPlot, "costPlot");
  m_plot->setMinimumSize(320, 200);
  m_detail = wrapped(named(new QLabel, "costDetail"));
  m_detail->setMinimumHeight(2 * m_detail->fontMetrics().lineSpacing());
  m_detail->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_message = named(new InlineMessage, "costMessage");
  auto* content = bareLayout<QVBoxLayout>(this, Theme::kGrid);
  content->addWidget(makeToolbar());
  content->addWidget(m_message);
  content->addWidget(m_plot, 1);
  content->addWidget(m_detail);
  forwardFocus(*this, *m_plot);
  connectPlot();
  connect(&m_session, &Session::explorationChanged, this, &CostBarsPage::rebuild);
  connect(&m_session, &Session::freshnessChanged, this, &CostBarsPage::showFreshness);
  connect(&m_session, &Session::selectionChanged, this, &CostBarsPage::showSelection);
  rebuild();
  showFreshness();
}

QWidget* CostBarsPage::makeToolbar() {
  auto* bar = new QWidget;
  auto* layout = bareLayout<QHBoxLayout>(bar, Theme::kGrid);
  addChoices(*layout);
  layout->addStretch();
  auto* save = new PlotExportButton("export", "costs", [this](const FigureStyle& style) {
    const auto csv = [this] {
      return m_plot->bars().empty() ? std::string() : costCsv(m_plot->exploration(), m_plot->bars());
    };
    ExportedPlot exported{m_plot, csv, tr("Predicted costs of all programs")};
    exported.style = style;
    if (const auto exploration = m_session.exploration()) exported.subtitle = subtitleOf(*exploration);
    return exported;
  });
  connect(save, &PlotExportButton::written, this,
          [this](const QString& path) { m_message->say(InlineMessage::Kind::Good, tr("written to %1").arg(path)); });
  connect(save, &PlotExportButton::failed, m_message, &InlineMessage::showProblem);
  layout->addWidget(save);
  return bar;
}

void CostBarsPage::addChoices(QBoxLayout& layout) {
  auto* caption = new QLabel(tr("S&ort"));
  m_order = named(new QComboBox, "costOrder", tr("Sort"), tr("Order of the bars (Alt+O)"));
  m_order->addItem(tr("by time"), int(CostOrder::Time));
  m_order->addItem(tr("by placement"), int(CostOrder::Placement));
  m_order->addItem(tr("by speed-up"), int(CostOrder::Speedup));
  caption->setBuddy(m_order);
  m_onlySelected =
      makeCheck(tr("Selected &placement only"), "onlySelected", tr("Only the selected placement's programs (Alt+P)"));
  m_stacked = makeCheck(tr("Step&s"), "stacked", tr("Stack the bars by step, first step at the bottom (Alt+S)"));
  m_logarithmic = makeCheck(tr("Lo&garithmic"), "logarithmic", tr("Logarithmic time axis (Alt+G)"));
  connect(m_order, &QComboBox::currentIndexChanged, this, &CostBarsPage::rebuild);
  connect(m_onlySelected, &QCheckBox::toggled, this, &CostBarsPage::rebuild);
  connect(m_stacked, &QCheckBox::toggled, m_plot, &CostPlot::setStacked);
  connect(m_logarithmic, &QCheckBox::toggled, this, [this](bool on) {
    // Parts of a bar add up to it on a linear axis only.
    if (on) m_stacked->setChecked(false);
    m_stacked->setEnabled(!on);
    m_plot->setLogarithmic(on);
  });
  m_logarithmic->setChecked(true);
  for (QWidget* widget : std::initializer_list<QWidget*>{caption, m_order, m_onlySelected, m_stacked, m_logarithmic}) {
    layout.addWidget(widget);
  }
}

void CostBarsPage::zoom(double factor) { m_plot->zoom(factor); }
void CostBarsPage::showAll() { m_plot->fit(); }

void CostBarsPage::connectPlot() {
  connect(m_plot, &CostPlot::barHovered, this, &CostBarsPage::showDetail);
  connect(m_plot, &CostPlot::barClicked, this, &CostBarsPage::selectBar);
  connect(m_plot, &CostPlot::barActivated, this, [this](int bar) {
    selectBar(bar);
    emit programWanted();
  });
}

void CostBarsPage::showFreshness() { m_plot->setStale(!m_session.isCurrent()); }

void CostBarsPage::rebuild() {
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

void CostBarsPage::showSelection() {
  if (m_session.exploration() != m_shown || m_onlySelected->isChecked()) return rebuild();
  m_plot->setSelected(m_session.placementIndex(), m_session.programIndex());
}

void CostBarsPage::showDetail(int bar) {
  if (bar >= 0) {
    m_detail->setText(m_plot->textOf(bar));
    return;
  }
  const auto shown = m_plot->bars().size();
  QString text = counted(std::int64_t(shown), tr("program"), tr("programs"));
  if (m_leftOut > Count(0)) text += tr(", %1 slower ones not shown").arg(qs(m_leftOut.toString()));
  m_detail->setText(text);
}

void CostBarsPage::selectBar(int bar) {
  const CostBar& chosen = m_plot->bars()[std::size_t(bar)];
  m_session.select(chosen.placement, std::max(chosen.program, 0));
}

}  // namespace p2::views
