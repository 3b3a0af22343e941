// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDirIterator>
#include <QFontDatabase>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QStyle>
#include <QToolButton>
#include <array>

#include "app/explorer/cut_parts.h"
#include "app/explorer/every_view.h"
#include "support/warnings.h"
#include "views/common/inline_message.h"

using namespace p2;

namespace {

const QSize kWindow(1024, 700);
/// A screen of 1440 × 900, and one of 1600 × 1000 on which two pixels make one.
const std::array kOtherWindows{QSize(1440, 900), QSize(800, 500)};

bool isPart(const QWidget& widget) {
  if (qobject_cast<const views::InlineMessage*>(&widget) != nullptr) return false;
  return qobject_cast<const QLabel*>(&widget) || qobject_cast<const QAbstractButton*>(&widget) ||
         qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QComboBox*>(&widget) ||
         qobject_cast<const QAbstractSpinBox*>(&widget);
}

/// Labels, buttons and fields of one parent that cover each other.
QStringList overlaps(const QWidget& window) {
  QStringList faults;
  for (const QWidget* parent : window.findChildren<QWidget*>()) {
    if (!parent->isVisible() || parent->layout() == nullptr) continue;
    QList<const QWidget*> parts;
    for (const QWidget* child : parent->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
      if (child->isVisible() && isPart(*child)) parts << child;
    }
    for (qsizetype a = 0; a < parts.size(); ++a) {
      for (qsizetype b = a + 1; b < parts.size(); ++b) {
        const QRect both = parts[a]->geometry() & parts[b]->geometry();
        if (both.width() > 1 && both.height() > 1)
          faults << QStringLiteral("%1 and %2 overlap by %3")
                        .arg(test::placeOf(parts[a]), test::placeOf(parts[b]), test::sizeText(both.size()));
      }
    }
  }
  return faults;
}

/// Buttons of the strip above a page whose names are cut; without room they are icons.
QStringList cutNames(const QWidget& window) {
  QStringList faults;
  for (const QToolButton* button : window.findChildren<QToolButton*>(QRegularExpression("^perspective-"))) {
    const bool named = button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon;
    if (!button->isVisible() || !named || button->width() >= button->sizeHint().width()) continue;
    faults << QStringLiteral("%1 is cut to %2 of %3")
                  .arg(button->text())
                  .arg(button->width())
                  .arg(button->sizeHint().width());
  }
  return faults;
}

}  // namespace

/// Every page fits 1024 × 700, and in the usual size of text also other windows, with all of its labels, buttons and
/// headings, in the fonts of four desktops. A font that is not installed may be in a folder named by
/// P2_TEST_MORE_FONTS.
class TestFonts : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    // Tests have one font of their own (own_home.cpp); these are added to it.
    for (const QString& folder : {QString("/usr/share/fonts"), qEnvironmentVariable("P2_TEST_MORE_FONTS", "/none")}) {
      QDirIterator files(
          folder,
          {"DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "NotoSans-Regular.ttf", "NotoSans-Bold.ttf", "Cantarell-VF.otf",
           "Cantarell-Regular.otf", "LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"},
          QDir::Files, QDirIterator::Subdirectories);
      while (files.hasNext()) QFontDatabase::addApplicationFont(files.next());
    }
    m_before = QApplication::font();
    m_view.open("llama3-70b-fsdp32-tp8", kWindow);
    Workspace trained = *m_view.desk->session.workspace();
    trained.training.model = "llama3-8b";
    trained.training.batch = 256;
    m_view.desk->session.edit("Choose a model", trained);
    m_view.settle();
  }
  void init() { test::failOnWarnings(); }
  void cleanupTestCase() {
    setFont(m_before);
    m_view.desk.reset();
  }

  void everyPageFits_data() {
    QTest::addColumn<QString>("family");
    QTest::addColumn<double>("points");
    QTest::addColumn<QSize>("size");
    for (const char* family : {"DejaVu Sans", "Noto Sans", "Cantarell", "Liberation Sans"}) {
      for (const double points : {9.0, 10.0, 11.0, 12.0, 13.0, 14.0})
        QTest::addRow("%s %g", family, points) << family << points << kWindow;
      for (const QSize size : kOtherWindows)
        QTest::addRow("%s 10, %s", family, qPrintable(test::sizeText(size))) << family << 10.0 << size;
    }
  }
  void everyPageFits() {
    QFETCH(QString, family);
    QFETCH(double, points);
    QFETCH(QSize, size);
    if (!QFontDatabase::families().contains(family)) {
      QSKIP(qPrintable(family + " is neither in /usr/share/fonts nor in P2_TEST_MORE_FONTS"));
    }
    QFont font(family);
    font.setPointSizeF(points);
    setFont(font);
    QStringList faults;
    for (const explorer::PerspectiveRow& row : explorer::perspectives()) {
      for (const QString& action : QStringList{QString()} + row.place().views) {
        m_view.show(row.face().id, action);
        m_view.desk->window->resize(size);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        const QString page = row.face().id + (action.isEmpty() ? QString() : ", " + action) + ": ";
        const QSize least = m_view.desk->window->minimumSizeHint();
        if (least.width() > size.width() || least.height() > size.height())
          faults << page + "needs " + test::sizeText(least);
        for (const QString& fault :
             test::cutParts(*m_view.desk->window) + overlaps(*m_view.desk->window) + cutNames(*m_view.desk->window)) {
          faults << page + fault;
        }
      }
    }
    faults.removeDuplicates();
    QVERIFY2(faults.isEmpty(), qPrintable("\n" + faults.join('\n')));
  }

 private:
  static void setFont(const QFont& font) {
    // Widgets that a style sheet has polished do not notice another font.
    const QString sheet = qApp->styleSheet();
    qApp->setStyleSheet({});
    QApplication::setFont(font);
    qApp->setStyleSheet(sheet);
  }

  test::EveryView m_view;
  QFont m_before;
};

QTEST_MAIN(TestFonts)
#include "tst_fonts.moc"
