// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QTest>

#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/widget_driver.h"

namespace p2::test {

/// A view on a session of its own, and its children by name. Tests derive from it what they do there by mouse and keys.
template <class View>
class ViewDesk {
 public:
  explicit ViewDesk(QSize size) : m_size(size) {}

  static void prepare() { views::Theme::apply(views::Theme::Scheme::Light); }
  void setUp() {
    failOnWarnings();
    QSettings().clear();
    m_session = std::make_unique<views::Session>();
    m_view = shown<View>(*m_session, m_size);
    QVERIFY(m_view);
  }
  void clearAway() {
    m_view.reset();
    m_session.reset();
  }
  template <class T>
  T* find(const char* name) {
    return &childOf<T>(*m_view, name);
  }

  std::unique_ptr<views::Session> m_session;
  std::unique_ptr<View> m_view;

 private:
  QSize m_size;
};

}  // namespace p2::test
