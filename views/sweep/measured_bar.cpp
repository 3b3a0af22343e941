// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/measured_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <algorithm>
#include <utility>

#include "explore/sweep.h"
#include "views/accuracy/accuracy_mark.h"
#include "views/accuracy/model_quality.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr int kLeastRows = 3;  // fewest rows of a table that is shown by default

}  // namespace

MeasuredBar::MeasuredBar(Session& session, QWidget* parent)
    : QWidget(parent),
      m_choice(new QComboBox),
      m_nothing(new QLabel),
      m_tables(session.jobs(), [](const System& system, const std::stop_token&, const Progress&) -> Result<Tables> {
        return measuredAllReduces(system);
      }) {
  auto* caption = new QLabel(tr("Meas&ured"));
  caption->setBuddy(m_choice);
  named(m_choice, "measuredTable", tr("Measured"),
        tr("Public measurements of the AllReduce on machines like this one, as crosses (Alt+U)"));
  m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_choice->setMinimumContentsLength(24);
  m_nothing->setObjectName("measuredNothing");
  m_nothing->setForegroundRole(QPalette::PlaceholderText);
  auto* layout = bareLayout<QHBoxLayout>(this, Theme::kGrid);
  layout->addWidget(caption);
  layout->addWidget(m_choice, 1);
  layout->addWidget(m_nothing, 1);
  auto* mark = new AccuracyMark(session, AccuracyMark::Of::Machine);
  mark->setObjectName("qualityButton");
  layout->addWidget(mark);
  connect(m_choice, &QComboBox::currentIndexChanged, this, &MeasuredBar::tableChanged);
  connect(&m_tables, &DerivedBase::changed, this, &MeasuredBar::follow);
  m_choice->hide();
  m_nothing->hide();
}

void MeasuredBar::setQuestion(const System& system, const Goal& goal, std::int64_t members) {
  const bool isMeasured = goal == kAllReduceGoal;
  bool isOther = std::exchange(m_members, members) != members;
  isOther = std::exchange(m_isMeasured, isMeasured) != isMeasured || isOther;
  m_tables.ask(tr("Looking for measurements"), system);
  if (isOther && m_tables.current()) follow();
}

// Measurements of sixteen devices say nothing about four.
bool MeasuredBar::isOfMembers(const AtlasTable& table) const {
  return std::int64_t(table.nodes) * table.gpusPerNode == m_members;
}

void MeasuredBar::follow() {
  auto tables = m_tables.current();
  if (!tables) return;
  if (!m_isMeasured) tables = std::make_shared<const Tables>();
  {
    const QSignalBlocker quiet(m_choice);
    m_choice->clear();
    for (const AtlasTable* table : *tables) {
      m_choice->addItem(tableTitle(*table));
      m_choice->setItemData(m_choice->count() - 1, tableSource(*table), Qt::ToolTipRole);
    }
    m_choice->addItem(tr("no measurements"));
    // The closest of those that have something to show in the range that one begins with.
    const auto first = std::find_if(tables->begin(), tables->end(), [this](const AtlasTable* table) {
      const SweepRange standard;
      return isOfMembers(*table) && std::count_if(table->rows.begin(), table->rows.end(), [&](const AtlasRow& row) {
                                      return row.bytes >= standard.from && row.bytes <= standard.to;
                                    }) >= kLeastRows;
    });
    m_choice->setCurrentIndex(int(first - tables->begin()));
  }
  m_choice->setVisible(!tables->empty());
  m_nothing->setText(m_isMeasured ? tr("No published measurements for this machine.")
                                  : tr("The published measurements are of AllReduce alone."));
  m_nothing->setVisible(tables->empty());
  emit tableChanged();
}

const AtlasTable* MeasuredBar::table() const {
  const auto tables = m_tables.current();
  const int chosen = m_choice->currentIndex();
  return tables && m_isMeasured && chosen >= 0 && chosen < int(tables->size()) ? (*tables)[std::size_t(chosen)]
                                                                               : nullptr;
}

QString MeasuredBar::title() const {
  const AtlasTable* shown = table();
  if (shown == nullptr) return {};
  const QString source = qs(shown->source);
  return tr("measured: %1").arg(tableTitle(*shown)) + (source.isEmpty() ? QString() : " · " + source);
}

}  // namespace p2::views
