// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/contributor_colors.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <array>

#include "views/common/theme.h"

namespace p2::views {
namespace {

using ContributorColors = std::array<QColor, kContributorColors>;

ContributorColors contributorColorsOf(const char* scheme) {
  QFile file(":/p2/palette.json");
  if (!file.open(QIODevice::ReadOnly)) qFatal("the palette is not compiled in");
  const QJsonObject contributors = QJsonDocument::fromJson(file.readAll()).object()["contributors"].toObject();
  const QJsonArray listed = contributors[QLatin1String(scheme)].toArray();
  ContributorColors colors;
  for (int i = 0; i < kContributorColors; ++i) colors[std::size_t(i)] = QColor(listed[i].toString());
  return colors;
}

}  // namespace

QColor contributorColor(int i) {
  static const ContributorColors kLight = contributorColorsOf("light");
  static const ContributorColors kDark = contributorColorsOf("dark");
  return (Theme::isDark() ? kDark : kLight)[std::size_t(i % kContributorColors)];
}

}  // namespace p2::views
