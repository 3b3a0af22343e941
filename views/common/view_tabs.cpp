// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/view_tabs.h"

#include <QAction>
#include <QSettings>

namespace p2::views {

ViewTabs::ViewTabs(const QString& name, const QString& accessible, QString key, std::vector<ViewTab> tabs,
                   QWidget* parent)
    : QTabBar(parent), m_key(std::move(key)), m_tabs(std::move(tabs)) {
  setObjectName(name);
  setAccessibleName(accessible);
  setDrawBase(false);
  setExpanding(false);
  const QString remembered = QSettings().value(m_key).toString();
  int first = 0;
  for (int view = 0; view < int(m_tabs.size()); ++view) {
    const ViewTab& tab = m_tabs[std::size_t(view)];
    auto* action = new QAction(tab.text, this);
    action->setObjectName(tab.action);
    action->setShortcut(QKeySequence(int(Qt::ALT) | (Qt::Key_1 + view)));
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, [this, view] { setCurrentIndex(view); });
    m_actions.append(action);
    addTab(tab.text);
    setTabToolTip(view, tr("%1 (%2)").arg(tab.toolTip, action->shortcut().toString(QKeySequence::NativeText)));
    if (remembered == QLatin1String(tab.setting)) first = view;
  }
  setCurrentIndex(first);
  connect(this, &QTabBar::currentChanged, this,
          [this](int view) { QSettings().setValue(m_key, QLatin1String(m_tabs[std::size_t(view)].setting)); });
}

}  // namespace p2::views
