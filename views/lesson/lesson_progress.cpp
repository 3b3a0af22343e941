// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/lesson_progress.h"

#include <QCryptographicHash>
#include <QSettings>

namespace p2::views {
namespace {

/// Paths may hold anything, keys of settings no slashes.
QString keyOf(const QString& lesson) {
  const QByteArray name = lesson.contains('/') || lesson.contains('\\')
                              ? QCryptographicHash::hash(lesson.toUtf8(), QCryptographicHash::Sha1).toHex()
                              : lesson.toUtf8();
  return QStringLiteral("lessons/solved/") + QString::fromUtf8(name);
}

}  // namespace

std::set<int> LessonProgress::solvedPages(const QString& lesson) {
  std::set<int> pages;
  for (const QString& page : QSettings().value(keyOf(lesson)).toString().split(',', Qt::SkipEmptyParts)) {
    bool isNumber = false;
    const int number = page.toInt(&isNumber);
    if (isNumber && number >= 0) pages.insert(number);
  }
  return pages;
}

void LessonProgress::setSolved(const QString& lesson, int page) {
  std::set<int> pages = solvedPages(lesson);
  pages.insert(page);
  QStringList numbers;
  for (const int each : pages) numbers.append(QString::number(each));
  QSettings().setValue(keyOf(lesson), numbers.join(','));
}

void LessonProgress::forget(const QString& lesson) { QSettings().remove(keyOf(lesson)); }

QString progressText(const std::set<int>& solved, int pages) {
  QString text;
  for (int page = 0; page < pages; ++page) text += solved.contains(page) ? QStringLiteral("●") : QStringLiteral("○");
  return text;
}

}  // namespace p2::views
