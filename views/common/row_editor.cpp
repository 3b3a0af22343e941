// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/row_editor.h"

#include <QAction>
#include <QHBoxLayout>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/cell_delegate.h"
#include "views/common/draft_table_model.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

/// Tab moves to the next cell and edits it, if it still exists: listeners to the move may rebuild the table.
class CellTable : public QTableView {
 protected:
  void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override {
    const bool on = hint == QAbstractItemDelegate::EditNextItem;
    if (!on && hint != QAbstractItemDelegate::EditPreviousItem) {
      QTableView::closeEditor(editor, hint);
      return;
    }
    QTableView::closeEditor(editor, QAbstractItemDelegate::NoHint);
    const QPersistentModelIndex next = moveCursor(on ? MoveNext : MovePrevious, Qt::NoModifier);
    if (!next.isValid()) return;
    setCurrentIndex(next);
    if (next.isValid() && next.flags().testFlag(Qt::ItemIsEditable)) edit(next);
  }
};

}  // namespace

RowEditor::RowEditor(const QString& name, const QString& noun, DraftTableModel& model, int stretched, QWidget* parent)
    : QWidget(parent), m_model(model) {
  makeTable(name, stretched);
  makeActions(name, noun);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(Theme::kGrid / 2);
  for (QAction* action : m_actions) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setObjectName(action->objectName() + QStringLiteral("Button"));
    button->setAccessibleName(action->toolTip());
    button->setFocusPolicy(Qt::TabFocus);
    buttons->addWidget(button);
  }
  buttons->addStretch();

  m_problem = new InlineMessage;
  m_problem->setObjectName(name + QStringLiteral("Problem"));
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid / 2);
  layout->addWidget(m_table);
  layout->addLayout(buttons);
  layout->addWidget(m_problem);

  connect(&model, &DraftTableModel::draftsChanged, this, [this] { m_problem->showProblem(m_model.firstProblem()); });
  connect(&model, &QAbstractItemModel::rowsInserted, this, &RowEditor::updateActions);
  connect(&model, &QAbstractItemModel::rowsRemoved, this, &RowEditor::updateActions);
  connect(&model, &QAbstractItemModel::rowsMoved, this, &RowEditor::updateActions);
  connect(&model, &QAbstractItemModel::modelReset, this, &RowEditor::updateActions);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RowEditor::updateActions);
  updateActions();
}

void RowEditor::makeTable(const QString& name, int stretched) {
  m_table = new CellTable;
  m_table->setModel(&m_model);
  m_table->setItemDelegate(new CellDelegate(m_table));
  TableSetup setup;
  setup.name = name + QStringLiteral("Table");
  setup.accessible = tr("Table of the %1").arg(name);
  setup.cells = true;
  setup.stretched = stretched;
  setup.fitted = true;
  setUpTable(*m_table, setup);
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  // As tall as its rows where there is room, so that buttons and messages stand right below them.
  m_table->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  m_table->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Maximum);
}

QAction* RowEditor::addAction(const QString& name, const QString& text, const QString& tip, const QKeySequence& key) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  action->setShortcut(key);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setToolTip(QStringLiteral("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
  QWidget::addAction(action);
  m_table->addAction(action);
  m_actions.append(action);
  return action;
}

void RowEditor::makeActions(const QString& name, const QString& noun) {
  QAction* add = addAction(name + QStringLiteral("Add"), tr("+ Add %1").arg(noun), tr("Add another %1 below").arg(noun),
                           Qt::CTRL | Qt::SHIFT | Qt::Key_N);
  QAction* remove = addAction(name + QStringLiteral("Remove"), tr("− Remove"), tr("Remove this %1").arg(noun),
                              Qt::CTRL | Qt::Key_Delete);
  QAction* up =
      addAction(name + QStringLiteral("Up"), tr("↑ Up"), tr("Move this %1 up").arg(noun), Qt::ALT | Qt::Key_Up);
  QAction* down =
      addAction(name + QStringLiteral("Down"), tr("↓ Down"), tr("Move this %1 down").arg(noun), Qt::ALT | Qt::Key_Down);
  connect(add, &QAction::triggered, this, [this] {
    const int current = m_table->currentIndex().row();
    const int row = m_model.addBelow(current < 0 ? m_model.rowCount({}) - 1 : current);
    m_table->setCurrentIndex(m_model.index(row, 0));
    m_table->setFocus();
  });
  connect(remove, &QAction::triggered, this, [this] { m_model.removeAt(m_table->currentIndex().row()); });
  connect(up, &QAction::triggered, this, [this] { moveCurrent(-1); });
  connect(down, &QAction::triggered, this, [this] { moveCurrent(1); });
}

void RowEditor::moveCurrent(int by) {
  m_model.shift(m_table->currentIndex().row(), by);
  updateActions();
}

void RowEditor::updateActions() {
  const int row = m_table->currentIndex().row();
  const int rows = m_model.rowCount({});
  m_actions[0]->setEnabled(m_model.canAdd());
  m_actions[1]->setEnabled(row >= 0 && m_model.canRemove());
  m_actions[2]->setEnabled(row > 0);
  m_actions[3]->setEnabled(row >= 0 && row + 1 < rows);
}

}  // namespace p2::views
