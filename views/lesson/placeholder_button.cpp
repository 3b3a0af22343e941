// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/placeholder_button.h"

#include <QMenu>
#include <map>

namespace p2::views {
namespace {

constexpr int kLeastGroup = 3;  // placeholders of one prefix that get a menu of their own

}  // namespace

PlaceholderButton::PlaceholderButton(const char* name, const QString& text, const QString& tip, QWidget* parent)
    : QToolButton(parent) {
  setObjectName(QLatin1String(name));
  setText(text);
  setToolTip(tip);
  setAccessibleName(tip);
  setFocusPolicy(Qt::StrongFocus);
  setPopupMode(QToolButton::InstantPopup);
  setMenu(new QMenu(this));
  connect(menu(), &QMenu::triggered, this, [this](const QAction* action) { emit chosen(action->data().toString()); });
}

void PlaceholderButton::offer(const Placeholders& placeholders, const QString& why) {
  if (m_offered && m_offered->first == placeholders && m_offered->second == why) return;
  m_offered.emplace(placeholders, why);
  // A choice can lead here from within the signal of one of these menus.
  for (QMenu* old : menu()->findChildren<QMenu*>(Qt::FindDirectChildrenOnly)) old->deleteLater();
  menu()->clear();
  const auto groupOf = [](const QString& name) { return name.contains('.') ? name.section('.', 0, 0) : QString(); };
  std::map<QString, int> sizes;
  for (const auto& [name, value] : placeholders) ++sizes[groupOf(name)];
  std::map<QString, QMenu*> groups;
  for (const auto& [name, value] : placeholders) {
    const QString group = groupOf(name);
    QMenu*& to = groups[group];
    if (to == nullptr) to = group.isEmpty() || sizes[group] < kLeastGroup ? menu() : menu()->addMenu(group);
    to->addAction(QStringLiteral("%1\t%2").arg(name, value))->setData(name);
  }
  if (placeholders.empty()) menu()->addAction(why)->setEnabled(false);
}

}  // namespace p2::views
