// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/next_steps_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/common/panel.h"
#include "views/common/theme.h"

namespace p2::views {

NextStepsPanel::NextStepsPanel(QWidget* parent)
    : QWidget(parent),
      m_model(new NextStepsModel(this)),
      m_table(new QTableView),
      m_place(new QLabel),
      m_about(new QLabel),
      m_anyway(new QPushButton(tr("&Add it anyway"))) {
  named(m_table, "nextSteps", tr("Steps that can follow"));
  m_table->setModel(m_model);
  m_table->setMouseTracking(true);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setTabKeyNavigation(false);
  m_table->setIconSize({52, 20});
  m_table->setFrameShape(QFrame::NoFrame);
  m_table->setShowGrid(false);
  m_table->setSizeAdjustPolicy(QAbstractItemView::AdjustToContents);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setHighlightSections(true);
  m_table->viewport()->installEventFilter(this);
  m_table->installEventFilter(this);
  wrapped(named(m_about, "aboutStep"));
  m_about->setTextFormat(Qt::PlainText);
  m_about->setMinimumHeight(3 * m_about->fontMetrics().lineSpacing());
  m_about->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  named(m_anyway, "doItAnyway", {}, tr("Add the step to see where it fails"));
  m_anyway->setEnabled(false);

  auto* beneath = new QHBoxLayout;
  beneath->addWidget(m_about, 1);
  beneath->addWidget(m_anyway, 0, Qt::AlignTop);
  auto* layout = bareLayout<QVBoxLayout>(this, 4);
  m_place->setObjectName("nextStepsPlace");
  layout->addWidget(m_place);
  layout->addWidget(m_table, 1);
  layout->addLayout(beneath);
  connect(m_table, &QTableView::entered, this, &NextStepsPanel::describe);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &NextStepsPanel::describe);
  connect(m_table, &QTableView::clicked, this, &NextStepsPanel::take);
  connect(m_anyway, &QPushButton::clicked, this, [this] {
    if (const auto choice = m_model->choiceAt(m_table->currentIndex())) {
      emit added(m_model->composing()->all.next.steps[*choice].instruction);
    }
  });
}

void NextStepsPanel::show(std::shared_ptr<const Composing> composing) {
  m_model->show(std::move(composing));
  fitColumns();
  // The steps often arrive after the panel is opened.
  const QModelIndex current = m_table->currentIndex();
  if (m_begun && (!current.isValid() || *m_begun == std::pair(current.row(), current.column()))) chooseFirst();
  describe(m_table->currentIndex());
}

void NextStepsPanel::setPlace(const QString& text) { m_place->setText(text); }

// Headers leave no room for the bold letters of the column where one is.
void NextStepsPanel::fitColumns() {
  QHeaderView& header = *m_table->horizontalHeader();
  QFont bold = header.font();
  bold.setBold(true);
  for (int column = 0; column < m_model->columnCount(); ++column) {
    const QString name = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    const int more = QFontMetrics(bold).horizontalAdvance(name) - header.fontMetrics().horizontalAdvance(name);
    m_table->resizeColumnToContents(column);
    header.resizeSection(column, std::max(header.sectionSize(column), header.sectionSizeHint(column) + more));
  }
}

void NextStepsPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) fitColumns();
}

void NextStepsPanel::chooseFirst() {
  QModelIndex first = m_model->index(0, 0);
  for (int row = m_model->rowCount(); row-- > 0;) {
    for (int column = m_model->columnCount(); column-- > 0;) {
      const auto kind = m_model->kindOf(*m_model->choiceAt(m_model->index(row, column)));
      if (kind == NextStepsModel::Kind::Possible || kind == NextStepsModel::Kind::Goal) {
        first = m_model->index(row, column);
      }
    }
  }
  m_table->setCurrentIndex(first);
  m_begun = {first.row(), first.column()};
}

void NextStepsPanel::begin() {
  chooseFirst();
  m_table->setFocus();
}

void NextStepsPanel::describe(const QModelIndex& index) {
  const auto choice = m_model->choiceAt(index);
  m_about->setText(choice ? choiceText(*m_model->composing(), *choice) : QString());
  const auto current = m_model->choiceAt(m_table->currentIndex());
  m_anyway->setEnabled(current && m_model->composing() && !m_model->composing()->all.next.steps[*current].runs());
  if (!choice || !isVisible()) return emit previewed({});
  const Composing& composing = *m_model->composing();
  emit previewed(composing.hierarchy->groups(composing.all.next.steps[*choice].instruction.pattern));
}

void NextStepsPanel::take(const QModelIndex& index) {
  const auto choice = m_model->choiceAt(index);
  if (!choice) return;
  m_begun.reset();
  const NextStep& step = m_model->composing()->all.next.steps[*choice];
  if (step.runs()) emit added(step.instruction);
}

bool NextStepsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_table->viewport() && event->type() == QEvent::Leave) describe(m_table->currentIndex());
  // Before the window takes Esc for the way back.
  if (watched == m_table && event->type() == QEvent::ShortcutOverride &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    event->accept();
    return true;
  }
  if (watched == m_table && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) {
      take(m_table->currentIndex());
      return true;
    }
    if (key == Qt::Key_Escape) {
      emit closed();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void NextStepsPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  emit previewed({});
}

}  // namespace p2::views
