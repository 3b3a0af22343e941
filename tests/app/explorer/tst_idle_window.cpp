// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "app/explorer/perspectives.h"
#include "app/explorer/window_desk.h"
#include "support/warnings.h"

using namespace p2;
using namespace p2::views;
using p2::test::WindowDesk;

/// Counts what the window paints and lays out anew.
class WindowWork : public QObject {
 public:
  WindowWork() { qApp->installEventFilter(this); }
  ~WindowWork() override { qApp->removeEventFilter(this); }
  bool eventFilter(QObject* object, QEvent* event) override {
    if (!object->isWidgetType()) return false;
    const bool paints = event->type() == QEvent::Paint;
    if (!paints && event->type() != QEvent::LayoutRequest) return false;
    ++count;
    last = QString("%1 of %2 \"%3\"")
               .arg(paints ? "paint" : "layout", object->metaObject()->className(), object->objectName());
    return false;
  }
  int count = 0;
  QString last;
};

/// A window in which nothing happens leaves the processor alone.
class TestIdleWindow : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QApplication::setCursorFlashTime(0);
    m_folder = std::make_unique<QTemporaryDir>();
    m_desk = std::make_unique<WindowDesk>(m_folder->path());
    QVERIFY(QTest::qWaitForWindowActive(m_desk->window.get()));
    QTRY_VERIFY(m_desk->session.isCurrent());
  }
  void init() { test::failOnWarnings(); }
  void cleanupTestCase() {
    m_desk.reset();
    m_folder.reset();
  }

  void everyPageComesToRest_data() {
    QTest::addColumn<QString>("page");
    QTest::addColumn<QSize>("size");
    for (const explorer::PerspectiveRow& row : explorer::perspectives()) {
      const QString page = row.face().id;
      QTest::newRow(qPrintable(page)) << page << QSize(1440, 900);
      QTest::addRow("%s, small", qPrintable(page)) << page << QSize(900, 560);
    }
  }
  void everyPageComesToRest() {
    QFETCH(QString, page);
    QFETCH(QSize, size);
    m_desk->window->resize(size);
    m_desk->window->perspectives().showPerspective(page);
    QTRY_VERIFY(m_desk->session.jobs().running().empty());
    QString last;
    const auto rests = [&] {
      const WindowWork work;
      QTest::qWait(kWhile);
      last = work.last;
      return work.count == 0;
    };
    bool rested = false;
    for (int looks = 0; looks < kLooks && !rested; ++looks) rested = rests();
    QVERIFY2(rested, qPrintable("it goes on with a " + last));
  }

 private:
  static constexpr int kWhile = 200;  // ms
  static constexpr int kLooks = 25;
  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<WindowDesk> m_desk;
};

QTEST_MAIN(TestIdleWindow)
#include "tst_idle_window.moc"
