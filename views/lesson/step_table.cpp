// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/step_table.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <algorithm>

#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
StepTable::StepTable(QWidget* parent) : QTableWidget(parent) {
  setObjectName(QStringLiteral("stepTable"));
  setAccessibleName(tr("Steps to add: collectives and their groups"));
  setToolTip(tr("Click + to add a step; with the keyboard, arrow keys and Enter"));
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setTabKeyNavigation(false);
  setCornerButtonEnabled(false);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  horizontalHeader()->setDefaultAlignment(Qt::AlignCenter | Qt::Alignment(Qt::TextWordWrap));
  horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  horizontalHeader()->setMinimumSectionSize(1);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSectionsClickable(false);
  verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  verticalHeader()->setHighlightSections(false);
  verticalHeader()->setSectionsClickable(false);
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  connect(this, &QTableWidget::itemClicked, this, &StepTable::choose);
  // Once all columns have their widths.
  connect(horizontalHeader(), &QHeaderView::sectionResized, this, &StepTable::fit, Qt::QueuedConnection);
}

void StepTable::setPage(const PreparedPage& page) {
  clear();
  const SynthesisHierarchy& hierarchy = *page.result().hierarchy;
  const std::vector<GroupPattern> patterns = groupPatterns(hierarchy);
  setVisible(int(patterns.size()) <= kMostColumns);
  std::vector<Collective> collectives;
  for (const Collective each : kCollectives) {
    if (page.exploration->workspace.options.goal.collectives.contains(each)) collectives.push_back(each);
  }
  setRowCount(int(collectives.size()));
  setColumnCount(int(patterns.size()));
  for (int row = 0; row < rowCount(); ++row) {
    const Collective collective = collectives[std::size_t(row)];
    setVerticalHeaderItem(row, new QTableWidgetItem(qs(std::string(nameOf(collective)))));
    for (int column = 0; column < columnCount(); ++column) {
      const GroupPattern& pattern = patterns[std::size_t(column)];
      const Instruction step{pattern, collective};
      const QString words = stepNotation(hierarchy, step);
      auto* item = new QTableWidgetItem(QStringLiteral("+"));
      item->setTextAlignment(Qt::AlignCenter);
      item->setToolTip(tr("Add %1").arg(words));
      item->setData(Qt::AccessibleTextRole, tr("Add %1").arg(words));
      item->setData(Qt::UserRole, qs(programText(hierarchy, {step})));
      setItem(row, column, item);
      if (row == 0) setHorizontalHeaderItem(column, new QTableWidgetItem(groupsText(hierarchy, pattern)));
    }
  }
  // No step looks chosen before one is.
  setCurrentItem(nullptr);
  fit();
}

void StepTable::focusInEvent(QFocusEvent* event) {
  QTableWidget::focusInEvent(event);
  const bool byKey = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  if (byKey && currentItem() == nullptr) setCurrentCell(0, 0);
}

void StepTable::choose(const QTableWidgetItem* item) {
  if (item != nullptr) emit stepChosen(item->data(Qt::UserRole).toString());
}

// The table is as high as its rows and the words above them: the page around it scrolls.
void StepTable::fit() {
  verticalHeader()->ensurePolished();
  const int line = fontMetrics().lineSpacing();
  int words = line;
  for (int column = 0; column < columnCount(); ++column) {
    const QRect room(0, 0, horizontalHeader()->sectionSize(column) - Theme::kGrid, height());
    const QRect text = horizontalHeader()->fontMetrics().boundingRect(
        room, Qt::AlignCenter | Qt::TextWordWrap, model()->headerData(column, Qt::Horizontal).toString());
    words = std::max(words, text.height());
  }
  horizontalHeader()->setFixedHeight(words + Theme::kGrid);
  const int row = rowCount() > 0 ? verticalHeader()->sectionSizeHint(0) : 0;
  verticalHeader()->setDefaultSectionSize(std::max(row, line + Theme::kGrid));
  setFixedHeight(horizontalHeader()->height() + rowCount() * verticalHeader()->defaultSectionSize() + 2 * frameWidth());
}

void StepTable::keyPressEvent(QKeyEvent* event) {
  const bool takes = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
  if (!takes || event->modifiers() != Qt::NoModifier) return QTableWidget::keyPressEvent(event);
  choose(currentItem());
}

void StepTable::changeEvent(QEvent* event) {
  QTableWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) fit();
}

}  // namespace p2::views
