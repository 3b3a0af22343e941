// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/rule_values.h"

#include <QObject>
#include <algorithm>
#include <array>
#include <cmath>

#include "views/common/device_names.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostMembers = 6;
constexpr std::size_t kMostRuns = 4;
constexpr std::size_t kMostRows = 4096;  // that are pointed out at once

/// "0,1,4…7"; with a `mark` before the end of a run, "0,1,4…d7".
QString runsOf(const ChunkSet& set, const char* mark = "") {
  QStringList runs;
  for (const ChunkRange& range : set) {
    if (std::size_t(runs.size()) == kMostRuns) {
      runs.append("…");
      break;
    }
    const std::int64_t last = range.to - 1;
    if (last - range.from < 2) {
      runs.append(last == range.from ? QString::number(last) : QString("%1,%2").arg(range.from).arg(last));
    } else {
      runs.append(QString("%1…%2%3").arg(range.from).arg(QLatin1String(mark)).arg(last));
    }
  }
  return runs.join(",");
}

QString braced(const ChunkSet& set) { return "{" + runsOf(set) + "}"; }

/// The devices behind columns, in the notation of runs.
ChunkSet devicesOf(const ChunkSet& columns, const DeviceGroup& contributors) {
  ChunkSet devices;
  for (const ChunkRange& range : columns) {
    for (std::int64_t column = range.from; column < range.to; ++column) {
      const std::int64_t device = contributors[std::size_t(column)].value();
      devices.push_back({device, device + 1});
    }
  }
  return merged(std::move(devices));
}

/// The group's members and their contents, in words and for the stage.
class GroupValues {
 public:
  GroupValues(const ProgramTrace& trace, const Placement& placement, const DeviceGroup& group, int steps)
      : m_trace(trace),
        m_group(group),
        m_steps(steps),
        m_contributors(placement.groupMembers(placement.groupOf(group[0]))) {}

  RuleValues of(Premise premise) const {
    switch (premise) {
      case Premise::MembersNonEmpty:
      case Premise::RowCountsEqual:
        return {countsText(), held()};
      case Premise::RowsEqual:
        return {sameOrEach([&](Device device) { return braced(rows(device)); }), held()};
      case Premise::ColumnsDisjoint:
        return {each([&](Device device) { return braced(contributorsOf(device)); }, " "), held()};
      case Premise::SizeDividesRows: {
        const bool divides = chunks(m_group[0]) % std::ssize(m_group) == 0;
        const QString result =
            divides ? QString::number(chunks(m_group[0]) / std::ssize(m_group)) : QObject::tr("not whole");
        return {QStringLiteral("%1 ÷ %2 = %3").arg(chunks(m_group[0])).arg(m_group.size()).arg(result), held()};
      }
      case Premise::RowsDisjoint:
        return {each([&](Device device) { return braced(rows(device)); }, " "), held()};
      case Premise::RootNonEmpty:
        return {QObject::tr("%1 holds %2").arg(deviceShortName(m_group[0])).arg(chunks(m_group[0])), held(1)};
      case Premise::MembersWithinRoot:
      case Premise::RootTellsSomething:
        return {
            each([&](Device device) { return deviceShortName(device) + " " + braced(contributorsOf(device)); }, ", "),
            held()};
      case Premise::OthersEmpty:
        return {each([&](Device device) { return QString::number(chunks(device)); }, ", "), held()};
    }
    return {};
  }

  RuleValues holdings() const {
    return {each(
                [&](Device device) {
                  const auto parts = m_trace.partsOf(device, m_steps);
                  if (parts.empty()) return QObject::tr("%1: nothing").arg(deviceShortName(device));
                  QStringList texts;
                  for (const FoldedState& part : parts) {
                    texts.append(
                        QObject::tr("%1 = Σ %2")
                            .arg(chunksText(part.rows), "d" + runsOf(devicesOf(part.columns, m_contributors), "d")));
                  }
                  return deviceShortName(device) + ": " + texts.join(", ");
                },
                "\n", 3),
            held()};
  }

