// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/ranking_views.h"

#include <QPainter>
#include <QSize>
#include <QString>
#include <algorithm>
#include <memory>

#include "step/step_ranking.h"
#include "views/common/figure_style.h"
#include "views/common/forward_focus.h"
#include "views/common/matrix_painter.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/common/view_tabs.h"
#include "views/workload/break_even_page.h"
#include "views/workload/break_even_plot.h"
#include "views/workload/ranking_bars.h"
#include "views/workload/ranking_model.h"
#include "views/workload/ranking_page.h"
#include "views/workload/ranking_picture.h"
#include "views/workload/ranking_tables.h"
#include "views/workload/ranking_words.h"
#include "views/workload/tradeoff_plot.h"

namespace p2::views {
namespace {

/// The best placements of a ranking as a figure for print: a matrix, the bar of its step, and the time for each, on
/// white. Finding and places of the axes belong into the caption. A value.
class RankingFigure {
 public:
  static constexpr std::size_t kMostRows = 12;

  /// Without a ranking it is empty.
  RankingFigure(std::shared_ptr<const StepRanking> ranking, const FigureStyle& style, QString title);

  /// In pixels of FigureStyle::layoutWidth().
  [[nodiscard]] QSize size() const;
  void paint(QPainter& painter) const;

 private:
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] int rowHeight() const;
  /// Left edge of the bars.
  [[nodiscard]] int barsLeft() const;
  /// Lays the legend out below `top`, and draws it where there is a painter; answers where it ends.
  int legend(QPainter* painter, int top) const;
  void paintRow(QPainter& painter, std::size_t row, int top) const;

