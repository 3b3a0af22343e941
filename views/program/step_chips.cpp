// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/step_chips.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <algorithm>

#include "views/common/theme.h"

namespace p2::views {

StepChip::StepChip(int step, const QString& text, QWidget* parent)
    : QFrame(parent), m_text(text), m_remove(new QToolButton(this)) {
  setObjectName(QString("chip%1").arg(step + 1));
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Step %1: %2").arg(step + 1).arg(text));
  setCursor(Qt::OpenHandCursor);
  m_remove->setText("×");
  m_remove->setObjectName(QString("removeChip%1").arg(step + 1));
  m_remove->setAutoRaise(true);
  m_remove->setCursor(Qt::ArrowCursor);
  m_remove->setFocusPolicy(Qt::TabFocus);
  m_remove->setToolTip(tr("Remove this step (Delete)"));
  m_remove->setAccessibleName(tr("Remove step %1").arg(step + 1));
  connect(m_remove, &QToolButton::clicked, this, &StepChip::removed);
}

void StepChip::setState(State state, const QString& reason) {
  m_state = state;
  const QString moves = tr("Drag or Ctrl+←/→ to move, Delete to remove");
  setToolTip(reason.isEmpty() ? moves : reason + "\n" + moves);
  setAccessibleDescription(reason);
  update();
}

QSize StepChip::sizeHint() const {
  const QSize text = fontMetrics().size(Qt::TextSingleLine, "✗ " + m_text);
  return {text.width() + m_remove->sizeHint().width() + 2 * Theme::kGrid,
          std::max(text.height(), m_remove->sizeHint().height()) + 6};
}

void StepChip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool wrong = m_state == State::Wrong;
  const bool chosen = m_state == State::Chosen;
  const QColor edge = wrong ? Theme::bad() : chosen || hasFocus() ? Theme::accent() : Theme::line();
  painter.setPen(QPen(edge, hasFocus() ? 2 : 1, m_state == State::NotReached ? Qt::DashLine : Qt::SolidLine));
  painter.setBrush(chosen ? Theme::tint() : Theme::surface());
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
  const QSize cross = m_remove->sizeHint();
  m_remove->setGeometry(width() - cross.width() - 3, (height() - cross.height()) / 2, cross.width(), cross.height());
  painter.setPen(wrong ? Theme::bad() : m_state == State::NotReached ? Theme::mutedText() : Theme::text());
  painter.drawText(rect().adjusted(Theme::kGrid, 0, -cross.width() - 4, 0), Qt::AlignVCenter | Qt::AlignLeft,
                   wrong ? "✗ " + m_text : m_text);
}

void StepChip::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QFrame::mousePressEvent(event);
  m_pressedAt = event->position().toPoint();
  m_dragging = false;
}

void StepChip::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return;
  const QPoint by = event->position().toPoint() - m_pressedAt;
  if (!m_dragging && by.manhattanLength() < QApplication::startDragDistance()) return;
  m_dragging = true;
  raise();
  move(pos() + by);
}

void StepChip::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QFrame::mouseReleaseEvent(event);
  if (m_dragging) {
    m_dragging = false;
    emit dropped();
  } else if (rect().contains(event->position().toPoint())) {
    emit chosen();
  }
}

void StepChip::keyPressEvent(QKeyEvent* event) {
  const bool ctrl = event->modifiers() & Qt::ControlModifier;
  switch (event->key()) {
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      return emit removed();
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      return emit chosen();
    case Qt::Key_Left:
      if (ctrl) return emit movedBy(-1);
      break;
    case Qt::Key_Right:
      if (ctrl) return emit movedBy(1);
      break;
    default:
      break;
  }
  QFrame::keyPressEvent(event);
}

void StepChip::focusInEvent(QFocusEvent* event) {
  QFrame::focusInEvent(event);
  update();
}

void StepChip::focusOutEvent(QFocusEvent* event) {
  QFrame::focusOutEvent(event);
  update();
}

