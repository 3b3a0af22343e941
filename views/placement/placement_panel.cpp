// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/placement_panel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "text/csv.h"
#include "views/common/device_names.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/plot_export.h"
#include "views/common/text.h"
#include "views/placement/devices_view.h"
#include "views/placement/matrix_view.h"
#include "views/placement/split_text.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr int kSentenceLines = 4;

}  // namespace

PlacementPanel::PlacementPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_matrix(new MatrixView),
      m_devices(new DevicesView),
      m_compare(makeCompareButton()),
      m_legend(new QLabel),
      m_sentence(new QLabel),
      m_reported(new InlineMessage) {
  wrapped(named(m_legend, "devicesLegend"));
  m_legend->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_legend->setMinimumHeight(2 * m_legend->fontMetrics().lineSpacing());
  wrapped(named(m_sentence, "hoveredDevice"));
  m_sentence->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  // The sentence below must not move the matrix or map under the pointer.
  m_sentence->setMinimumHeight(kSentenceLines * m_sentence->fontMetrics().lineSpacing());
  auto* title = new QHBoxLayout;
  title->addWidget(panelTitle(tr("Devices")), 1);
  title->addWidget(m_compare);
  title->addWidget(makeExport());
  QVBoxLayout* layout = panelLayout(this);
  layout->addLayout(title);
  layout->addWidget(m_matrix, 0, Qt::AlignLeft);
  layout->addWidget(m_devices, 1);
  layout->addWidget(m_legend);
  m_reported->setObjectName(QStringLiteral("placementMessage"));
  m_reported->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_reported->setMinimumHeight(m_sentence->minimumHeight());
  m_reported->setAutoFillBackground(true);
  auto* below = new QGridLayout;
  below->addWidget(m_sentence, 0, 0);
  below->addWidget(m_reported, 0, 0);
  layout->addLayout(below);

  connect(m_matrix, &MatrixView::partChanged, this, [this] {
    m_devices->setPart(m_matrix->part());
    showSentence();
  });
  connect(m_devices, &DevicesView::deviceHovered, &session, &Session::setHoveredDevice);
  connect(&session, &Session::hoverChanged, this, [this] {
    m_devices->setHoveredDevice(m_session.hoveredDevice());
    showSentence();
  });
  connect(&session, &Session::explorationChanged, this, &PlacementPanel::refresh);
  connect(&session, &Session::selectionChanged, this, &PlacementPanel::refresh);
  connect(&session, &Session::freshnessChanged, this, &PlacementPanel::refresh);
  refresh();
}

QWidget* PlacementPanel::makeExport() {
  auto* save = new PlotExportButton("map", "placement-map", [this](const FigureStyle& style) {
    ExportedPlot exported;
    exported.title = tr("Devices");
    exported.style = style;
    const int width = style.isForPrint() ? style.layoutWidth() : 0;
    exported.size = m_devices->figureSize(width);
    const Theme::Look look = style.isForPrint() ? Theme::Look{false, Theme::tabularFont()} : Theme::look();
    exported.paint = [this, width, look](QPainter& painter) {
      const Theme::Painting painting(look);
      m_devices->paintFigure(painter, width);
    };
    exported.csv = [this] { return devicesCsv(); };
    return exported;
  });
  save->setToolTip(tr("Save the map as an image or figure, or its devices as a table"));
  save->setToolButtonStyle(Qt::ToolButtonIconOnly);
  connect(save, &PlotExportButton::failed, m_reported, &InlineMessage::showProblem);
  connect(save, &PlotExportButton::written, this, [this](const QString& path) {
    m_reported->sayBriefly(InlineMessage::Kind::Good, tr("Written: %1").arg(path));
  });
  return save;
}

std::string PlacementPanel::devicesCsv() const {
  std::string text = "device,place,group\n";
  const Placement* placement = m_devices->placement();
  if (placement == nullptr) return text;
  const System& system = m_session.exploration()->workspace.system;
  for (std::int64_t i = 0; i < placement->deviceCount(); ++i) {
    const Device device(i);
    text += std::to_string(i) + ',' + csvCell(deviceName(system, device).toStdString()) + ',' +
            csvCell(m_devices->colouring().of(device).letter.toStdString()) + '\n';
  }
  return text;
}

