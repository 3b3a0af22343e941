// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/realisation_text.h"

#include <QCoreApplication>
#include <QStringList>

#include "views/common/text.h"

namespace p2::views {

RealisationText realisationText(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  QStringList names;
  QStringList ways;
  for (const Realisation& way : realisableBy(system, axes, matrix)) {
    const QString name = qs(way.name);
    names += name;
    ways += name + QStringLiteral(": ") + qs(way.reason);
  }
  const char* text =
      needsRankfile(system, axes, matrix)
          ? QT_TRANSLATE_NOOP("RealisationText",
                              "can be set up with: %1; frameworks that only know axis orders need a rankfile")
          : QT_TRANSLATE_NOOP("RealisationText", "can be set up with: %1");
  return {QCoreApplication::translate("RealisationText", text).arg(names.join(QStringLiteral(" · "))), ways.join('\n')};
}

}  // namespace p2::views
