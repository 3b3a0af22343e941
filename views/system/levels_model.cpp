// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/levels_model.h"

#include <QFont>

#include "system/interconnects.h"
#include "system/properties.h"
#include "views/common/cell_delegate.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/system/interconnect_kinds.h"
#include "views/system/part_fields.h"
#include "views/system/system_edits.h"
#include "views/system/system_text.h"

namespace p2::views {
namespace {

const Property<Level>* levelProperty(int column) {
  return column == LevelsModel::Count ? propertyOf(levelProperties(), "count") : nullptr;
}

const Property<Interconnect>& linkProperty(int column) {
  const char* key = column == LevelsModel::Kind        ? "kind"
                    : column == LevelsModel::Bandwidth ? "bandwidth"
                    : column == LevelsModel::Latency   ? "latency"
                                                       : "name";
  return *propertyOf(interconnectProperties(), key);
}

template <class Part>
Result<void> setFromText(const Property<Part>& property, Part& part, const std::string& text) {
  const QString shown = qs(propertyText(property.info, property.get(part)));
  const std::string typed = isFigure(property.info.kind) ? withShownUnit(qs(text), shown) : text;
  P2_TRY_ASSIGN(const auto value, propertyFromText(property.info, typed));
  property.set(part, value);
  return {};
}

/// Reads one cell into a level; its name is not the level's alone.
Result<void> readCell(Level& level, int column, const std::string& text) {
  if (const auto* property = levelProperty(column)) return setFromText(*property, level, text);
  return setFromText(linkProperty(column), level.interconnect, text);
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
    return QStringList{tr("Level"), tr("Count"), tr("Kind"), tr("Bandwidth"), tr("Latency"), tr("Network")}.at(section);
  }
  if (role == Qt::ToolTipRole) {
    return QStringList{tr("Name of this level"),
                       tr("Number per instance of the level above"),
                       tr("Topology: switch, ring of neighbours, mesh of all pairs, shared bus, or none"),
                       tr("Per port or ring link and direction, such as 270GB/s or 100Gbit/s"),
                       latencyTip(),
                       tr("Name of the network")}
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
    case Qt::ToolTipRole:
      if (index.column() == Bandwidth && hasAssumedFigures(m_system, std::size_t(index.row()))) {
        return tr("Assumed, because it is not given. %1")
            .arg(headerData(index.column(), Qt::Horizontal, Qt::ToolTipRole).toString());
      }
      if (const Interconnect& link = m_system.levels[std::size_t(index.row())].interconnect;
          index.column() == Bandwidth && m_system.calibrated && link.fittedBandwidth > 0) {
        return tr("Fitted to measurements; given: %1").arg(bandwidthText(link.bandwidth));
      }
      return headerData(index.column(), Qt::Horizontal, role);
    case Qt::FontRole: {
      if (index.column() != Bandwidth || !hasAssumedFigures(m_system, std::size_t(index.row()))) return {};
      QFont font;
      font.setItalic(true);
      return font;
    }
    case Qt::TextAlignmentRole:
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
  if (index.column() == Name) return qs(level.name);
  if (const auto* property = levelProperty(index.column())) {
    return qs(propertyText(property->info, property->get(level)));
  }
  const bool joins = link.kind != InterconnectKind::None;
  // A level without an interconnect of its own has no figures, not even a switch's defaults.
  if (!joins && role != Qt::EditRole && (index.column() == Bandwidth || index.column() == Latency)) {
    return QStringLiteral("–");
  }
  if (role != Qt::EditRole && index.column() == Bandwidth) {
    // The figure that prices are made of.
    if (m_system.calibrated && link.fittedBandwidth > 0) {
      return tr("%1 fitted").arg(bandwidthText(link.fittedBandwidth));
    }
    return bandwidthText(link.bandwidth);
  }
  if (role != Qt::EditRole && index.column() == Latency) return latencyText(link.latency);
  const Property<Interconnect>& property = linkProperty(index.column());
  return qs(propertyText(property.info, property.get(link)));
}

QString LevelsModel::doubt(const QModelIndex& index, const QString& text) const {
  if (index.column() != Bandwidth && index.column() != Latency) return {};
  System next = m_system;
  const std::size_t row = std::size_t(index.row());
  // Text that cannot be accepted at all has a better reason.
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
    return qs(read.error().within(where).text());
  }
  if (const auto checked = checkLevels(next); !checked.ok()) return qs(checked.error().text());
  m_system = withDerived(m_system, std::move(next));
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
  m_system = withDerived(m_system, std::move(next));
}

void LevelsModel::erase(int row) {
  m_system = withDerived(m_system, withoutParts(m_system, {{SystemPart::Kind::Level, row}}));
}

void LevelsModel::exchange(int a, int b) { m_system = withDerived(m_system, withLevelMoved(m_system, a, b)); }

}  // namespace p2::views