  std::shared_ptr<const StepRanking> m_ranking;
  FigureStyle m_style;
  QString m_title;
};

constexpr int kPaperEdge = 6;
constexpr int kPaperBar = 18;
constexpr std::size_t kMostExplained = 12;

QFontMetrics paperMetrics() { return QFontMetrics(Theme::tabularFont()); }

QString timeOf(const PlacementStep& placement) { return secondsText(placement.stepSeconds); }

RankingFigure::RankingFigure(std::shared_ptr<const StepRanking> ranking, const FigureStyle& style, QString title)
    : m_ranking(std::move(ranking)), m_style(style), m_title(std::move(title)) {}

std::size_t RankingFigure::rows() const { return m_ranking ? std::min(m_ranking->placements.size(), kMostRows) : 0; }

int RankingFigure::rowHeight() const {
  int height = kPaperBar;
  for (std::size_t row = 0; row < rows(); ++row) {
    height = std::max(height, matrixSize(m_ranking->placements[row].matrix, paperMetrics()).height());
  }
  return height + kPaperEdge;
}

int RankingFigure::barsLeft() const {
  int width = 0;
  for (std::size_t row = 0; row < rows(); ++row) {
    width = std::max(width, matrixSize(m_ranking->placements[row].matrix, paperMetrics()).width());
  }
  return kPaperEdge + paperMetrics().horizontalAdvance(QStringLiteral("★◆ ")) + width + 2 * kPaperEdge;
}

int RankingFigure::legend(QPainter* painter, int top) const {
  const int line = paperMetrics().lineSpacing();
  const int right = m_style.layoutWidth() - kPaperEdge;
  int left = kPaperEdge;
  const auto& entries = m_ranking->entries();
  for (std::size_t i = 0; i < std::min(entries.size(), kMostExplained); ++i) {
    const QString name = legendName(entries, i);
    const int width = line + kPaperEdge + paperMetrics().horizontalAdvance(name) + 2 * kPaperEdge;
    if (left > kPaperEdge && left + width > right) {
      left = kPaperEdge;
      top += line + kPaperEdge / 2;
    }
    if (painter != nullptr) {
      painter->setFont(Theme::tabularFont());
      paintSegment(*painter, QRectF(left, top, line, line), {i, 1, false}, false);
      painter->setPen(Theme::text());
      painter->drawText(QRect(left + line + kPaperEdge, top, right - left, line), Qt::AlignLeft | Qt::AlignVCenter,
                        name);
    }
    left += width;
  }
  return top + line + kPaperEdge;
}

QSize RankingFigure::size() const {
  int height = kPaperEdge;
  if (m_style.title) height += paperMetrics().lineSpacing() + kPaperEdge;
  if (m_style.legend && rows() > 0) height = legend(nullptr, height);
  return {m_style.layoutWidth(), height + int(rows()) * rowHeight() + kPaperEdge};
}

void RankingFigure::paintRow(QPainter& painter, std::size_t row, int top) const {
  const PlacementStep& placement = m_ranking->placements[row];
  const int height = rowHeight();
  const int marks = paperMetrics().horizontalAdvance(QStringLiteral("★◆ "));
  painter.setFont(Theme::tabularFont());
  painter.setPen(Theme::text());
  painter.drawText(QRect(kPaperEdge, top, marks, height), Qt::AlignLeft | Qt::AlignVCenter,
                   placementMarks(*m_ranking, row));
  const QSize matrix = matrixSize(placement.matrix, painter.fontMetrics());
  paintMatrix(painter, QRectF(QPointF(kPaperEdge + marks, top + (height - matrix.height()) / 2.0), matrix),
              placement.matrix, Theme::text());
  int times = 0;
  for (std::size_t each = 0; each < rows(); ++each) {
    times = std::max(times, paperMetrics().horizontalAdvance(timeOf(m_ranking->placements[each])));
  }
  const int left = barsLeft();
  const QRectF bar(left, top + (height - kPaperBar) / 2.0,
                   std::max(0, m_style.layoutWidth() - 3 * kPaperEdge - times - left), kPaperBar);
  const double right = paintStepBar(painter, bar, *m_ranking, placement, longestBar(*m_ranking), false);
  painter.drawText(QRectF(right + kPaperEdge, top, times + kPaperEdge, height), Qt::AlignLeft | Qt::AlignVCenter,
                   timeOf(placement));
}

void RankingFigure::paint(QPainter& painter) const {
  const Theme::Painting paper({false, Theme::tabularFont()});
  painter.fillRect(QRect(QPoint(), size()), Theme::surface());
  if (rows() == 0) return;
  int top = kPaperEdge;
  if (m_style.title) {
    const int line = paperMetrics().lineSpacing();
    painter.setFont(Theme::tabularFont());
    painter.setPen(Theme::text());
    painter.drawText(QRect(kPaperEdge, top, m_style.layoutWidth() - 2 * kPaperEdge, line),
                     Qt::AlignLeft | Qt::AlignVCenter, m_title);
    top += line + kPaperEdge;
  }
  if (m_style.legend) top = legend(&painter, top);
  for (std::size_t row = 0; row < rows(); ++row, top += rowHeight()) paintRow(painter, row, top);
}

}  // namespace

RankingViews::RankingViews(QWidget* parent)
    : QStackedWidget(parent),
      m_ranking(new RankingPage),
      m_tradeoff(new TradeoffPlot),
      m_breakEvens(new BreakEvenPage) {
  m_tradeoff->setObjectName("tradeoffPlot");
  m_tradeoff->setMinimumSize(280, 180);
  for (QWidget* view : std::initializer_list<QWidget*>{m_ranking, m_tradeoff, m_breakEvens}) addWidget(view);
  setContentsMargins(Theme::kGrid, 0, 0, 0);
  makeTabs();
  connectViews();
  showView(m_tabs->currentIndex());
}

void RankingViews::makeTabs() {
  m_tabs = new ViewTabs("workloadViews", tr("Views of the workload"), "workload/view",
                        {{"showRankingAction", "ranking", tr("Ranking"), tr("Every placement with its step as a bar")},
                         {"showTradeoffAction", "tradeoff", tr("Trade-off"),
                          tr("Exposed against overlappable time, with the Pareto front")},
                         {"showBreakEvensAction", "break-evens", tr("Break-evens"),
                          tr("The best placement over the ratio of two groups of entries")}},
                        this);
}

