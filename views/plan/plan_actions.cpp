// SPDX-License-Identifier: GPL-3.0-or-later
// Actions of PlanPerspective: rows to the clipboard and to files, figures, the comparison of two rows, the state of the
// search, and the way out of its problems.
#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QStackedWidget>
#include <QToolButton>
#include <algorithm>
#include <array>

#include "base/numbers.h"
#include "text/csv.h"
#include "text/text_file.h"
#include "training_answer/training_request.h"
#include "views/common/accessible_items.h"
#include "views/common/empty_page.h"
#include "views/common/panel.h"
#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/common/view_figure.h"
#include "views/compare/plan_comparison_dialog.h"
#include "views/plan/heat_model.h"
#include "views/plan/heat_page.h"
#include "views/plan/mine_panel.h"
#include "views/plan/plan_bars.h"
#include "views/plan/plan_model.h"
#include "views/plan/plan_perspective.h"
#include "views/plan/plan_scatter.h"
#include "views/plan/plan_table.h"
#include "views/plan/plan_words.h"
#include "views/plan/release_buttons.h"
#include "views/shell/framework_list.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostFigureRows = 12;
constexpr int kFigureBar = 9;
constexpr int kFigureGap = 6;

int figureLine() { return QFontMetrics(Theme::tabularFont()).lineSpacing(); }
int figureRow() { return figureLine() + kFigureBar + kFigureGap; }

/// Parts that any of the rows has, in the order of the bars.
std::vector<TimePart> partsOf(const std::vector<PlannedConfiguration>& rows) {
  StepEstimate all;
  for (const PlannedConfiguration& row : rows) {
    const StepParts& parts = row.estimate.parts;
    all.parts.compute += parts.compute + parts.inefficiency;
    all.parts.recompute += parts.recompute;
    for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) all.parts.exposed[axis] += parts.exposed[axis];
    all.parts.bubble += parts.bubble;
    all.parts.imbalance += parts.imbalance;
    all.parts.optimizer += parts.optimizer;
    all.parts.host += parts.host;
  }
  return timePartsOf(all);
}

/// Lays the legend out, and draws it where there is a painter. Returns where it ends.
int paintPartLegend(QPainter* painter, const std::vector<TimePart>& parts, int top, int width) {
  const QFontMetrics letters(Theme::tabularFont());
  int left = kFigureGap;
  for (TimePart part : parts) {
    const int room = 2 * kFigureBar + kFigureGap / 2 + letters.horizontalAdvance(part.name);
    if (left + room > width && left > kFigureGap) {
      left = kFigureGap;
      top += figureLine();
    }
    if (painter != nullptr) {
      const QString name = std::exchange(part.name, QString());
      paintTimePart(*painter, QRectF(left, top + (figureLine() - kFigureBar) / 2.0, 1.5 * kFigureBar, kFigureBar), part,
                    false);
      painter->setPen(Theme::text());
      painter->drawText(QRect(left + 2 * kFigureBar, top, room, figureLine()), Qt::AlignVCenter, name);
    }
    left += room + kFigureGap;
  }
  return top + figureLine();
}

void paintPlanRow(QPainter& painter, const PlannedConfiguration& row, const QString& place, const QRectF& room,
                  double perSecond) {
  const double line = figureLine();
  const QString step = intervalText(row.estimate);
  painter.setPen(Theme::text());
  painter.drawText(QRectF(room.topLeft(), QSizeF(room.width(), line)), Qt::AlignRight | Qt::AlignVCenter, step);
  const double names = room.width() - painter.fontMetrics().horizontalAdvance(step) - kFigureGap;
  const QString name =
      place + QStringLiteral("  ") + degreesText(row.configuration).replace(QStringLiteral(" · "), QStringLiteral("·"));
  painter.drawText(QRectF(room.topLeft(), QSizeF(names, line)), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(name, Qt::ElideRight, int(names)));
  double left = room.left();
  for (TimePart part : timePartsOf(row.estimate)) {
    part.name.clear();
    paintTimePart(painter, QRectF(left, room.top() + line, part.seconds * perSecond, kFigureBar), part, false);
    left += part.seconds * perSecond;
  }
}

