// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractEventDispatcher>
#include <QTest>

#include "app/explorer/perspectives.h"
#include "app/explorer/window_desk.h"
#include "support/warnings.h"

using namespace p2;
using namespace p2::views;

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
class TestIdleWindow : public QObject, private test::TestedWindow {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QApplication::setCursorFlashTime(0);
    open();
  }
  void init() { test::failOnWarnings(); }
  void cleanupTestCase() { close(); }

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
    QString going;
    const auto rests = [&] {
      const WindowWork work;
      for (int round = 0; round < kRounds; ++round) QCoreApplication::processEvents();
      going = work.count > 0 ? work.last : timers();
      return going.isEmpty();
    };
    // A single timer still runs out; one that repeats never does.
    QTRY_VERIFY2_WITH_TIMEOUT(rests(), qPrintable("it goes on with a " + going), kPatience);
  }

 private:
  static constexpr int kRounds = 5;
  static constexpr int kPatience = 20'000;  // ms, for what begins late on a busy machine

  /// What is still to be called in the window at some time, although nothing happens.
  [[nodiscard]] QString timers() const {
    QObjectList all{m_desk->window.get()};
    all += m_desk->window->findChildren<QObject*>();
    const auto* dispatcher = QAbstractEventDispatcher::instance();
    for (QObject* each : all) {
      const auto running = dispatcher->registeredTimers(each);
      if (running.isEmpty()) continue;
      return QString("timer of %1 ms of %2 \"%3\" in %4")
          .arg(running[0].interval)
          .arg(each->metaObject()->className(), each->objectName(),
               each->parent() ? each->parent()->metaObject()->className() : "");
    }
    return {};
  }
};

QTEST_MAIN(TestIdleWindow)
#include "tst_idle_window.moc"
