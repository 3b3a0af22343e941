// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>

#include "explore/sweep_csv.h"
#include "views/common/brief_label.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/plot_export.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/common/wrap_layout.h"
#include "views/shell/session.h"
#include "views/shell/summary.h"
#include "views/sweep/map_plot.h"
#include "views/sweep/range_bar.h"
#include "views/sweep/sweep_page.h"
#include "views/sweep/sweep_plot.h"

namespace p2::views {
namespace {

QCheckBox* makeSwitch(const QString& text, const char* name, const QString& toolTip, bool on) {
  auto* check = new QCheckBox(text);
  check->setObjectName(name);
  check->setToolTip(toolTip);
  check->setAccessibleName(QString(text).remove('&'));
  check->setChecked(on);
  return check;
}

}  // namespace

void SweepPage::makePlots() {
  m_curves = named(new SweepPlot, "sweepPlot");
  m_map = named(new MapPlot, "mapPlot");
  for (QWidget* plot : std::initializer_list<QWidget*>{m_curves, m_map}) {
    plot->setMinimumSize(320, 168);
    m_plots->addWidget(plot);
  }
}

QWidget* SweepPage::makeToolbar() {
  auto* bar = new QWidget;
  auto* layout = new WrapLayout(bar);
  layout->setLastAtEnd();
  m_parts = makeSwitch(tr("Split &latency and bandwidth"), "sweepParts",
                       tr("Latency and bandwidth parts of the best time as separate curves (Alt+L)"),
                       QSettings().value(kPartsSetting).toBool());
  m_links = makeSwitch(tr("Lin&ks"), "sweepLinks", tr("Sliders for the figures of all links (Alt+K)"),
                       QSettings().value(kLinksSetting).toBool());
  m_write = new PlotExportButton("sweepExport", "by-size", [this](const FigureStyle& style) {
    const bool map = m_plots->currentWidget() == m_map;
    ExportedPlot exported;
    exported.plot = map ? static_cast<QCustomPlot*>(m_map) : m_curves;
    exported.csv = [this, map] {
      if (map) return m_map->map() ? sweepMapCsv(*m_map->map()) : std::string();
      return m_curves->sweep() ? sweepCsv(*m_curves->sweep()) : std::string();
    };
    exported.title = map ? tr("Best by placement") : tr("Best by size");
    exported.style = style;
    const Workspace& asked = *m_session.workspace();
    exported.subtitle = tr("%1 · %2 model").arg(summaryOf(asked, nullptr).question, qs(asked.options.cost.model));
    return exported;
  });
  connect(m_write, &PlotExportButton::written, this,
          [this](const QString& path) { m_message->say(InlineMessage::Kind::Good, tr("written to %1").arg(path)); });
  connect(m_write, &PlotExportButton::failed, m_message, &InlineMessage::showProblem);
  layout->addWidget(m_range);
  layout->addWidget(m_parts);
  layout->addWidget(m_links);
  layout->addWidget(m_write);
  return bar;
}

QWidget* SweepPage::makeFooter() {
  auto* footer = new QWidget;
  m_detail->setObjectName("sweepDetail");
  named(m_progress, "sweepProgress", tr("Progress"));
  m_progress->setRange(0, 1000);
  m_progress->setTextVisible(false);
  m_progress->setFixedWidth(12 * Theme::kGrid);
  m_stop->setObjectName("sweepStop");
  m_stop->setText(tr("Stop"));
  m_stop->setToolTip(tr("Stop; the last answer stays"));
  for (QWidget* part : std::initializer_list<QWidget*>{m_progress, m_stop}) {
    QSizePolicy policy = part->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    part->setSizePolicy(policy);
  }
  auto* layout = bareLayout<QHBoxLayout>(footer, Theme::kGrid);
  layout->addWidget(m_detail, 1);
  layout->addWidget(m_progress, 0, Qt::AlignTop);
  layout->addWidget(m_stop, 0, Qt::AlignTop);
  return footer;
}

}  // namespace p2::views
