// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/explorer/main_window.h"
#include "views/shell/appearance.h"
#include "views/shell/document_controller.h"
#include "views/shell/perspective_stack.h"
#include "views/shell/scripted_dialogs.h"
#include "views/shell/session.h"

namespace p2::test {

/// The program without its process.
struct WindowDesk {
  explicit WindowDesk(const QString& folder, const QString& file = {},
                      std::span<const explorer::PerspectiveRow> pages = explorer::perspectives())
      : settings(folder + "/settings.ini", QSettings::IniFormat),
        appearance(settings),
        documents(session, answers, {settings, folder + "/recovery"}) {
    documents.start(file);
    window = std::make_unique<explorer::MainWindow>(
        explorer::MainWindow::Parts{session, documents, appearance, settings, pages});
    // Whatever the screen of the platform: most tests are of a window of the usual size.
    if (!settings.contains("window/geometry")) window->resize(1280, 800);
    window->show();
    window->activateWindow();
  }
  QString shownPage() const { return window->perspectives().faceOf(window->perspectives().currentPage()).id; }
  void key(int key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) const {
    QTest::keyClick(window.get(), Qt::Key(key), modifiers);
  }
  template <class T>
  T* find(const char* name) const {
    return window->findChild<T*>(name);
  }
  void editBytes(double bytes) {
    Workspace next = *session.workspace();
    next.options.cost.bytes = Bytes(bytes);
    session.edit("Change the bytes", next);
  }

  Answers answers;
  QSettings settings;
  views::Appearance appearance;
  views::Session session;
  views::DocumentController documents;
  std::unique_ptr<explorer::MainWindow> window;
};

/// A window of a test, with a folder that goes with it.
class TestedWindow {
 protected:
  void open() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_desk = std::make_unique<WindowDesk>(m_folder->path());
    QVERIFY(QTest::qWaitForWindowActive(m_desk->window.get()));
    QTRY_VERIFY(m_desk->session.isCurrent());
  }
  void close() {
    m_desk.reset();
    m_folder.reset();
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<WindowDesk> m_desk;
};

}  // namespace p2::test
