// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/literal/literal_lessons.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include "graphs/strategy_json.h"

namespace p2::views {
namespace {

QByteArray contentOf(const QString& name) {
  QFile file(":/p2/lessons/literal/" + name + ".json");
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

LiteralLesson lessonOf(const QString& name) {
  const QJsonObject lesson = QJsonDocument::fromJson(contentOf(name)).object()["lesson"].toObject();
  const bool lowest = lesson["ties"].toString() == QLatin1String("lowest");
  return {name, lesson["title"].toString(name), lowest ? LiteralOptions::Ties::Lowest : LiteralOptions::Ties::Arbitrary,
          static_cast<std::uint64_t>(lesson["seed"].toInteger())};
}

std::vector<LiteralLesson> allLessons() {
  std::vector<LiteralLesson> lessons;
  for (const QString& file : QDir(":/p2/lessons/literal").entryList({"*.json"}, QDir::Files, QDir::Name)) {
    lessons.push_back(lessonOf(file.chopped(QString(".json").size())));
  }
  return lessons;
}

}  // namespace

const std::vector<LiteralLesson>& literalLessons() {
  static const std::vector<LiteralLesson> kLessons = allLessons();
  return kLessons;
}

Result<StrategyProblem> readLesson(const QString& name) {
  const QByteArray content = contentOf(name);
  if (content.isEmpty()) {
    return Error{"there is no lesson called \"" + name.toStdString() + "\"; choose one from the list"};
  }
  return strategyProblemFromJson(content.toStdString());
}

}  // namespace p2::views
