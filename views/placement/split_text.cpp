// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/split_text.h"

#include <QCoreApplication>
#include <QStringList>

#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/placement/device_text.h"

namespace p2::views {
namespace {

QString splitTr(const char* text) { return QCoreApplication::translate("SplitText", text); }

QString levelName(const System& system, std::size_t level) { return qs(system.levels[level].name); }
QString manyOf(const System& system, std::size_t level) { return levelName(system, level) + 's'; }

QString axisName(const Placement& placement, std::size_t axis) { return qs(placement.axes()[axis].name); }

/// "across nodes", or for devices of one instance "inside each node".
QString where(const System& system, std::size_t level) {
  const bool inside = level > 0 && level + 1 == system.levels.size();
  return inside ? splitTr("inside each %1").arg(levelName(system, level - 1))
                : splitTr("across %1").arg(manyOf(system, level));
}

QString ways(std::int64_t factor) { return splitTr("%1 ways").arg(factor); }

/// "A and B", "A, B and C", "A … H".
QString lettersOf(std::int64_t parts) {
  constexpr std::int64_t kMostListed = 4;
  const QString last = Theme::categoryLetter(int(parts - 1));
  if (parts > kMostListed) return Theme::categoryLetter(0) + QStringLiteral(" … ") + last;
  QStringList letters;
  for (int i = 0; i + 1 < int(parts); ++i) letters += Theme::categoryLetter(i);
  return letters.isEmpty() ? last : splitTr("%1 and %2").arg(letters.join(QStringLiteral(", ")), last);
}

/// "A and B, 32 devices each".
QString partsText(const Placement& placement, const MatrixPart& part) {
  const std::int64_t parts = DeviceSplit(placement, part).parts();
  const std::int64_t size = placement.deviceCount() / parts;
  const QString letters = lettersOf(parts);
  return size == 1 ? splitTr("%1, one device each").arg(letters)
                   : splitTr("%1, %2 devices each").arg(letters).arg(size);
}

QString levelSentence(const System& system, const Placement& placement, std::size_t level) {
  const Level& own = system.levels[level];
  QStringList split;
  for (std::size_t axis = 0; axis < placement.axes().size(); ++axis) {
    const std::int64_t factor = placement.matrix().at(axis, level);
    if (factor > 1) split += axisName(placement, axis) + ' ' + ways(factor);
  }
  const QString all = own.count == 1 ? splitTr("one %1").arg(levelName(system, level))
                                     : splitTr("%1 %2").arg(own.count).arg(manyOf(system, level));
  const QString of = level == 0 ? all : splitTr("%1 in each %2").arg(all, levelName(system, level - 1));
  if (split.isEmpty()) return splitTr("%1: nothing is split there").arg(of);
  return splitTr("%1: they split %2").arg(of, split.join(QStringLiteral(" · ")));
}

}  // namespace

QString axisSentence(const System& system, const Placement& placement, std::size_t axis) {
  QStringList parts;
  for (std::size_t level = 0; level < system.levels.size(); ++level) {
    const std::int64_t factor = placement.matrix().at(axis, level);
    if (factor > 1) parts += ways(factor) + ' ' + where(system, level);
  }
  const QString name = axisName(placement, axis);
  if (parts.isEmpty()) return splitTr("%1 is not split").arg(name);
  return splitTr("%1 is split %2").arg(name, parts.join(QStringLiteral(", ")));
}

QString placementSentence(const System& system, const Placement& placement) {
  QStringList sentences;
  for (std::size_t axis = 0; axis < placement.axes().size(); ++axis) {
    sentences += axisSentence(system, placement, axis);
  }
  return sentences.join(QStringLiteral("; "));
}

QString placeWords(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  QStringList lines;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    QStringList places;
    QStringList figures;
    for (std::size_t level = 0; level < system.levels.size(); ++level) {
      const std::int64_t factor = matrix.at(axis, level);
      if (factor == 1) continue;
      const bool inside = level > 0 && level + 1 == system.levels.size();
      places +=
          inside ? splitTr("in %1").arg(levelName(system, level - 1)) : splitTr("across %1").arg(manyOf(system, level));
      figures += QString::number(factor) + ' ' + places.last();
    }
    const QString name = qs(axes[axis].name) + ' ';
    lines += name + (places.isEmpty()     ? splitTr("not split")
                     : places.size() == 1 ? places[0]
                                          : figures.join(QStringLiteral(" · ")));
  }
  return lines.join('\n');
}

QString partSentence(const System& system, const Placement& placement, const MatrixPart& part) {
  if (part.empty()) return {};
  const QString parts = partsText(placement, part);
  const bool together = DeviceSplit(placement, part).parts() == 1;
  if (!part.axis) {
    const QString level = levelSentence(system, placement, *part.level);
    return together ? level + '.' : splitTr("%1. On the map: %2.").arg(level, parts);
  }
  const QString axis = axisSentence(system, placement, *part.axis);
  if (part.level) {
    if (together) return splitTr("%1; not %2.").arg(axis, where(system, *part.level));
    QString place = where(system, *part.level);
    place[0] = place[0].toUpper();
    return splitTr("%1. %2: %3.").arg(axis, place, parts);
  }
  const QString reduces = placement.axes()[*part.axis].reduce
                              ? splitTr("devices that differ only in it reduce together")
                              : splitTr("devices of different parts never reduce together");
  return together ? axis + '.' : splitTr("%1; %2. On the map: %3.").arg(axis, reduces, parts);
}

QString partName(const System& system, const Placement& placement, const MatrixPart& part) {
  if (part.isFactor()) {
    return splitTr("%1 %2: %3")
        .arg(axisName(placement, *part.axis), where(system, *part.level),
             QString::number(placement.matrix().at(*part.axis, *part.level)));
  }
  if (part.axis) {
    const Axis& axis = placement.axes()[*part.axis];
    const QString text = axisName(placement, *part.axis) + QStringLiteral(", ") + ways(axis.size);
    return axis.reduce ? splitTr("%1, reduced over").arg(text) : text;
  }
  if (!part.level) return {};
  return QString::number(system.levels[*part.level].count) + ' ' + manyOf(system, *part.level);
}

QString diffSentence(const System& system, const PlacementDiff& diff) {
  const QString all = QString::number(diff.deviceCount());
  QStringList parts;
  if (diff.changedCount() == 0) {
    parts += splitTr("All %1 devices keep their reduction partners; only their coordinates differ").arg(all);
  } else if (diff.changedCount() == diff.deviceCount()) {
    parts += splitTr("All %1 devices change reduction partners").arg(all);
  } else {
    parts += splitTr("%1 of %2 devices change reduction partners").arg(QString::number(diff.changedCount()), all);
  }
  for (const PlacementDiff::Span& span : diff.spans()) {
    const QString name = levelName(system, span.level) + 's';
    if (span.before == 1) {
      parts += splitTr("groups now cross %1 (%2 each)").arg(name).arg(span.after);
    } else if (span.after == 1) {
      parts += splitTr("groups no longer cross %1").arg(name);
    } else {
      parts += splitTr("a group now touches %1 %2 instead of %3").arg(span.after).arg(name).arg(span.before);
    }
  }
  return parts.join(QStringLiteral("; "));
}

QString otherPartners(const PlacementDiff& diff, const Placement& before, Device device) {
  if (!diff.changes(device)) return {};
  return splitTr("in the other placement with %1").arg(membersText(before.groupMembers(before.groupOf(device))));
}

}  // namespace p2::views