 private:
  static QString chunksText(const ChunkSet& set) {
    return (countOf(set) == 1 ? QObject::tr("chunk %1") : QObject::tr("chunks %1")).arg(runsOf(set));
  }
  /// "8 chunks each", "8, 0 chunks".
  QString countsText() const {
    const std::int64_t first = chunks(m_group[0]);
    const bool same =
        std::all_of(m_group.begin(), m_group.end(), [&](Device device) { return chunks(device) == first; });
    if (same) return QObject::tr("%1 each").arg(counted(first, "chunk"));
    return each([&](Device device) { return QString::number(chunks(device)); }, ", ") + QObject::tr(" chunks");
  }
  std::int64_t chunks(Device device) const { return m_trace.holdingOf(device, m_steps).chunks; }
  ChunkSet rows(Device device) const { return m_trace.chunksOf(device, m_steps); }
  /// Contributors of all held chunks together: they agree as long as the goal can be reached.
  ChunkSet contributorsOf(Device device) const {
    ChunkSet all;
    for (const FoldedState& part : m_trace.partsOf(device, m_steps)) {
      all.insert(all.end(), part.columns.begin(), part.columns.end());
    }
    return devicesOf(merged(std::move(all)), m_contributors);
  }

  template <class Text>
  QString each(const Text& text, const QString& between, std::size_t most = kMostMembers) const {
    QStringList texts;
    for (std::size_t i = 0; i < std::min(m_group.size(), most); ++i) texts.append(text(m_group[i]));
    if (m_group.size() > most) texts.append("…");
    return texts.join(between);
  }

  template <class Text>
  QString sameOrEach(const Text& text) const {
    const QString first = text(m_group[0]);
    const std::size_t looked = std::min<std::size_t>(m_group.size(), kMostShownDevices);
    const bool same = std::all_of(m_group.begin(), m_group.begin() + std::ptrdiff_t(looked),
                                  [&](Device device) { return text(device) == first; });
    return same ? QObject::tr("%1 each").arg(first) : each(text, " ");
  }

  StageEmphasis held(std::size_t members = kMostMembers * 64) const {
    StageEmphasis emphasis;
    for (std::size_t i = 0; i < std::min(m_group.size(), members); ++i) {
      emphasis.devices.push_back(m_group[i]);
      for (const ChunkRange& range : rows(m_group[i])) {
        for (std::int64_t row = range.from; row < range.to && emphasis.rows.size() < kMostRows; ++row) {
          emphasis.rows.push_back({m_group[i], row});
        }
      }
    }
    return emphasis;
  }

  const ProgramTrace& m_trace;
  const DeviceGroup& m_group;
  int m_steps;
  DeviceGroup m_contributors;
};

}  // namespace

RuleValues premiseValues(const ProgramTrace& trace, const Placement& placement, const DeviceGroup& group,
                         Premise premise, int steps) {
  return GroupValues(trace, placement, group, steps).of(premise);
}

RuleValues holdingValues(const ProgramTrace& trace, const Placement& placement, const DeviceGroup& group, int steps) {
  return GroupValues(trace, placement, group, steps).holdings();
}

DeviceGroup shownGroup(const Replay& replay, StepId step) {
  if (step == StepId(replay.validSteps()) && replay.failure) return replay.failure->group;
  return replay.hierarchy->groups(replay.program[step.index()].pattern).front();
}

QString shareText(Bytes amount, Bytes whole) {
  struct Vulgar {
    int numerator, denominator;
    const char* text;
  };
  static constexpr std::array<Vulgar, 7> kVulgar{
      {{1, 2, "½"}, {1, 4, "¼"}, {3, 4, "¾"}, {1, 8, "⅛"}, {3, 8, "⅜"}, {5, 8, "⅝"}, {7, 8, "⅞"}}};
  if (whole.value() <= 0) return {};
  const double share = double(amount.value()) / double(whole.value());
  for (int denominator = 1; denominator <= 1024; ++denominator) {
    const double numerator = std::round(share * denominator);
    // With denominators of up to 1024 two fractions differ by 1e-6 or more.
    if (numerator < 1 || std::abs(numerator / denominator - share) > 1e-6 * share) continue;
    if (denominator == 1 && numerator == 1) return {};
    QString text = QString("%1/%2").arg(int(numerator)).arg(denominator);
    if (denominator == 1) text = QString::number(int(numerator));
    for (const Vulgar& own : kVulgar) {
      if (own.numerator == int(numerator) && own.denominator == denominator) text = QString::fromUtf8(own.text);
    }
    return text + " · " + bytesText(whole);
  }
  return {};
}

}  // namespace p2::views