QToolButton* PlacementPanel::makeCompareButton() {
  auto* button = named(new QToolButton, "compareButton");
  button->setText(tr("Compare with…"));
  button->setToolTip(tr("Show which devices change reduction partners (Ctrl+click a row, or Ctrl+Space)"));
  button->setPopupMode(QToolButton::InstantPopup);
  button->setFocusPolicy(Qt::StrongFocus);
  auto* menu = named(new QMenu(button), "compareMenu");
  const auto add = [&](const char* name, const QString& text, auto placement) {
    QAction* action = menu->addAction(text, this, [this, placement] { emit comparisonWanted(placement()); });
    action->setObjectName(QLatin1String(name));
    return action;
  };
  m_best = add("compareBest", tr("★ The best placement"), [this] { return m_session.exploration()->bestPlacement; });
  m_default =
      add("compareDefault", tr("◇ JAX/PyTorch default"), [this] { return m_session.exploration()->defaultPlacement; });
  m_this = add("compareThis", tr("This one; then select another"), [this] { return m_session.placementIndex(); });
  menu->addSeparator();
  m_none = add("compareNone", tr("No comparison"), [] { return -1; });
  button->setMenu(menu);
  return button;
}

void PlacementPanel::refreshChoices() {
  const auto exploration = m_session.exploration();
  const int selected = m_session.placementIndex();
  const auto isOther = [&](int placement) { return placement >= 0 && placement != selected; };
  m_best->setEnabled(exploration && isOther(exploration->bestPlacement));
  m_default->setEnabled(exploration && isOther(exploration->defaultPlacement));
  m_this->setEnabled(exploration && selected >= 0);
  m_none->setEnabled(m_other >= 0);
}

void PlacementPanel::compareWith(int placement) {
  m_other = placement;
  refresh();
}

void PlacementPanel::refresh() {
  const auto exploration = m_session.exploration();
  const PlacementResult* placement = m_session.placement();
  m_compare->setEnabled(placement != nullptr);
  refreshChoices();
  if (placement == nullptr) {
    m_matrix->clear();
    m_devices->clear();
    m_legend->setText(tr("Select a placement to see its devices."));
    m_sentence->clear();
    m_reported->say(InlineMessage::Kind::Note, {});
    return;
  }
  const Workspace& asked = exploration->workspace;
  m_devices->showPlacement(asked.system, asked.axes, placement->matrix);
  m_matrix->showPlacement(asked.system, asked.axes, placement->matrix);
  const bool compares = m_other >= 0 && std::size_t(m_other) < exploration->placements.size();
  m_devices->compareWith(compares ? exploration->placements[std::size_t(m_other)].matrix : ParallelismMatrix());
  m_devices->setPart(m_matrix->part());
  m_devices->setHoveredDevice(m_session.hoveredDevice());
  m_devices->setStale(!m_session.isCurrent());
  m_matrix->setStale(!m_session.isCurrent());
  showSentence();
}

void PlacementPanel::showSentence() {
  if (m_devices->placement() == nullptr) return;
  QString legend = m_devices->legend();
  if (!m_devices->map().complete) {
    legend += tr("\nOnly the first %1 of %2 devices are drawn.")
                  .arg(std::int64_t(m_devices->map().cells.size()) * m_devices->map().devicesPerCell)
                  .arg(m_devices->placement()->deviceCount());
  }
  m_legend->setText(legend);
  const QString text = sentence();
  if (text != m_sentence->text()) m_reported->say(InlineMessage::Kind::Note, {});
  m_sentence->setText(text);
  announce(*m_matrix, text);
}

QString PlacementPanel::sentence() const {
  const Device device = m_session.hoveredDevice();
  const System& system = m_session.exploration()->workspace.system;
  const bool known = !device.isNone() && device.value() < m_devices->placement()->deviceCount();
  if (known) return m_devices->sentence(device);
  if (!m_matrix->part().empty()) return partSentence(system, *m_devices->placement(), m_matrix->part());
  if (m_other >= 0) return comparison();
  return placementSentence(system, *m_devices->placement()) + '.';
}

QString PlacementPanel::comparison() const {
  const auto& diff = m_devices->colouring().diff();
  if (!diff) return tr("This is the placement to compare with. Select another to see what changes.");
  const System& system = m_session.exploration()->workspace.system;
  return tr("Compared with %1: %2.").arg(qs(m_devices->other()->matrix().text()), diffSentence(system, *diff));
}

}  // namespace p2::views
