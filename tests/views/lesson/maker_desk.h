// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include "lesson/lesson_draft.h"
#include "views/lesson/lesson_desk.h"
#include "views/lesson/lesson_maker.h"

namespace p2::test {

/// The lessons, and the parts of a window that makes one.
class MakerDesk : public LessonDesk {
 protected:
  /// Two nodes of two devices, and a program.
  static Workspace drafted() {
    Workspace workspace;
    workspace.system = parseSystem("node:2@8GB/s gpu:2@270GB/s").value();
    workspace.axes = {{"data", 4}};
    workspace.axes[0].reduce = true;
    workspace.program = "node:InsideGroup:ReduceScatter; node:Parallel(root):AllReduce; node:InsideGroup:AllGather";
    return workspace;
  }
  static LessonDraft draft() { return draftFrom(drafted()).value(); }
  template <class T>
  T& part(views::LessonMaker& maker, const char* name) {
    return childOf<T>(maker, name);
  }
  void click(views::LessonMaker& maker, const char* name) {
    QTest::mouseClick(&part<QPushButton>(maker, name), Qt::LeftButton);
    QTRY_VERIFY(settled());
  }
  QStringList problems(views::LessonMaker& maker) {
    QStringList list;
    auto& shown = part<QListWidget>(maker, "makerProblems");
    for (int row = 0; row < shown.count(); ++row) list << shown.item(row)->text();
    return list;
  }
  void retype(QLineEdit& edit, const QString& text) {
    edit.setFocus();
    edit.selectAll();
    QTest::keyClicks(&edit, text);
  }
};

}  // namespace p2::test
