// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

namespace p2::views {

/// Owns a view that must go before the models it shows: the end of a model would reach the view as a change of
/// selection, and an open editor would commit to a model that is gone. Declare it as a member below its models; members
/// are destroyed in reverse order. `View` must be a complete type where the member's class is declared.
template <class View>
class OwnedView {
 public:
  OwnedView() = default;
  OwnedView(View* view) : m_view(view) {}
  OwnedView(const OwnedView&) = delete;
  OwnedView& operator=(const OwnedView&) = delete;
  ~OwnedView() { delete m_view.data(); }

  OwnedView& operator=(View* view) {
    m_view = view;
    return *this;
  }
  operator View*() const { return m_view; }
  View* operator->() const { return m_view; }
  View& operator*() const { return *m_view; }

 private:
  QPointer<View> m_view;
};

/// Hides a window before its other members go: a field that then loses the focus still has its reader. Declare it as the
/// last member.
class HiddenFirst {
 public:
  explicit HiddenFirst(QWidget& window) : m_window(window) {}
  HiddenFirst(const HiddenFirst&) = delete;
  HiddenFirst& operator=(const HiddenFirst&) = delete;
  ~HiddenFirst() { m_window.hide(); }

 private:
  QWidget& m_window;
};

}  // namespace p2::views