StepChips::StepChips(QWidget* parent) : QWidget(parent), m_add(new QToolButton(this)), m_new(new QToolButton(this)) {
  m_add->setObjectName("addStep");
  m_add->setText("+");
  m_add->setCheckable(true);
  m_add->setFocusPolicy(Qt::StrongFocus);
  m_add->setToolTip(tr("Add a step after the one that is shown"));
  m_add->setAccessibleName(tr("Add a step"));
  m_new->setObjectName("newProgram");
  m_new->setText(tr("New"));
  m_new->setFocusPolicy(Qt::StrongFocus);
  m_new->setToolTip(tr("New program: start without steps (Ctrl+Z brings this one back)"));
  m_new->setAccessibleName(tr("New program"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void StepChips::show(const QStringList& steps, int valid, const QString& reason) {
  m_valid = valid;
  m_reason = reason;
  if (steps != m_steps) {
    const bool hadFocus = std::any_of(m_chips.begin(), m_chips.end(), [](auto* chip) { return chip->hasFocus(); });
    m_steps = steps;
    for (StepChip* chip : m_chips) {
      // It may be the one that has just asked for this.
      chip->hide();
      chip->setObjectName({});
      for (QWidget* part : chip->findChildren<QWidget*>()) part->setObjectName({});
      chip->deleteLater();
    }
    m_chips.clear();
    for (int step = 0; step < int(steps.size()); ++step) {
      auto* chip = new StepChip(step, steps[step], this);
      connect(chip, &StepChip::chosen, this, [this, step] { emit stepChosen(step); });
      connect(chip, &StepChip::removed, this, [this, step] {
        m_focusAfter = std::max(0, step - 1);
        emit stepRemoved(step);
      });
      connect(chip, &StepChip::movedBy, this, [this, step](int by) {
        const int to = std::clamp(step + by, 0, int(m_steps.size()) - 1);
        m_focusAfter = to;
        if (to != step) emit stepMoved(step, to);
      });
      connect(chip, &StepChip::dropped, this, [this, step] { drop(step); });
      chip->show();
      m_chips.push_back(chip);
    }
    QWidget* before = nullptr;
    for (StepChip* chip : m_chips) {
      if (before != nullptr) setTabOrder(before, chip);
      before = chip;
    }
    if (before != nullptr) setTabOrder(before, m_add);
    setTabOrder(m_add, m_new);
    if (hadFocus && m_focusAfter >= 0 && m_focusAfter < int(m_chips.size())) {
      m_chips[std::size_t(m_focusAfter)]->setFocus();
    } else if (hadFocus) {
      m_add->setFocus();
    }
    m_focusAfter = -1;
    layOut(width(), true);
    updateGeometry();
  }
  m_new->setEnabled(!m_steps.isEmpty());
  refreshStates();
}

void StepChips::setChosen(int step) {
  if (m_chosen == step) return;
  m_chosen = step;
  refreshStates();
}

void StepChips::refreshStates() {
  for (int step = 0; step < int(m_chips.size()); ++step) {
    StepChip::State state = step < m_valid ? StepChip::State::Done : StepChip::State::NotReached;
    if (step == m_chosen && step < m_valid) state = StepChip::State::Chosen;
    if (step == m_valid) state = StepChip::State::Wrong;
    m_chips[std::size_t(step)]->setState(state, step == m_valid ? m_reason : QString());
  }
}

// The drop position: behind every chip whose centre is to the left in the same row, or in a row above.
int StepChips::placeOf(int step) const {
  const QRect own = m_chips[std::size_t(step)]->geometry();
  int place = 0;
  for (int other = 0; other < int(m_chips.size()); ++other) {
    if (other == step) continue;
    const QRect geometry = m_chips[std::size_t(other)]->geometry();
    const bool above = geometry.bottom() < own.center().y();
    const bool sameRow = !above && geometry.top() <= own.center().y();
    if (above || (sameRow && geometry.center().x() < own.center().x())) ++place;
  }
  return place;
}

void StepChips::drop(int step) {
  const int to = placeOf(step);
  m_focusAfter = to;
  if (to != step) return emit stepMoved(step, to);
  layOut(width(), true);
}

int StepChips::layOut(int width, bool apply) const {
  int x = 0;
  int y = 0;
  int rowHeight = 0;
  const auto place = [&](QWidget* widget) {
    const QSize size = widget->sizeHint().boundedTo({std::max(width, 1), 10'000});
    if (x > 0 && x + size.width() > width) {
      x = 0;
      y += rowHeight + 4;
      rowHeight = 0;
    }
    rowHeight = std::max(rowHeight, size.height());
    if (apply) widget->setGeometry(x, y, size.width(), size.height());
    x += size.width() + Theme::kGrid;
  };
  for (StepChip* chip : m_chips) place(chip);
  place(m_add);
  place(m_new);
  return y + rowHeight;
}

int StepChips::heightForWidth(int width) const { return layOut(width, false); }
QSize StepChips::sizeHint() const { return {600, layOut(std::max(width(), 200), false)}; }
QSize StepChips::minimumSizeHint() const { return {160, layOut(std::max(width(), 200), false)}; }

void StepChips::resizeEvent(QResizeEvent*) {
  layOut(width(), true);
  updateGeometry();
}

bool StepChips::event(QEvent* event) {
  const bool handled = QWidget::event(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
    layOut(width(), true);
    updateGeometry();
  }
  return handled;
}

}  // namespace p2::views
