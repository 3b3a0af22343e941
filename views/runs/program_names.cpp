// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/program_names.h"

#include <QStringList>

#include "collective/collective.h"

namespace p2::views {
namespace {

/// "∥root" of "Parallel(root)", "∥₁root" of "Master(root)", nothing of "InsideGroup".
QString formName(const QString& form) {
  const QString level = form.section('(', 1).chopped(form.endsWith(')') ? 1 : 0);
  if (form.startsWith("Parallel(")) return QStringLiteral("∥") + level;
  if (form.startsWith("Master(")) return QStringLiteral("∥₁") + level;
  return form == QLatin1String("InsideGroup") ? QString() : '@' + form.toLower();
}

}  // namespace

QString shortProgramName(const QString& program) {
  QStringList steps;
  for (const QString& step : program.split("; ")) {
    const QStringList parts = step.split(':');
    if (parts.size() != 3) return program;
    const auto collective = collectiveFrom(parts[2].toStdString());
    if (!collective.ok()) return program;
    const std::string_view name = shortNameOf(*collective);
    steps += QString::fromUtf8(name.data(), qsizetype(name.size())) + u'·' + parts[0] + formName(parts[1]);
  }
  return steps.join(QStringLiteral(" → "));
}

}  // namespace p2::views
