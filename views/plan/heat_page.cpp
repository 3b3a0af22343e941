// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/heat_page.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

#include "training/framework_placements.h"
#include "views/common/forward_focus.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr std::int64_t kMostMicrobatch = 32;
constexpr std::size_t kMostRows = 2000;

}  // namespace

/// The best of all degrees for every size of a microbatch.
Result<HeatPage::Rows> HeatPage::withEveryMicrobatch(const Question& asked, std::stop_token stop,
                                                     const Progress& progress) {
  Rows all;
  TrainingQuestion question = asked.of->question;
  const auto fixed = question.fixed.microbatch;
  question.best = kMostRows;
  question.listsFiltered = asked.filtered;
  const TrainingPlacements placements = trainingPlacements(question.model, question.system);
  for (std::int64_t size = 1; size <= std::min(kMostMicrobatch, question.batch); size *= 2) {
    if (fixed && *fixed != size) continue;
    question.fixed.microbatch = size;
    const auto answer = planTraining(question, placements.orders, stop, {}, placements.rankFiles);
    if (!answer.ok() && answer.error().kind == ErrorKind::Cancelled) return answer.error();
    if (answer.ok()) {
      all.insert(all.end(), answer->configurations.begin(), answer->configurations.end());
      for (const auto& left : answer->filtered) all.insert(all.end(), left.begin(), left.end());
    }
    if (progress) progress(double(size) / double(kMostMicrobatch));
  }
  return all;
}

HeatPage::HeatPage(JobQueue& jobs, QWidget* parent)
    : QWidget(parent),
      m_axes(new QComboBox),
      m_table(new QTableView),
      m_note(new QLabel),
      m_microbatches(jobs, withEveryMicrobatch) {
  for (const HeatAxes& axes : heatAxes()) {
    m_axes->addItem(QStringLiteral("%1 × %2").arg(QLatin1String(axes.column), QLatin1String(axes.row)));
  }
  named(m_axes, "heatAxes", tr("Degrees of the map"));
  m_axes->setToolTip(tr("Two degrees; a cell has the fastest configuration with both"));
  m_table->setModel(&m_model);
  m_table->setItemDelegate(new HeatDelegate(m_model, m_table));
  setUpTable(*m_table,
             {.name = "heatTable", .accessible = tr("Best step time over two degrees"), .toolTip = {}, .cells = true});
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->verticalHeader()->show();
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  m_note->setObjectName("heatNote");
  m_note->setForegroundRole(QPalette::PlaceholderText);
  m_note->setText(
      tr("dark: fast, yellow: slow; ★ the fastest and those within 0.5 % of it; – nothing fits or is allowed"));
  auto* top = new QHBoxLayout;
  top->addWidget(m_axes);
  top->addWidget(m_note, 1);
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid);
  layout->addLayout(top);
  layout->addWidget(m_table, 1);
  forwardFocus(*this, *m_table);
  connect(m_axes, &QComboBox::currentIndexChanged, this, &HeatPage::fill);
  connect(&m_microbatches, &DerivedBase::changed, this, &HeatPage::fill);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
    const PlannedConfiguration* planned = m_syncing ? nullptr : m_model.at(index);
    if (planned != nullptr) emit chosen(*planned);
  });
}

void HeatPage::setAnswer(std::shared_ptr<const PlannerAnswer> found, const PlanFilter& filter, bool stale) {
  m_stale = stale;
  m_model.setStale(stale);
  const bool sameFilter = std::exchange(m_filter, filter) == filter;
  if (found == m_found && sameFilter) return;
  m_found = std::move(found);
  fill();
}

HeatPage::Rows HeatPage::passing(const Rows& rows) const {
  Rows left;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(left), [this](const PlannedConfiguration& each) {
    return passes(m_filter, each, m_found->question.system, m_found->answer.reserve, m_found->answer.memory);
  });
  return left;
}

void HeatPage::setShown(const PlannedConfiguration* planned) {
  m_shown = planned ? std::optional(*planned) : std::nullopt;
  markShown();
}

void HeatPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  fill();
}

void HeatPage::fill() {
  if (!isVisible() || !m_found) return;
  const QScopedValueRollback syncing(m_syncing, true);
  const auto chosen = std::size_t(m_axes->currentIndex());
  const HeatAxes& axes = heatAxes()[chosen];
  if (chosen == 0) {
    m_microbatches.withdraw();
    m_model.setConfigurations(passing(m_found->answer.configurations), axes);
    m_model.setStale(m_stale);
  } else {
    if (m_found->isComplete) {
      m_microbatches.ask(tr("Comparing microbatches"),
                         {m_found->unfiltered ? m_found->unfiltered : m_found, m_filter != PlanFilter()});
    }
    if (const auto rows = m_microbatches.answer()) m_model.setConfigurations(passing(*rows), axes);
    m_model.setStale(m_stale || !m_microbatches.isCurrent());
  }
  markShown();
}

void HeatPage::markShown() {
  const QScopedValueRollback syncing(m_syncing, true);
  const QModelIndex wanted = m_shown ? m_model.indexOf(*m_shown) : QModelIndex();
  if (wanted != m_table->currentIndex()) m_table->setCurrentIndex(wanted);
}

}  // namespace p2::views
