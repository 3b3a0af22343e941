// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/realisation_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace p2::views {

RealisationText realisationText(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  QStringList names;
  QStringList ways;
  for (const Realisation& way : realisableBy(system, axes, matrix)) {
    const QString name = QString::fromStdString(way.name);
    names += name;
    ways += name + QStringLiteral(": ") + QString::fromStdString(way.reason);
  }
  const char* text =
      needsRankfile(system, axes, matrix)
          ? QT_TRANSLATE_NOOP("RealisationText",
                              "realisable by %1; frameworks that only know orders of axes need a rankfile")
          : QT_TRANSLATE_NOOP("RealisationText", "realisable by %1");
  return {QCoreApplication::translate("RealisationText", text).arg(names.join(QStringLiteral(" · "))), ways.join('\n')};
}

}  // namespace p2::views
