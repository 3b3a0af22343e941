// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/lesson_place_text.h"

#include <QObject>
#include <QStringList>
#include <map>

namespace p2::views {
namespace {

/// The label of the field that fills this key of the lesson's file.
QString fieldText(const QString& key) {
  const std::map<QString, QString> labels{
      {"title", QObject::tr("title")},        {"minutes", QObject::tr("minutes")},   {"text", QObject::tr("text")},
      {"program", QObject::tr("program")},    {"solution", QObject::tr("program")},  {"fails", QObject::tr("program")},
      {"partial", QObject::tr("program")},    {"device", QObject::tr("device")},     {"step", QObject::tr("step")},
      {"compute", QObject::tr("number")},     {"question", QObject::tr("question")}, {"hints", QObject::tr("hints")},
      {"done", QObject::tr("text when done")}};
  if (const auto found = labels.find(key); found != labels.end()) return found->second;
  static const QStringList tasks{"paint", "choose", "order", "predict", "kind"};
  return tasks.contains(key) ? QObject::tr("task") : key;
}

}  // namespace

QString lessonPlaceText(const QString& pointer) {
  QStringList parts = pointer.split('/', Qt::SkipEmptyParts);
  // A hint has a number of its own.
  if (parts.size() > 3 && parts.last().at(0).isDigit()) parts.removeLast();
  const QString field = parts.isEmpty() ? QString() : fieldText(parts.last());
  if (parts.size() < 2 || parts[0] != QStringLiteral("pages")) return field;
  const QString page = QObject::tr("Page %1").arg(parts[1].toInt() + 1);
  return parts.size() == 2 ? page : QObject::tr("%1, %2").arg(page, field);
}

}  // namespace p2::views
