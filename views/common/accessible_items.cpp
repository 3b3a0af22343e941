// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/accessible_items.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>
#include <QWidget>
#include <map>

namespace p2::views {
namespace {

const AccessibleItems* itemsOf(const QObject* object) { return dynamic_cast<const AccessibleItems*>(object); }

/// One item: it looks everything up when it is asked, so that it is never out of date.
class ItemInterface : public QAccessibleInterface {
 public:
  ItemInterface(QWidget& widget, int index) : m_widget(&widget), m_index(index) {}

  bool isValid() const override { return m_widget && m_index < itemsOf(m_widget)->itemCount(); }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return m_widget ? m_widget->window()->windowHandle() : nullptr; }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_widget); }
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QAccessible::Role role() const override { return QAccessible::ListItem; }
  void setText(QAccessible::Text, const QString&) override {}

  QString text(QAccessible::Text type) const override {
    if (!isValid()) return {};
    const AccessibleItem item = itemsOf(m_widget)->itemAt(m_index);
    if (type == QAccessible::Name) return item.name;
    return type == QAccessible::Value || type == QAccessible::Description ? item.value : QString();
  }
  QRect rect() const override {
    if (!isValid()) return {};
    const QRect own = itemsOf(m_widget)->itemAt(m_index).rect;
    return {m_widget->mapToGlobal(own.topLeft()), own.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    if (!isValid()) {
      state.invalid = true;
      return state;
    }
    state.focusable = true;
    state.focused = m_widget->hasFocus() && itemsOf(m_widget)->focusedItem() == m_index;
    state.invisible = !m_widget->isVisible();
    state.offscreen = !m_widget->rect().intersects(itemsOf(m_widget)->itemAt(m_index).rect);
    return state;
  }

 private:
  QPointer<QWidget> m_widget;
  int m_index;
};

/// The widget, with its items in front of its child widgets.
class ItemsInterface : public QAccessibleWidget {
 public:
  explicit ItemsInterface(QWidget* widget) : QAccessibleWidget(widget, QAccessible::List) {}
  ~ItemsInterface() override {
    for (const auto& [index, id] : m_ids) QAccessible::deleteAccessibleInterface(id);
  }

  int childCount() const override { return itemCount() + QAccessibleWidget::childCount(); }
  QAccessibleInterface* child(int index) const override {
    const int items = itemCount();
    if (index < 0) return nullptr;
    if (index >= items) return QAccessibleWidget::child(index - items);
    const auto known = m_ids.find(index);
    if (known != m_ids.end()) return QAccessible::accessibleInterface(known->second);
    auto* item = new ItemInterface(*widget(), index);
    m_ids.emplace(index, QAccessible::registerAccessibleInterface(item));
    return item;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    for (const auto& [index, id] : m_ids) {
      if (QAccessible::accessibleInterface(id) == child) return index;
    }
    const int own = QAccessibleWidget::indexOfChild(child);
    return own < 0 ? own : own + itemCount();
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    const QPoint at = widget()->mapFromGlobal(QPoint(x, y));
    for (int index = 0; index < itemCount(); ++index) {
      if (itemsOf(widget())->itemAt(index).rect.contains(at)) return child(index);
    }
    return QAccessibleWidget::childAt(x, y);
  }
  QAccessibleInterface* focusChild() const override {
    const int focused = itemsOf(widget())->focusedItem();
    return focused >= 0 && widget()->hasFocus() ? child(focused) : QAccessibleWidget::focusChild();
  }

 private:
  [[nodiscard]] int itemCount() const { return itemsOf(widget())->itemCount(); }

  mutable std::map<int, QAccessible::Id> m_ids;  // the requested items
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
  auto* widget = qobject_cast<QWidget*>(object);
  return widget != nullptr && itemsOf(widget) != nullptr ? new ItemsInterface(widget) : nullptr;
}

}  // namespace

void exposeAccessibleItems(QWidget& widget) {
  static const bool kInstalled = [] {
    QAccessible::installFactory(makeInterface);
    return true;
  }();
  Q_UNUSED(kInstalled);
  // While a base class was under construction, Qt may have made an interface that knows no items. It would look up an
  // item's number among the child widgets, beyond their end.
  auto* made = QAccessible::queryAccessibleInterface(&widget);
  if (made != nullptr && dynamic_cast<ItemsInterface*>(made) == nullptr) {
    QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(made));
  }
}

void tellFocusedItem(QWidget& widget) {
  const int index = itemsOf(&widget)->focusedItem();
  if (index < 0) return;
  QAccessibleEvent focus(&widget, QAccessible::Focus);
  focus.setChild(index);
  QAccessible::updateAccessibility(&focus);
}

// AT-SPI reports changed descriptions, and screen readers speak the one of the focused widget; Windows and macOS speak
// alerts.
void announce(QWidget& widget, const QString& sentence) {
  if (widget.accessibleDescription() == sentence) return;
  widget.setAccessibleDescription(sentence);
  QAccessibleEvent alert(&widget, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

}  // namespace p2::views