std::string heatCsv(const HeatModel& model) {
  std::string csv;
  for (int column = 0; column < model.columnCount(); ++column) {
    csv += ',' + csvCell(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().toStdString());
  }
  for (int row = 0; row < model.rowCount(); ++row) {
    csv += '\n' + csvCell(model.headerData(row, Qt::Vertical, Qt::DisplayRole).toString().toStdString());
    for (int column = 0; column < model.columnCount(); ++column) {
      const PlannedConfiguration* planned = model.at(model.index(row, column));
      csv += ',' + (planned ? exactNumber(planned->estimate.seconds) : std::string());
    }
  }
  return csv + '\n';
}

void paintHeat(QPainter& painter, const HeatModel& model, QSize size) {
  painter.setFont(Theme::tabularFont());
  const int line = figureLine() + kFigureGap;
  int names = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    const QString name = model.headerData(row, Qt::Vertical, Qt::DisplayRole).toString();
    names = std::max(names, painter.fontMetrics().horizontalAdvance(name) + 2 * kFigureGap);
  }
  const double width = double(size.width() - names) / std::max(1, model.columnCount());
  painter.setPen(Theme::text());
  for (int column = 0; column < model.columnCount(); ++column) {
    painter.drawText(QRectF(names + column * width, 0, width, line), Qt::AlignCenter,
                     model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
  }
  for (int row = 0; row < model.rowCount(); ++row) {
    const double top = (row + 1) * line;
    painter.setPen(Theme::text());
    painter.drawText(QRectF(0, top, names - kFigureGap, line), Qt::AlignRight | Qt::AlignVCenter,
                     model.headerData(row, Qt::Vertical, Qt::DisplayRole).toString());
    for (int column = 0; column < model.columnCount(); ++column) {
      const QModelIndex index = model.index(row, column);
      const QRectF cell(names + column * width, top, width - 1, line - 1.0);
      const QColor fill = model.at(index) ? Theme::load(model.heatAt(index)) : Theme::surface();
      painter.fillRect(cell, fill);
      painter.setPen(model.at(index) ? inkOn(fill) : Theme::mutedText());
      painter.drawText(cell, Qt::AlignCenter, index.data().toString());
    }
  }
}

/// The first rows of a plan as a figure: degrees and interval, and below them the bar of where the time goes, all on
/// one scale. At most 12 are drawn.
ViewPicture planBarsPicture(std::shared_ptr<const PlannerAnswer> found) {
  const auto csv = [found] { return found ? planCsv(*found) : std::string(); };
  std::vector<PlannedConfiguration> rows;
  QStringList names;
  double longest = 0;
  for (std::size_t place = 0; found && place < std::min(found->rows(), kMostFigureRows); ++place) {
    rows.push_back(found->answer.configurations[place]);
    names << (isTiedWithBest(found->answer, place) ? QStringLiteral("1=") : QString::number(place + 1));
    longest = std::max(longest, rows.back().estimate.seconds);
  }
  const auto parts = partsOf(rows);
  const auto sizeOf = [parts, count = int(rows.size())](int width, bool legend) {
    const int rowsEnd = count * figureRow() + kFigureGap;
    return QSize(width, (legend ? paintPartLegend(nullptr, parts, rowsEnd, width) : rowsEnd) + kFigureGap);
  };
  const auto paint = [rows, names, parts, longest](QPainter& painter, QSize size, bool legend) {
    painter.setFont(Theme::tabularFont());
    const double width = size.width() - 2.0 * kFigureGap;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const QRectF room(kFigureGap, kFigureGap + double(row) * figureRow(), width, figureRow());
      paintPlanRow(painter, rows[row], names[qsizetype(row)], room, longest > 0 ? width / longest : 0);
    }
    if (legend) paintPartLegend(&painter, parts, int(rows.size()) * figureRow() + kFigureGap, size.width());
  };
  return {QObject::tr("Where the time of a step goes"), sizeOf, paint, csv};
}

