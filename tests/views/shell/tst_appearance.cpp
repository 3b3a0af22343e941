// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "support/warnings.h"
#include "views/shell/appearance.h"

using namespace p2::views;

class TestAppearance : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    test::failOnWarnings();
    m_folder = std::make_unique<QTemporaryDir>();
  }

  void theSchemeIsChangedAndRemembered() {
    QSettings settings(m_folder->filePath("s.ini"), QSettings::IniFormat);
    {
      Appearance appearance(settings);
      QSignalSpy changed(&appearance, &Appearance::changed);
      appearance.schemeActions()[1]->trigger();
      QVERIFY(Theme::isDark());
      QVERIFY(appearance.schemeActions()[1]->isChecked());
      QCOMPARE(changed.size(), 1);
      appearance.schemeActions()[0]->trigger();
      QVERIFY(!Theme::isDark());
      appearance.schemeActions()[1]->trigger();
    }
    Theme::apply(Theme::Scheme::Light);
    Appearance appearance(settings);
    QVERIFY(Theme::isDark());
    appearance.schemeActions()[2]->trigger();
    QVERIFY(appearance.schemeActions()[2]->isChecked());
  }

  void theTextGrowsWithinBounds() {
    QSettings settings(m_folder->filePath("s.ini"), QSettings::IniFormat);
    Appearance appearance(settings);
    const double normal = QApplication::font().pointSizeF();
    QLabel old("made before");
    old.show();
    const QList<QAction*> actions = appearance.zoomActions();
    QVERIFY(!actions[1]->isEnabled());
    for (int i = 0; i < 3; ++i) actions[0]->trigger();
    QCOMPARE(appearance.textZoom(), 130);
    QCOMPARE(QApplication::font().pointSizeF(), normal * 1.3);
    QCOMPARE(old.font().pointSizeF(), normal * 1.3);
    for (int i = 0; i < 20; ++i) actions[0]->trigger();
    QCOMPARE(appearance.textZoom(), 200);
    QVERIFY(!actions[0]->isEnabled());
    actions[2]->trigger();
    QCOMPARE(QApplication::font().pointSizeF(), normal);
  }

  void strangeSettingsDoNoHarm_data() {
    QTest::addColumn<QVariant>("scheme");
    QTest::addColumn<QVariant>("zoom");
    QTest::newRow("words") << QVariant("pink") << QVariant("huge");
    QTest::newRow("out of range") << QVariant(17) << QVariant(100'000);
    QTest::newRow("negative") << QVariant(-1) << QVariant(-1);
  }
  void strangeSettingsDoNoHarm() {
    QFETCH(QVariant, scheme);
    QFETCH(QVariant, zoom);
    QSettings settings(m_folder->filePath("s.ini"), QSettings::IniFormat);
    settings.setValue("scheme", scheme);
    settings.setValue("textZoom", zoom);
    Appearance appearance(settings);
    QVERIFY(appearance.schemeActions()[2]->isChecked());
    QVERIFY(appearance.textZoom() >= 100 && appearance.textZoom() <= 200);
  }

 private:
  std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_MAIN(TestAppearance)
#include "tst_appearance.moc"
