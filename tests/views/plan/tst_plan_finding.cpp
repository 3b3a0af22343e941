// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>

#include "training_answer/plan_hints.h"
#include "views/plan/plan_page_desk.h"

using namespace p2;
using namespace p2::views;

/// The rows that the sentences of the page Plan name.
class TestPlanFinding : public QObject, private test::PlanPageDesk {
  Q_OBJECT
 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }

  // A hint names a row by its number; a click or Enter on it chooses that row.
  void aHintLeadsToItsRow() {
    Workspace workspace = test::trainedWorkspace(4);
    workspace.training.model = "llama3-70b";
    workspace.training.batch = 512;
    open(std::move(workspace));
    const auto memory = memoryHint(planner().answer()->answer);
    QVERIFY(memory && memory->place);
    const auto place = memory->place;
    auto* hints = find<QLabel>("planHints");
    const QString name = QString("row %1, ").arg(*place + 1) +
                         degreesText(planner().answer()->answer.configurations[*place].configuration);
    QVERIFY2(hints->isVisible() && hints->text().contains(">" + name + "</a>"), qPrintable(hints->text()));
    hints->setFocus();
    QTest::keyClick(hints, Qt::Key_Tab);
    QTest::keyClick(hints, Qt::Key_Return);
    QCOMPARE(planner().shownRow(), int(*place));
    QCOMPARE(table().currentIndex().row(), int(*place));
  }

  // Each hint that names a row is a link to it, also where its sentence would begin with the row.
  void everyNamedRowIsALink() {
    Workspace workspace = test::trainedWorkspace(4);
    workspace.training.model = "mixtral-8x7b";
    workspace.training.batch = 512;
    workspace.training.sequence = 8192;
    open(std::move(workspace));
    const PlannerAnswer& found = *planner().answer();
    QVERIFY(simplerHint(found.answer).has_value());
    const QString text = find<QLabel>("planHints")->text();
    int named = 0;
    for (const PlanHint& hint : planHints(found.question, found.answer)) {
      if (!hint.place) continue;
      ++named;
      QVERIFY2(text.contains(QString("href=\"%1\"").arg(*hint.place)), qPrintable(text));
    }
    QVERIFY(named > 0);
  }

  // Which rows the intervals cannot tell from the selected one is marked, wherever they stand.
  void tiesOfTheSelectedRowAreMarked() {
    open(test::trainedWorkspace(2));
    const auto& all = planner().answer()->answer.configurations;
    std::size_t place = 1;
    while (place < all.size() && (isTiedWithBest(planner().answer()->answer, place) || all[place].tiesWith.empty()))
      ++place;
    QVERIFY(place < all.size());
    m_session->chooseConfiguration(&all[place]);
    int marked = 0;
    for (std::size_t row = 0; row < all.size(); ++row) {
      const QString text = test::cellText(table(), int(row), PlanModel::Place);
      const bool ties = std::find(all[row].tiesWith.begin(), all[row].tiesWith.end(), place) != all[row].tiesWith.end();
      const bool isBest = isTiedWithBest(planner().answer()->answer, row);
      QCOMPARE(text.endsWith(QChar(u'≈')), ties && !isBest);
      QCOMPARE(text.endsWith("1="), isBest);
      marked += int(ties && !isBest);
    }
    QVERIFY(marked > 0);
    m_session->chooseConfiguration(&all[0]);
    for (std::size_t row = 0; row < all.size(); ++row)
      QVERIFY(!test::cellText(table(), int(row), PlanModel::Place).endsWith(QChar(u'≈')));
  }

  // The sentences take no more lines than they have: what a choice adds has its room at once.
  void noEmptyLinesAreLeft() {
    open(test::trainedWorkspace(2));
    const auto* best = find<QLabel>("planFinding");
    const auto* chosen = find<QLabel>("planChosen");
    QVERIFY(best->height() <= best->heightForWidth(best->width()));
    QVERIFY(chosen->isVisible() && chosen->height() <= 2 * chosen->fontMetrics().lineSpacing());
    QCOMPARE(chosen->text(), QString("A click on another row chooses it for all pages."));
    QVERIFY(table().mapTo(m_view.get(), QPoint()).y() < m_view->height() / 4);
  }
};

QTEST_MAIN(TestPlanFinding)
#include "tst_plan_finding.moc"
