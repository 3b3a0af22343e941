// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QLabel>
#include <algorithm>
#include <cstdlib>

#include "app/explorer/cut_parts.h"
#include "app/explorer/every_view.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/shell/step_planner.h"

using namespace p2;
using views::Theme;

namespace {

/// Whether something is drawn in about this colour; letters have no pixel that is quite theirs.
bool hasColor(const QImage& image, const QColor& color) {
  constexpr int kNear = 30;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const QColor pixel = image.pixelColor(x, y);
      const int apart = std::max({std::abs(pixel.red() - color.red()), std::abs(pixel.green() - color.green()),
                                  std::abs(pixel.blue() - color.blue())});
      if (apart <= kNear) return true;
    }
  }
  return false;
}

}  // namespace

/// What a page keeps of the colours of the scheme that it was first shown in.
class TestSchemes : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_view.open("llama3-70b-fsdp32-tp8", {1440, 900});
    QTRY_VERIFY_WITH_TIMEOUT(m_view.desk->session.planner().isCurrent(), 60000);
  }
  void cleanupTestCase() { m_view.desk.reset(); }
  void init() { test::failOnWarnings(); }

  void linksTakeTheNewColor_data() { test::EveryView::addRows(); }
  void linksTakeTheNewColor() {
    QFETCH(QString, page);
    QFETCH(QString, action);
    m_view.desk->appearance.setScheme(Theme::Scheme::Light);
    const QColor before = Theme::accent();
    m_view.show(page, action);
    m_view.desk->appearance.setScheme(Theme::Scheme::Dark);
    const QColor after = Theme::accent();
    QVERIFY(before != after);
    m_view.settle();
    const QStringList seen = linksIn(before);
    QVERIFY2(seen.isEmpty(), qPrintable("\n" + seen.join('\n')));
    if (page == "plan") QVERIFY(!linksIn(after).isEmpty());
    // Back to light while another page is shown.
    m_view.show(page == "use" ? "model" : "use", {});
    m_view.desk->appearance.setScheme(Theme::Scheme::Light);
    m_view.show(page, action);
    const QStringList hidden = linksIn(after);
    QVERIFY2(hidden.isEmpty(), qPrintable("\n" + hidden.join('\n')));
  }

 private:
  /// The labels of the shown page with a link of this colour.
  QStringList linksIn(const QColor& color) const {
    QStringList found;
    for (QLabel* label : m_view.desk->window->perspectives().current()->findChildren<QLabel*>()) {
      if (!label->isVisible() || !label->text().contains("<a ")) continue;
      if (hasColor(label->grab().toImage(), color)) found << test::placeOf(label) + ": " + label->text().left(80);
    }
    return found;
  }

  test::EveryView m_view;
};

QTEST_MAIN(TestSchemes)
#include "tst_schemes.moc"
