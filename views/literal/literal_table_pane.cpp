// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/literal/literal_table_pane.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>

#include "views/common/panel.h"
#include "views/common/table.h"

namespace p2::views {

LiteralTablePane::LiteralTablePane(const QString& name, const QString& tip, QWidget* parent)
    : QWidget(parent), m_title(panelTitle({})), m_table(new QTableView) {
  m_title->setObjectName(name + QStringLiteral("Title"));
  m_title->setBuddy(m_table);
  TableSetup setup;
  setup.name = name;
  setup.toolTip = tip;
  setup.linesPerRow = 1;
  setup.fitted = true;
  setUpTable(*m_table, setup);
  m_table->setFrameShape(QFrame::NoFrame);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid / 2, 0, Theme::kGrid / 2);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(m_title);
  layout->addWidget(m_table, 1);
}

void LiteralTablePane::show(QAbstractItemModel* model, const QString& title) {
  if (m_table->model() != model) m_table->setModel(model);
  m_title->setText(title);
  m_table->setAccessibleName(title);
}

void LiteralTablePane::setTextPixels(int pixels) {
  QFont font = m_table->font();
  font.setPixelSize(pixels);
  m_table->setFont(font);
  m_table->horizontalHeader()->setFont(font);
  m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().lineSpacing() + Theme::kGrid);
}

void LiteralTablePane::reveal(int row) {
  QAbstractItemModel& model = *m_table->model();
  while (model.rowCount() <= row && model.canFetchMore({})) model.fetchMore({});
  m_table->scrollTo(model.index(row, 0));
}

}  // namespace p2::views