void RankingViews::connectViews() {
  connect(m_tabs, &ViewTabs::currentChanged, this, &RankingViews::showView);
  connect(m_ranking, &RankingPage::placementChosen, this, &RankingViews::placementChosen);
  connect(m_ranking, &RankingPage::placementActivated, this, &RankingViews::placementActivated);
  connect(m_tradeoff, &TradeoffPlot::pointClicked, this, &RankingViews::placementChosen);
  connect(m_tradeoff, &TradeoffPlot::pointActivated, this, &RankingViews::placementActivated);
  connect(m_tradeoff, &TradeoffPlot::pointHovered, this, &RankingViews::hovered);
  BreakEvenPlot* plot = &m_breakEvens->plot();
  connect(plot, &BreakEvenPlot::pointClicked, this, &RankingViews::placementChosen);
  connect(plot, &BreakEvenPlot::pointActivated, this, &RankingViews::placementActivated);
  connect(plot, &BreakEvenPlot::pointHovered, this, &RankingViews::hovered);
}

void RankingViews::setRanking(std::shared_ptr<const StepRanking> ranking,
                              const std::optional<ReductionWinner>& winner) {
  m_shown = std::move(ranking);
  m_winner = winner;
  m_chosen = -1;
  refresh();
}

ExportedPlot RankingViews::exported(const FigureStyle& style) const {
  const QString asked = m_shown ? askedText(m_shown->question) : QString();
  if (currentWidget() == m_breakEvens) {
    const auto csv = [this, shown = m_shown] {
      const auto& chart = m_breakEvens->plot().chart();
      return chart ? breakEvenCsv(*shown, chart->answer) : std::string();
    };
    return {&m_breakEvens->plot(), csv, tr("Break-evens of placements"), {}, {}, asked, style};
  }
  const auto csv = [shown = m_shown] { return shown ? rankingCsv(*shown) : std::string(); };
  if (currentWidget() == m_tradeoff)
    return {m_tradeoff, csv, tr("Placements by exposed and overlappable time"), {}, {}, asked, style};
  ExportedPlot ranking{nullptr, csv, tr("Placements by training step")};
  ranking.style = style;
  if (style.isForPrint()) {
    const RankingFigure figure(m_shown, style, ranking.title);
    ranking.paint = [figure](QPainter& painter) { figure.paint(painter); };
    ranking.size = figure.size();
    return ranking;
  }
  const RankingPicture picture(m_shown, m_winner, m_ranking->width());
  ranking.paint = [picture](QPainter& painter) { picture.paint(painter); };
  ranking.size = picture.size();
  return ranking;
}

QString RankingViews::exportName() const {
  return currentWidget() == m_breakEvens ? QStringLiteral("break-evens")
         : currentWidget() == m_tradeoff ? QStringLiteral("trade-off")
                                         : QStringLiteral("ranking");
}

void RankingViews::setStale(bool stale) {
  m_stale = stale;
  refresh();
}

void RankingViews::setChosen(int placement) {
  m_chosen = placement;
  refresh();
}

// Hidden views are updated when they are shown: a slider moves one of them only.
void RankingViews::refresh() {
  const auto bring = [this](auto& page) {
    page.setStale(m_stale);
    page.setChosen(m_chosen);
  };
  if (currentWidget() == m_ranking) {
    m_ranking->setRanking(m_shown, m_winner);
    bring(*m_ranking);
  } else if (currentWidget() == m_tradeoff) {
    m_tradeoff->setRanking(m_shown, m_winner);
    bring(*m_tradeoff);
  } else {
    m_breakEvens->setRanking(m_shown);
    bring(*m_breakEvens);
  }
}

void RankingViews::showView(int view) {
  setCurrentIndex(view);
  forwardFocus(*this, *currentWidget());
  refresh();
}

}  // namespace p2::views
