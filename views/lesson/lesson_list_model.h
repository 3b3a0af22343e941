// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>

#include "views/lesson/lesson_shelf.h"

namespace p2::views {

/// The lessons with how far each has been taken.
class LessonListModel : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;
  /// The name of the course that begins with a row, else empty.
  static constexpr int CourseRole = Qt::UserRole;

  void setShelf(LessonShelf shelf);
  /// Appends a lesson, or replaces the one with its key. Returns its row.
  int add(ShelvedLesson lesson);
  [[nodiscard]] const ShelvedLesson& lesson(int row) const { return m_shelf[std::size_t(row)]; }
  /// Progress has been made.
  void refresh(int row);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 private:
  /// The heading above a row: its course, where that differs from the row above.
  [[nodiscard]] QString courseAt(int row) const;

  LessonShelf m_shelf;
};

}  // namespace p2::views
