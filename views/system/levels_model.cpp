// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/levels_model.h"

#include "base/numbers.h"
#include "base/units.h"
#include "views/common/cell_delegate.h"
#include "views/common/quantity_text.h"
#include "views/system/part_fields.h"
#include "views/system/system_edits.h"
#include "views/system/system_text.h"

namespace p2::views {
namespace {

QString fromView(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

/// Reads one cell into a level; its name is not the level's alone.
Result<void> readCell(Level& level, int column, const std::string& text) {
  Interconnect& link = level.interconnect;
  switch (column) {
    case LevelsModel::Network:
      link.name = text;
      return {};
    case LevelsModel::Count: {
      const auto count = parseInteger(text);
      if (!count) return Error{"\"" + text + "\" is not a number of instances; write a whole number of 1 or more"};
      level.count = *count;
      return {};
    }
    case LevelsModel::Kind: {
      const auto kind = interconnectKindFrom(text);
      if (!kind.ok()) return kind.error();
      link.kind = *kind;
      return {};
    }
    default: {
      const QString typed = QString::fromStdString(text);
      const auto read =
          column == LevelsModel::Bandwidth ? typedBandwidth(typed, link.bandwidth) : typedSeconds(typed, link.latency);
      if (!read.ok()) return read.error();
      (column == LevelsModel::Bandwidth ? link.bandwidth : link.latency) = *read;
      return {};
    }
  }
}

}  // namespace

void LevelsModel::setSystem(const System& system) {
  if (system == m_system) return;
  beginResetModel();
  m_system = system;
  dropDrafts();
  endResetModel();
}

int LevelsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(m_system.levels.size());
}

int LevelsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant LevelsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  if (role == Qt::DisplayRole) {
    return QStringList{tr("Level"), tr("Count"), tr("Joined by"), tr("Bandwidth"), tr("Latency"), tr("Network")}.at(
        section);
  }
  if (role == Qt::ToolTipRole) {
    return QStringList{tr("What the instances of this level are called"),
                       tr("How many there are in each instance of the level above"),
                       tr("How they are joined: switch, ring of neighbours, mesh of all pairs, shared bus, or none"),
                       tr("Per port or ring link and per direction, as in 270GB/s or 100Gbit/s"),
                       tr("To cross the network once, as in 2us"),
                       tr("What the network is called")}
        .at(section);
  }
  if (role == Qt::TextAlignmentRole) {
    const bool number = section == Count || section == Bandwidth || section == Latency;
    return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  return {};
}

QVariant LevelsModel::value(const QModelIndex& index, int role) const {
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      return text(index, role);
    case Qt::TextAlignmentRole:
      return headerData(index.column(), Qt::Horizontal, role);
    case Qt::ToolTipRole:
      return headerData(index.column(), Qt::Horizontal, role);
    case CellDelegate::kChoicesRole:
      if (index.column() != Kind) return {};
      return kindNames(true);
    default:
      return {};
  }
}

QString LevelsModel::text(const QModelIndex& index, int role) const {
  const Level& level = m_system.levels[std::size_t(index.row())];
  const Interconnect& link = level.interconnect;
  const bool edit = role == Qt::EditRole;
  switch (index.column()) {
    case Name:
      return QString::fromStdString(level.name);
    case Count:
      return QString::number(level.count);
    case Kind:
      return fromView(nameOf(link.kind));
    case Bandwidth:
      return edit ? editableBandwidth(link.bandwidth) : QString::fromStdString(formatBandwidth(link.bandwidth));
    case Latency:
      return edit ? editableSeconds(link.latency) : QString::fromStdString(formatSeconds(link.latency));
    default:
      return QString::fromStdString(link.name);
  }
}

QString LevelsModel::doubt(const QModelIndex& index, const QString& text) const {
  if (index.column() != Bandwidth && index.column() != Latency) return {};
  System next = m_system;
  const std::size_t row = std::size_t(index.row());
  // What cannot be taken over at all has a better reason.
  if (!readCell(next.levels[row], index.column(), text.toStdString()).ok() || !checkLevels(next).ok()) return {};
  const Interconnect& before = m_system.levels[row].interconnect;
  const Interconnect& after = next.levels[row].interconnect;
  return index.column() == Bandwidth ? doubtOfBandwidth(before.bandwidth, after.bandwidth)
                                     : doubtOfSeconds(before.latency, after.latency);
}

std::optional<QString> LevelsModel::take(const QModelIndex& index, const QString& text) {
  System next = m_system;
  Level& level = next.levels[std::size_t(index.row())];
  const std::string where = "level " + std::to_string(index.row() + 1) + " (" + level.name + ")";
  if (index.column() == Name) {
    next = renamed(std::move(next), {SystemPart::Kind::Level, index.row()}, text.toStdString());
  } else if (const auto read = readCell(level, index.column(), text.toStdString()); !read.ok()) {
    return QString::fromStdString(read.error().within(where).text());
  }
  if (const auto checked = checkLevels(next); !checked.ok()) return QString::fromStdString(checked.error().text());
  m_system = withFittingName(m_system, std::move(next));
  return std::nullopt;
}

void LevelsModel::insertDefault(int row) {
  System next = m_system;
  std::string name;
  const auto taken = [&] { return partNamed(next, name).index >= 0; };
  for (int number = row + 1; name.empty() || taken(); ++number) name = "level" + std::to_string(number);
  const bool innermost = row == rowCount();
  // One instance: the number of devices, and with it the axes, stay as they are until the user says more.
  next.levels.insert(next.levels.begin() + row, Level{name, 1, defaultInterconnect(name, innermost)});
  m_system = withFittingName(m_system, std::move(next));
}

void LevelsModel::erase(int row) {
  m_system = withFittingName(m_system, withoutParts(m_system, {{SystemPart::Kind::Level, row}}));
}

void LevelsModel::exchange(int a, int b) { m_system = withFittingName(m_system, withLevelMoved(m_system, a, b)); }

}  // namespace p2::views
