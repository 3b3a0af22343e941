// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/perspective_bar.h"

#include <QActionGroup>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kMostShortcuts = 10;  // there are no more digits

void dress(QToolButton* button) {
  button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  button->setIconSize({3 * Theme::kGrid, 3 * Theme::kGrid});
  button->setAutoRaise(true);
}

}  // namespace

PerspectiveBar::PerspectiveBar(QWidget* parent)
    : QFrame(parent),
      m_group(new QActionGroup(this)),
      m_layout(new QVBoxLayout(this)),
      m_sample(new QToolButton(this)) {
  setObjectName("perspectiveBar");
  setAccessibleName(tr("Perspectives"));
  m_layout->setContentsMargins(0, Theme::kGrid, 0, Theme::kGrid);
  m_layout->setSpacing(Theme::kGrid / 2);
  m_layout->addStretch(1);
  dress(m_sample);
  m_sample->hide();
}

void PerspectiveBar::add(const PerspectiveFace& face) {
  const int page = int(pageActions().size());
  auto* action = new QAction(Theme::icon(face.icon), face.title, m_group);
  action->setObjectName("show-" + face.id);
  action->setCheckable(true);
  action->setToolTip(face.title);
  if (page < kMostShortcuts) {
    const int digit = (page + 1) % kMostShortcuts;
    action->setShortcut(QKeySequence(int(Qt::CTRL) | (Qt::Key_0 + digit)));
    action->setToolTip(tr("%1 (%2)").arg(face.title, action->shortcut().toString(QKeySequence::NativeText)));
  }
  connect(action, &QAction::triggered, this, [this, page] { emit pageWanted(page); });
  m_sample->setIcon(action->icon());
  m_sample->setText(face.title);

  auto* button = new QToolButton;
  button->setObjectName("perspective-" + face.id);
  button->setDefaultAction(action);
  button->setAccessibleName(face.title);
  dress(button);
  button->setFocusPolicy(Qt::TabFocus);
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  // The start page is on top, regardless of its number.
  m_layout->insertWidget(face.id == kStartPage ? 0 : page, button);
  m_buttons.insert(face.id == kStartPage ? 0 : page, button);
  for (int i = 1; i < m_buttons.size(); ++i) setTabOrder(m_buttons[i - 1], m_buttons[i]);
}

int PerspectiveBar::heightOf(Qt::ToolButtonStyle style) const {
  m_sample->setToolButtonStyle(style);
  const int each = m_sample->sizeHint().height() + m_layout->spacing();
  return m_layout->contentsMargins().top() + m_layout->contentsMargins().bottom() + int(m_buttons.size()) * each;
}

QSize PerspectiveBar::minimumSizeHint() const {
  return {QFrame::minimumSizeHint().width(), heightOf(Qt::ToolButtonIconOnly)};
}

void PerspectiveBar::setNarrow(bool narrow) {
  m_narrow = narrow;
  chooseStyle();
}

void PerspectiveBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  chooseStyle();
}

void PerspectiveBar::chooseStyle() {
  const bool names = !m_narrow && height() >= heightOf(Qt::ToolButtonTextUnderIcon);
  const auto style = names ? Qt::ToolButtonTextUnderIcon : Qt::ToolButtonIconOnly;
  for (QToolButton* button : m_buttons) button->setToolButtonStyle(style);
}

void PerspectiveBar::setCurrent(int page) { pageActions().at(page)->setChecked(true); }

QList<QAction*> PerspectiveBar::pageActions() const { return m_group->actions(); }

}  // namespace p2::views
