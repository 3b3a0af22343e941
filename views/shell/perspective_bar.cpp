// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/perspective_bar.h"

#include <QActionGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/panel.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

// Of icons, in pixels; the smaller one where the window is very low.
constexpr int kIcon = 3 * Theme::kGrid;
constexpr int kSmallIcon = 2 * Theme::kGrid;
constexpr int kFewest = 8;              // buttons that are shown in the lowest window, "More" included
constexpr double kMostOfWindow = 0.42;  // share of the width for a strip with names

/// Between buttons with icons of this size.
int spacingOf(int icon) { return icon == kSmallIcon ? 1 : Theme::kGrid / 2; }
int marginOf(int icon) { return icon == kSmallIcon ? 2 : Theme::kGrid; }

void dress(QToolButton* button) {
  button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  button->setIconSize({kIcon, kIcon});
  button->setAutoRaise(true);
}

/// As narrow as its icons: the window can then become narrow, and the names go.
class Strip : public QWidget {
 public:
  using QWidget::QWidget;
  [[nodiscard]] QSize minimumSizeHint() const override {
    int buttons = 0;
    for (const auto* button : findChildren<QToolButton*>()) buttons += button->isHidden() ? 0 : 1;
    return {buttons * (kIcon + Theme::kGrid), QWidget::minimumSizeHint().height()};
  }
};

}  // namespace

PerspectiveBar::PerspectiveBar(QWidget* parent)
    : QFrame(parent),
      m_group(new QActionGroup(this)),
      m_layout(new QVBoxLayout(this)),
      m_sample(new QToolButton(this)),
      m_more(makeButton("morePages")),
      m_moreMenu(new QMenu(m_more)),
      m_strip(new Strip(this)) {
  setObjectName("perspectiveBar");
  setAccessibleName(tr("Perspectives"));
  m_layout->setContentsMargins(0, Theme::kGrid, 0, Theme::kGrid);
  m_layout->setSpacing(Theme::kGrid / 2);
  m_layout->addStretch(1);
  dress(m_sample);
  m_sample->hide();
  buildMore();
  named(m_strip, "pageStrip", tr("Pages of this group"));
  bareLayout<QHBoxLayout>(m_strip, Theme::kGrid / 2);
  m_strip->hide();
}

void PerspectiveBar::buildMore() {
  dress(m_more);
  m_more->setText(tr("More"));
  m_more->setIcon(Theme::icon("more"));
  m_more->setToolTip(tr("More pages"));
  m_more->setCheckable(true);
  m_more->setAccessibleName(tr("More pages"));
  m_more->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_more->setPopupMode(QToolButton::InstantPopup);
  m_moreMenu->setObjectName("morePagesMenu");
  m_more->setMenu(m_moreMenu);
  // A click checks the button; only a page does.
  connect(m_more, &QToolButton::clicked, this, &PerspectiveBar::checkMore);
  m_layout->insertWidget(0, m_more);
  m_more->hide();
}

QAction* PerspectiveBar::makeAction(const PerspectiveFace& face, const QString& key) {
  auto* action = new QAction(Theme::icon(face.icon), face.title, m_group);
  action->setObjectName("show-" + face.id);
  action->setCheckable(true);
  action->setToolTip(face.title);
  if (!key.isEmpty()) {
    action->setShortcut(QKeySequence(key));
    action->setToolTip(tr("%1 (%2)").arg(face.title, action->shortcut().toString(QKeySequence::NativeText)));
  }
  return action;
}

