// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "lesson/lesson_validator.h"

class QLabel;
class QListWidget;

namespace p2::views {

/// The errors of a lesson file, for its author.
class LessonProblemsPage : public QWidget {
  Q_OBJECT
 public:
  explicit LessonProblemsPage(QWidget* parent = nullptr);
  void show(const QString& path, const std::vector<LessonProblem>& problems);

 signals:
  void backWanted();
  void againWanted(const QString& path);  ///< read the file again

 private:
  QString m_path;
  QLabel* m_title;
  QListWidget* m_list;
};

}  // namespace p2::views
