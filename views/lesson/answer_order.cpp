// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the answers in which items are put in order.
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/lesson/answer_pane.h"

namespace p2::views {

QWidget* AnswerPane::makeOrder() {
  auto* page = new QWidget;
  m_order = new QListWidget;
  named(m_order, "answerOrder", tr("Items to be put in order, the first on top"));
  m_order->setToolTip(tr("Drag an item to its place, or move it with Ctrl+Up and Ctrl+Down; Enter checks"));
  m_order->setDragDropMode(QAbstractItemView::InternalMove);
  m_order->setDefaultDropAction(Qt::MoveAction);
  m_order->setTabKeyNavigation(false);
  m_order->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  m_order->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
  auto* buttons = new QHBoxLayout;
  const auto add = [&](const char* name, const QString& text, const QKeySequence& key, int by) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tr("Move the chosen item (%1)").arg(key.toString(QKeySequence::NativeText)));
    button->setAutoDefault(false);
    connect(new QShortcut(key, m_order, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated, this,
            [this, by] { moveItem(by); });
    connect(button, &QPushButton::clicked, this, [this, by] { moveItem(by); });
    buttons->addWidget(button);
  };
  add("itemUpButton", tr("&Up"), QKeySequence(Qt::CTRL | Qt::Key_Up), -1);
  add("itemDownButton", tr("&Down"), QKeySequence(Qt::CTRL | Qt::Key_Down), 1);
  buttons->addStretch();
  auto* layout = bareLayout<QVBoxLayout>(page, Theme::kGrid / 2);
  layout->addWidget(m_order);
  layout->addLayout(buttons);
  connect(m_order->model(), &QAbstractItemModel::rowsMoved, this, &AnswerPane::edited);
  connect(m_order, &QListWidget::itemActivated, this, &AnswerPane::answered);
  return page;
}

void AnswerPane::moveItem(int by) {
  const int row = m_order->currentRow();
  const int to = row + by;
  if (row < 0 || to < 0 || to >= m_order->count()) return;
  m_order->insertItem(to, m_order->takeItem(row));
  m_order->setCurrentRow(to);
  emit edited();
}

void AnswerPane::fillOrder(const std::vector<std::size_t>& order) {
  m_order->clear();
  for (const std::size_t place : order) {
    auto* item = new QListWidgetItem(qs(m_items.items[place]));
    item->setData(Qt::UserRole, QVariant::fromValue(qulonglong(place)));
    m_order->addItem(item);
  }
  m_order->setCurrentRow(0);
  m_order->setMinimumHeight(m_order->count() * (m_order->fontMetrics().lineSpacing() + Theme::kGrid));
}

}  // namespace p2::views