QToolButton* PerspectiveBar::makeButton(const QString& name) {
  auto* button = new QToolButton;
  button->setObjectName(name);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

void PerspectiveBar::insertButton(QToolButton* button, bool first, bool separated) {
  dress(button);
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_sample->setIcon(button->icon());
  m_sample->setText(button->text());
  if (separated) {
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setForegroundRole(QPalette::Mid);
    m_layout->insertWidget(m_layout->indexOf(m_more), line);
    m_lines.push_back(line);
  }
  m_layout->insertWidget(first ? 0 : m_layout->indexOf(m_more), button);
  m_buttons.insert(first ? 0 : m_buttons.size(), button);
  for (int i = 1; i < m_buttons.size(); ++i) setTabOrder(m_buttons[i - 1], m_buttons[i]);
  setTabOrder(m_buttons.back(), m_more);
}

void PerspectiveBar::addGroup(const PerspectiveFace& group, bool separated) {
  QToolButton* button = makeButton("group-" + group.id);
  button->setIcon(Theme::icon(group.icon));
  button->setText(group.title);
  button->setToolTip(group.title);
  button->setCheckable(true);
  // Its interface for screen readers is made now, which knows by then that it can be checked.
  button->setAccessibleName(group.title);
  insertButton(button, false, separated);
  const auto at = m_groups.size();
  m_groups.push_back({group.id, button, {}, -1});
  connect(button, &QToolButton::clicked, this, [this, at] {
    const Group& own = m_groups[at];
    own.button->setChecked(own.last >= 0 && own.pages.contains(int(pageActions().indexOf(m_group->checkedAction()))));
    if (!own.pages.isEmpty()) emit pageWanted(own.last >= 0 ? own.last : own.pages.front());
  });
}

void PerspectiveBar::add(const PerspectiveFace& face, const PagePlace& place) {
  const int page = int(pageActions().size());
  QAction* action = makeAction(face, place.key);
  connect(action, &QAction::triggered, this, [this, page] { emit pageWanted(page); });
  QToolButton* button = makeButton("perspective-" + face.id);
  button->setDefaultAction(action);
  button->setAccessibleName(face.title);
  const auto group =
      std::find_if(m_groups.begin(), m_groups.end(), [&](const Group& each) { return each.id == place.group; });
  if (group == m_groups.end()) {
    // The start page is on top, regardless of its number.
    insertButton(button, face.id == kStartPage, place.separated);
    m_stripButtons.push_back(nullptr);
    return;
  }
  group->pages.push_back(page);
  button->setAutoRaise(true);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_strip->layout()->addWidget(button);
  m_stripButtons.push_back(button);
}

int PerspectiveBar::heightOf(int buttons, Qt::ToolButtonStyle style, int icon) const {
  m_sample->setToolButtonStyle(style);
  m_sample->setIconSize({icon, icon});
  const int spacing = spacingOf(icon);
  const int each = m_sample->sizeHint().height() + spacing;
  const int lines = style == Qt::ToolButtonIconOnly ? 0 : int(m_lines.size()) * (spacing + 2);
  return 2 * marginOf(icon) + buttons * each + lines;
}

QSize PerspectiveBar::minimumSizeHint() const {
  const int buttons = std::min(kFewest, int(m_buttons.size()));
  return {QFrame::minimumSizeHint().width(), heightOf(buttons, Qt::ToolButtonIconOnly, kSmallIcon)};
}

void PerspectiveBar::setNarrow(bool narrow) {
  m_narrow = narrow;
  chooseStyle();
}

void PerspectiveBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  chooseStyle();
}

void PerspectiveBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::FontChange) chooseStyle();
}

/// False if the names of the strip would take the chain its room.
bool PerspectiveBar::stripHasRoom() const {
  int names = 0;
  for (const QToolButton* button : m_stripButtons) {
    if (button != nullptr) names += fontMetrics().horizontalAdvance(button->text()) + 2 * kIcon;
  }
  return names <= kMostOfWindow * window()->width();
}

void PerspectiveBar::chooseStyle() {
  const int all = int(m_buttons.size());
  const bool names = !m_narrow && height() >= heightOf(all, Qt::ToolButtonTextUnderIcon, kIcon);
  const int icon = names || height() >= heightOf(all, Qt::ToolButtonIconOnly, kIcon) ? kIcon : kSmallIcon;
  const auto style = names ? Qt::ToolButtonTextUnderIcon : Qt::ToolButtonIconOnly;
  for (QToolButton* button : m_buttons + QList{m_more}) {
    button->setToolButtonStyle(style);
    button->setIconSize({icon, icon});
  }
  int shown = all;
  while (shown > 0 && height() < heightOf(shown + (shown < all ? 1 : 0), style, icon)) --shown;
  foldAfter(shown);
  for (QFrame* line : m_lines) line->setVisible(names);
  m_layout->setSpacing(spacingOf(icon));
  m_layout->setContentsMargins(0, marginOf(icon), 0, marginOf(icon));
  const auto strip = m_narrow || !stripHasRoom() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon;
  for (QToolButton* button : m_stripButtons) {
    if (button != nullptr) button->setToolButtonStyle(strip);
  }
}

void PerspectiveBar::foldAfter(int shown) {
  // The button that has the focus may go.
  const bool hadFocus =
      std::any_of(m_buttons.begin() + shown, m_buttons.end(), [](auto* each) { return each->hasFocus(); });
  for (int i = 0; i < m_buttons.size(); ++i) m_buttons[i]->setVisible(i < shown);
  m_more->setVisible(shown < m_buttons.size());
  if (hadFocus) m_more->setFocus();
  fillMore();
  checkMore();
}

void PerspectiveBar::fillMore() {
  m_moreMenu->clear();
  const QList<QAction*> actions = pageActions();
  for (const QToolButton* button : m_buttons) {
    if (!button->isHidden()) continue;
    const auto group =
        std::find_if(m_groups.begin(), m_groups.end(), [&](const Group& each) { return each.button == button; });
    if (group == m_groups.end()) {
      m_moreMenu->addAction(button->defaultAction());
    } else {
      for (const int page : group->pages) m_moreMenu->addAction(actions[page]);
    }
  }
}

void PerspectiveBar::checkMore() { m_more->setChecked(m_moreMenu->actions().contains(m_group->checkedAction())); }

void PerspectiveBar::setCurrent(int page) {
  pageActions().at(page)->setChecked(true);
  bool grouped = false;
  for (Group& group : m_groups) {
    const bool current = group.pages.contains(page);
    group.button->setChecked(current);
    if (current) group.last = page;
    grouped |= current && group.pages.size() > 1;
    for (const int each : group.pages) m_stripButtons[each]->setVisible(current);
  }
  m_strip->setVisible(grouped);
  checkMore();
}

QList<QAction*> PerspectiveBar::pageActions() const { return m_group->actions(); }

}  // namespace p2::views
