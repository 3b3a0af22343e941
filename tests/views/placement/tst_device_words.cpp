// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "views/placement/placement_desk.h"

using namespace p2;
using namespace p2::views;

/// What the cells of the map say at any zoom.
class TestDeviceWords : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    test::failOnWarnings();
    Theme::apply(Theme::Scheme::Light);
  }

  // "A 9/0" in some cells and "A" in others would look like a difference between the devices.
  void cellsSayTheSameOfAll_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(420, 230), QSize(590, 320), QSize(640, 350), QSize(830, 520), QSize(1100, 640)})
      QTest::addRow("%dx%d", size.width(), size.height()) << size;
  }
  void cellsSayTheSameOfAll() {
    QFETCH(QSize, size);
    const Workspace workspace = test::workspaceOf("dgx-h100:32", "data=32,tensor=8", "data");
    DevicesView view;
    view.resize(size);
    view.showPlacement(workspace.system, workspace.axes, test::valueOf(parseMatrix("[[32,1],[1,8]]")));
    static_cast<QWidget&>(view).show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QImage image = static_cast<QWidget&>(view).grab().toImage();
    QCOMPARE(view.itemCount(), 256);
    int least = size.width();
    int most = 0;
    // The first device of each node is in the same group.
    for (int device = 0; device < view.itemCount(); device += 8) {
      const int width = inkWidth(image, view.itemAt(device).rect.adjusted(3, 3, -3, -3));
      least = std::min(least, width);
      most = std::max(most, width);
    }
    QVERIFY2(most <= 2 * least, qPrintable(QString("%1 to %2").arg(least).arg(most)));
  }

 private:
  /// The width of what is written on the one colour of a cell.
  static int inkWidth(const QImage& image, const QRect& cell) {
    const QRgb ground = image.pixel(cell.bottomLeft());
    int first = cell.right();
    int last = cell.left();
    for (int x = cell.left(); x <= cell.right(); ++x) {
      for (int y = cell.top(); y <= cell.bottom(); ++y) {
        if (std::abs(qGray(image.pixel(x, y)) - qGray(ground)) < 40) continue;
        first = std::min(first, x);
        last = std::max(last, x);
      }
    }
    return std::max(0, last - first);
  }
};

QTEST_MAIN(TestDeviceWords)
#include "tst_device_words.moc"
