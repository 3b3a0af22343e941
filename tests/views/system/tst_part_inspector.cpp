// SPDX-License-Identifier: GPL-3.0-or-later
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/system/system_canvas.h"
#include "views/system/system_editor.h"
#include "views/widget_driver.h"

using namespace p2;
using namespace p2::views;

/// The form of what is selected, in the place that the editor gives it.
class TestPartInspector : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() { test::failOnWarnings(); }
  void cleanup() { Theme::setTextZoom(100); }

  void everyFormIsAsWideAsItsPlace_data() {
    QTest::addColumn<int>("textZoom");
    QTest::addColumn<int>("width");
    QTest::newRow("1440 pixels") << 100 << 860;
    QTest::newRow("narrow") << 100 << 600;
    QTest::newRow("large text") << 200 << 1200;
  }
  void everyFormIsAsWideAsItsPlace() {
    QFETCH(int, textZoom);
    QFETCH(int, width);
    Theme::setTextZoom(textZoom);
    Session session;
    const auto editor = test::shown<SystemEditor>(session, {width, 760});
    QVERIFY(editor != nullptr);
    session.reset(test::workspaceOf("gcp-v100:4", "data=32", "data"));
    SystemScene& scene = test::childOf<SystemCanvas>(*editor, "systemCanvas").drawn();
    const auto* bar = test::childOf<QScrollArea>(*editor, "partScroll").horizontalScrollBar();
    using Kind = SystemPart::Kind;
    const std::vector<std::vector<SystemPart>> selections{{},
                                                          {{Kind::Level, 0}},
                                                          {{Kind::Interconnect, 0}},
                                                          {{Kind::Interconnect, 1}},
                                                          {{Kind::Network, 0}},
                                                          {{Kind::Network, 2}}};
    for (const auto& parts : selections) {
      scene.select(parts);
      QCoreApplication::processEvents();
      QCOMPARE(scene.selectedParts().size(), parts.size());
      QCOMPARE(bar->maximum(), 0);
    }
  }
};

QTEST_MAIN(TestPartInspector)
#include "tst_part_inspector.moc"