/// The map over two degrees as a figure. The model must outlive the picture.
ViewPicture heatPicture(const HeatModel& model) {
  return {QObject::tr("Step time over two degrees"),
          [&model](int width, bool) {
            return QSize(width, (model.rowCount() + 1) * (figureLine() + kFigureGap) + kFigureGap);
          },
          [&model](QPainter& painter, QSize size, bool) { paintHeat(painter, model, size); },
          [&model] { return heatCsv(model); }};
}

/// Whether a problem names a setting of the command line, which is a field of the page Model.
bool isOfOption(const Error& problem) {
  constexpr std::array<std::string_view, 4> kOptions{"fix", "batch", "reserve", "framework"};
  const auto isOption = [&](const std::string& place) { return std::ranges::find(kOptions, place) != kOptions.end(); };
  return isOption(problem.where.position) || isOption(problem.where.document);
}

/// The page on which a problem can be solved.
QString pageFor(const Error& problem) {
  const bool ofSettings = !problem.where.document.empty() || problem.kind == ErrorKind::TooLarge || isOfOption(problem);
  return ofSettings ? QString(kModelPage) : QString(kSystemPage);
}

}  // namespace

void PlanPerspective::makeActions() {
  m_copy = named(new QAction(tr("&Copy row"), this), "planCopyAction");
  m_copy->setShortcut(QKeySequence::Copy);
  m_copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  m_copy->setToolTip(tr("Copy the selected configuration as text (Ctrl+C)"));
  connect(m_copy, &QAction::triggered, this, [this] { m_table->copyRow(); });
  m_export = named(new QAction(tr("E&xport table…"), this), "planExportAction");
  m_export->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E));
  m_export->setToolTip(tr("Write the shown rows as CSV (Ctrl+Shift+E)"));
  connect(m_export, &QAction::triggered, this, &PlanPerspective::askForFile);
  m_accuracy = named(new QAction(tr("How &good is this here?"), this), "planAccuracyAction", {},
                     tr("Published training steps like these, next to their predictions"));
  m_compare = named(new QAction(tr("Co&mpare…"), this), "planCompareAction");
  m_compare->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_D));
  m_compare->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  m_compare->setToolTip(tr("Two configurations line by line, and what makes the difference (Ctrl+D)"));
  connect(m_compare, &QAction::triggered, this, &PlanPerspective::compareRows);
  addActions({m_copy, m_compare, m_export, m_accuracy});
}

/// The shown view: bars of the first rows, the map, or time against memory. As a table the rows, or the map's cells.
ExportedPlot PlanPerspective::exported(const FigureStyle& style) const {
  const auto found = m_model->found();
  if (m_views->currentWidget() == m_heat) return figureOf(heatPicture(m_heat->model()), m_heat->width(), style);
  ViewPicture bars = planBarsPicture(found);
  if (m_views->currentWidget() != m_scatter) return figureOf(std::move(bars), m_table->width(), style);
  ExportedPlot plot;
  plot.plot = m_scatter;
  plot.csv = std::move(bars.csv);
  plot.title = tr("Step time against memory");
  plot.style = style;
  return plot;
}

void PlanPerspective::report(InlineMessage::Kind kind, const QString& sentence) {
  kind == InlineMessage::Kind::Problem ? m_report->say(kind, sentence) : m_report->sayBriefly(kind, sentence);
  m_report->setToolTip(sentence);
  m_report->raise();
  announce(*this, sentence);
}

void PlanPerspective::enableComparison() {
  const auto found = m_session.planner().answer();
  const bool has = m_pages->currentIndex() != 0 && found && !found->answer.configurations.empty();
  m_compare->setEnabled(has && (found->answer.configurations.size() > 1 || m_mine->mine() != nullptr));
}

