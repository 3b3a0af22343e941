// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "lesson/lesson_validator.h"

class QLabel;
class QListWidget;

namespace p2::views {

/// What keeps a lesson file from being taken, for whoever writes it.
class LessonProblemsPage : public QWidget {
  Q_OBJECT
 public:
  explicit LessonProblemsPage(QWidget* parent = nullptr);
  void show(const QString& path, const std::vector<LessonProblem>& problems);

 signals:
  void backWanted();
  void againWanted(const QString& path);  ///< the file has been mended

 private:
  QString m_path;
  QLabel* m_title;
  QListWidget* m_list;
};

}  // namespace p2::views
