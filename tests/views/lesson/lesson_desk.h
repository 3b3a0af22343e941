// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "lesson/bundled_lessons.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/lesson/lesson_perspective.h"
#include "views/lesson/mark_grid.h"
#include "views/shell/session.h"
#include "views/stage/stage_view.h"
#include "views/widget_driver.h"

namespace p2::test {

/// The lessons in a window of their own, with settings of their own.
class LessonDesk {
 protected:
  void prepare() {
    QCoreApplication::setOrganizationName("p2-test");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    views::Theme::apply(views::Theme::Scheme::Light);
  }
  void open() {
    failOnWarnings();
    m_session = std::make_unique<views::Session>();
    m_view = shown<views::LessonPerspective>(*m_session, {1320, 760});
    QVERIFY(m_view);
    QTRY_VERIFY(settled() && list().model()->rowCount() == m_bundled);
    for (QCheckBox* animate : m_view->findChildren<QCheckBox*>("animate")) animate->setChecked(false);
  }
  void close() {
    m_view.reset();
    m_session.reset();
  }
  bool settled() { return m_session->jobs().running().empty(); }
  template <class T>
  T* find(const char* name) {
    return &childOf<T>(*m_view, name);
  }
  /// Of the players, one for devices and one for the literal algorithm, the one that is shown.
  template <class T>
  T* shownOne(const char* name) {
    for (T* each : m_view->findChildren<T*>(name)) {
      if (each->isVisible()) return each;
    }
    qFatal("no %s is shown", name);
  }
  QString text(const char* name) { return find<QLabel>(name)->text(); }
  QListView& list() { return *find<QListView>("lessonList"); }
  views::MarkGrid& grid() { return *find<views::MarkGrid>("markGrid"); }
  views::StageView& stage() { return *find<views::StageView>("lessonStageView"); }
  /// A click on its row of the list; from its first page on.
  void take(int lesson, int page = 0) {
    const QModelIndex index = list().model()->index(lesson, 0);
    list().scrollTo(index);
    QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, list().visualRect(index).center());
    QTRY_VERIFY(settled());
    while (pageNumber() != page) {
      press(pageNumber() < page ? "nextLessonPageButton" : "previousLessonPageButton");
      QTRY_VERIFY(settled());
    }
  }
  /// What stands above the page of a lesson, counted from 1.
  QString placeOf(int number, const char* title) {
    return QString("Lesson %1 of %2: %3").arg(number).arg(list().model()->rowCount()).arg(title);
  }
  int pageNumber() { return text("lessonDots").split(' ').at(1).toInt() - 1; }
  void press(const char* button) { QTest::mouseClick(find<QPushButton>(button), Qt::LeftButton); }
  void choose(int row) {
    auto* choice = find<QListWidget>("answerChoice");
    choice->scrollToItem(choice->item(row));
    QTest::mouseClick(choice->viewport(), Qt::LeftButton, {}, choice->visualItemRect(choice->item(row)).center());
    QTRY_VERIFY(settled());
  }
  /// The marks that the first page of the first lesson asks for, drawn with one stroke.
  void markRightly() {
    QTest::mousePress(&grid(), Qt::LeftButton, {}, grid().rectOf(2).center());
    for (const std::size_t cell : {6u, 10u, 14u}) QTest::mouseMove(&grid(), grid().rectOf(cell).center());
    QTest::mouseRelease(&grid(), Qt::LeftButton, {}, grid().rectOf(14).center());
    press("checkAnswerButton");
  }
  void type(const QString& program) {
    auto* edit = find<QLineEdit>("answerProgram");
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, program);
  }

  QTemporaryDir m_folder;
  const int m_bundled = int(bundledLessons().size());
  std::unique_ptr<views::Session> m_session;
  std::unique_ptr<views::LessonPerspective> m_view;
};

}  // namespace p2::test
