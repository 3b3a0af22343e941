// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/networks_model.h"

#include <algorithm>
#include <iterator>

#include "system/interconnects.h"
#include "views/common/text.h"
#include "views/system/part_fields.h"
#include "views/system/system_text.h"

namespace p2::views {
namespace {

struct NetworkColumn {
  const char* title;
  const char* toolTip;
  const char* key;  // PartField::key
};

constexpr NetworkColumn kNetworkColumns[NetworksModel::ColumnCount] = {
    {QT_TRANSLATE_NOOP("NetworksModel", "Network"), QT_TRANSLATE_NOOP("NetworksModel", "Name of the network"), "name"},
    {QT_TRANSLATE_NOOP("NetworksModel", "Count"),
     QT_TRANSLATE_NOOP("NetworksModel", "Number of instances in each enclosing part, such as 8"), "instances"},
    {QT_TRANSLATE_NOOP("NetworksModel", "Bandwidth"),
     QT_TRANSLATE_NOOP("NetworksModel", "Per port and direction, such as 50GB/s or 400Gbit/s"), "bandwidth"},
    {QT_TRANSLATE_NOOP("NetworksModel", "Latency"), "", "latency"},
    {QT_TRANSLATE_NOOP("NetworksModel", "Ratio"),
     QT_TRANSLATE_NOOP("NetworksModel", "Oversubscription: ratio of the bandwidth into a port to its own, such as 2:1"),
     "oversubscription"}};

SystemPart networkAt(int row) { return {SystemPart::Kind::Network, row}; }

}  // namespace

void NetworksModel::setSystem(const System& system) {
  if (system == m_system) return;
  beginResetModel();
  m_system = system;
  dropDrafts();
  endResetModel();
}

int NetworksModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(m_system.networks.size());
}

int NetworksModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant NetworksModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  if (role == Qt::DisplayRole) return tr(kNetworkColumns[section].title);
  if (role == Qt::ToolTipRole) return section == Latency ? latencyTip() : tr(kNetworkColumns[section].toolTip);
  if (role == Qt::TextAlignmentRole) {
    return int((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  return {};
}

Qt::ItemFlags NetworksModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags all = DraftTableModel::flags(index);
  // A ratio exists only above other networks.
  return index.column() == Ratio && typed(index).isEmpty() ? all & ~Qt::ItemIsEditable : all;
}

QVariant NetworksModel::value(const QModelIndex& index, int role) const {
  switch (role) {
    case Qt::DisplayRole:
      return text(index);
    case Qt::EditRole:
      return typed(index);
    case Qt::ToolTipRole:
    case Qt::TextAlignmentRole:
      return headerData(index.column(), Qt::Horizontal, role);
    default:
      return {};
  }
}

QString NetworksModel::typed(const QModelIndex& index) const {
  const std::vector<PartField> fields = fieldsOf(m_system, networkAt(index.row()));
  const auto field = std::find_if(fields.begin(), fields.end(), [&](const PartField& each) {
    return each.key == QLatin1String(kNetworkColumns[index.column()].key);
  });
  return field == fields.end() ? QString() : field->value;
}

QString NetworksModel::text(const QModelIndex& index) const {
  const Network& network = m_system.networks[std::size_t(index.row())];
  const Interconnect& link = network.interconnect;
  switch (index.column()) {
    case Count:
      return network.within.empty() ? QString::number(network.instances)
                                    : tr("%1 per %2").arg(network.instances).arg(qs(network.within));
    case Bandwidth:
      if (m_system.calibrated && link.fittedBandwidth > 0) {
        return tr("%1 fitted").arg(bandwidthText(link.fittedBandwidth));
      }
      return bandwidthText(link.bandwidth);
    case Latency:
      return latencyText(link.latency);
    case Ratio: {
      const QString ratio = typed(index);
      return ratio.isEmpty() ? QStringLiteral("–") : ratio;
    }
    default:
      return typed(index);
  }
}

std::optional<QString> NetworksModel::take(const QModelIndex& index, const QString& text) {
  const QString key = QLatin1String(kNetworkColumns[index.column()].key);
  auto next = withField(m_system, networkAt(index.row()), key, text);
  if (!next.ok()) return qs(next.error().within(m_system.networks[std::size_t(index.row())].interconnect.name).text());
  m_system = withDerived(m_system, std::move(next).value());
  return std::nullopt;
}

}  // namespace p2::views
