// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/program_names.h"

#include <QStringList>
#include <optional>

#include "collective/collective.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

std::optional<Form> formOf(const QString& text) {
  if (text == QLatin1String("InsideGroup")) return Form::InsideGroup;
  if (text.startsWith(QLatin1String("Parallel("))) return Form::Parallel;
  if (text.startsWith(QLatin1String("Master("))) return Form::Master;
  if (text == QLatin1String("Shards")) return Form::Shards;
  if (text == QLatin1String("Replicas")) return Form::Replicas;
  return std::nullopt;
}

}  // namespace

QString shortProgramName(const QString& program) {
  QStringList steps;
  for (const QString& step : program.split("; ")) {
    const QStringList parts = step.split(':');
    if (parts.size() != 3) return program;
    const auto collective = collectiveFrom(parts[2].toStdString());
    const auto form = formOf(parts[1]);
    if (!collective.ok() || !form) return program;
    const QString ancestor = parts[1].section('(', 1).chopped(parts[1].endsWith(')') ? 1 : 0);
    steps += qs(shortNameOf(*collective)) + ' ' + groupsText(*form, parts[0], ancestor, true);
  }
  return steps.join(QStringLiteral(" → "));
}

}  // namespace p2::views
