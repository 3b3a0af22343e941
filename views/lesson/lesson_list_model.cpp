// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/lesson_list_model.h"

#include <algorithm>

#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/lesson/lesson_progress.h"

namespace p2::views {
void LessonListModel::setShelf(LessonShelf shelf) {
  beginResetModel();
  m_shelf = std::move(shelf);
  endResetModel();
}

int LessonListModel::add(ShelvedLesson lesson) {
  const auto same =
      std::find_if(m_shelf.begin(), m_shelf.end(), [&](const ShelvedLesson& each) { return each.key == lesson.key; });
  const int row = int(same - m_shelf.begin());
  if (same != m_shelf.end()) {
    *same = std::move(lesson);
    refresh(row);
    return row;
  }
  beginInsertRows({}, row, row);
  m_shelf.push_back(std::move(lesson));
  endInsertRows();
  return row;
}

void LessonListModel::refresh(int row) { emit dataChanged(index(row), index(row)); }

int LessonListModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_shelf.size()); }

QString LessonListModel::courseAt(int row) const {
  const auto courseOf = [this](int at) {
    const ShelvedLesson& shelved = m_shelf[std::size_t(at)];
    if (!shelved.lesson->course.empty()) return qs(shelved.lesson->course);
    return shelved.key.contains('/') ? tr("Opened lessons") : QString();
  };
  const QString course = courseOf(row);
  return row > 0 && course == courseOf(row - 1) ? QString() : course;
}

QVariant LessonListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ShelvedLesson& shelved = m_shelf[std::size_t(index.row())];
  const int pages = int(shelved.lesson->pages.size());
  const auto solved = LessonProgress::solvedPages(shelved.key);
  if (role == Qt::DisplayRole) {
    return tr("%1. %2\n%3 min  %4")
        .arg(index.row() + 1)
        .arg(shelved.title)
        .arg(shelved.lesson->minutes)
        .arg(progressText(solved, pages));
  }
  if (role == CourseRole) return courseAt(index.row());
  if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) {
    return tr("%1: %2 of %3 solved, about %4. Enter begins it")
        .arg(shelved.title)
        .arg(std::count_if(solved.begin(), solved.end(), [pages](int page) { return page < pages; }))
        .arg(counted(pages, tr("page"), tr("pages")), counted(shelved.lesson->minutes, tr("minute"), tr("minutes")));
  }
  return {};
}

}  // namespace p2::views