void PlanPerspective::compareRows() {
  const auto found = m_session.planner().answer();
  if (!m_compare->isEnabled() || found == nullptr) return;
  const PlannedConfiguration* mine = m_mine->mine();
  const int shown = m_session.planner().shownRow();
  const int next = found->answer.configurations.size() > 1 ? 1 : 0;
  const int other = shown > 0 ? shown : mine ? PlanComparisonDialog::placeOfExtra(0) : next;
  std::vector<NamedConfiguration> extras;
  if (mine != nullptr) extras.push_back({tr("mine").toStdString(), *mine});
  auto* dialog = new PlanComparisonDialog(m_session, found, std::move(extras), 0, other, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void PlanPerspective::askForFile() {
  if (m_pages->currentIndex() == 0) return;
  askWhereToSave(
      this, {QStringLiteral("planExportDialog"), tr("Export the plan"), {tr("Table (*.csv)")}, QStringLiteral("plan")},
      [this](const QString& path) {
        const auto written = writeTextFile(path.toStdString(), planCsv(*m_model->found()));
        written.ok() ? report(InlineMessage::Kind::Good, tr("Written: %1").arg(path))
                     : report(InlineMessage::Kind::Problem, qs(written.error().text()));
      });
}

/// Progress, Cancel and the way back to the best share one place, so that the table below the pointer stays.
QWidget* PlanPerspective::makeState() {
  named(m_progress, "planProgress", tr("Progress of the search"));
  m_progress->setRange(0, kProgressSteps);
  m_progress->setTextVisible(false);
  m_progress->setFixedWidth(12 * Theme::kGrid);
  QSizePolicy kept = m_progress->sizePolicy();
  kept.setRetainSizeWhenHidden(true);
  m_progress->setSizePolicy(kept);
  m_cancel->setObjectName("planCancel");
  m_cancel->setText(tr("Cancel"));
  m_cancel->setToolTip(tr("Stop comparing configurations"));
  connect(m_cancel, &QToolButton::clicked, &m_session.planner(),
          [this] { m_session.planner().isRunning() ? m_session.planner().cancel() : m_session.planner().planAgain(); });
  m_followBest->setObjectName("planFollowBest");
  m_followBest->setText(tr("★ Back to the best"));
  m_followBest->setToolTip(tr("Take back the choice: all pages show the best configuration"));
  connect(m_followBest, &QToolButton::clicked, this, [this] { m_session.chooseConfiguration(nullptr); });
  auto* searching = new QWidget;
  auto* line = bareLayout<QHBoxLayout>(searching, Theme::kGrid);
  line->addStretch(1);
  line->addWidget(m_progress);
  line->addWidget(m_cancel);
  auto* chosen = new QWidget;
  auto* end = bareLayout<QHBoxLayout>(chosen);
  end->addStretch(1);
  end->addWidget(m_followBest);
  for (QWidget* page : {new QWidget, searching, chosen}) m_state->addWidget(page);
  for (QToolButton* button : {m_cancel, m_followBest}) button->setFocusPolicy(Qt::TabFocus);
  m_state->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  return m_state;
}

void PlanPerspective::sayProblem(const Error& problem) {
  const bool ofCluster = !m_release->offersAny() && pageFor(problem) == kSystemPage;
  QString text = qs(isOfOption(problem) ? problem.message : problem.text());
  const auto workspace = m_session.workspace();
  const auto framework = trainingFrameworkFrom(frameworkNameOf(workspace->system, workspace->training));
  if (!ofCluster && framework.ok() && !text.contains(qs((*framework)->label))) {
    text = tr("With %1: %2").arg(qs((*framework)->label), text);
  }
  m_otherFramework->setVisible(!ofCluster);
  m_empty->say(text, ofCluster ? tr("Change the cluster") : tr("Change the model"));
}

void PlanPerspective::leaveEmptyPage() {
  StepPlanner& planner = m_session.planner();
  if (planner.wasCancelled()) return planner.planAgain();
  const auto problem = planner.problem();
  const bool ofModel = !planner.hasModel() || !problem || m_release->offersAny();
  emit perspectiveWanted(ofModel ? QString(kModelPage) : pageFor(*problem));
}

}  // namespace p2::views
