// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/explorer/ui_driver.h"
#include "app/explorer/window_desk.h"
#include "support/warnings.h"

namespace p2::test {

/// The whole window at 1440 × 900 with hands in front of it, for a first use: the base of tests that count actions.
/// Each window has a folder of its own, which goes with it.
class DrivenWindow {
 protected:
  /// A path in the folder of this window, before or after it is opened.
  QString inFolder(const QString& name) {
    if (!m_folder) m_folder = std::make_unique<QTemporaryDir>();
    return m_folder->filePath(name);
  }
  /// Opens the window, on a file where one is named, and waits until it can be used.
  void openWindow(const QString& file = {}) {
    failOnWarnings();
    QSettings().clear();
    m_desk = std::make_unique<WindowDesk>(inFolder({}), file);
    m_desk->window->resize(1440, 900);
    m_driver = std::make_unique<UiDriver>(*m_desk->window);
    QVERIFY(QTest::qWaitForWindowActive(m_desk->window.get()));
    QTRY_VERIFY(m_desk->session.isCurrent());
  }
  void closeWindow() {
    m_driver.reset();
    m_desk.reset();
    m_folder.reset();
  }

  void atMost(int actions) const { m_driver->checkAtMost(actions); }
  template <class T>
  T& find(const char* name) const {
    return childOf<T>(*m_desk->window, name);
  }

  std::unique_ptr<WindowDesk> m_desk;
  std::unique_ptr<UiDriver> m_driver;

 private:
  std::unique_ptr<QTemporaryDir> m_folder;
};

}  // namespace p2::test
