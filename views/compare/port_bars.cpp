// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/port_bars.h"

#include <QFontInfo>
#include <QPainter>
#include <algorithm>
#include <set>

#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

QString amountOf(double bytes) { return bytes > 0 ? bytesText(Bytes(bytes)) : QStringLiteral("0 B"); }

const PortBytes* counterAt(const std::vector<PortBytes>& ports, std::size_t interconnect) {
  const auto at = std::find_if(ports.begin(), ports.end(),
                               [&](const PortBytes& port) { return port.interconnect == interconnect; });
  return at == ports.end() ? nullptr : &*at;
}

}  // namespace

PortBars::PortBars(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setAccessibleName(tr("Bytes so far"));
}

void PortBars::setRows(std::vector<Row> rows) {
  m_rows = std::move(rows);
  QStringList tips;
  for (const Row& row : m_rows) {
    tips << (row.port.isEmpty() ? tr("%1: no traffic").arg(row.label)
                                : tr("%1: %2, in one run").arg(row.label, row.port));
  }
  setToolTip(tips.join('\n'));
  updateGeometry();
  setMoment(0, 0);
}

void PortBars::setMoment(int steps, double progress) {
  m_steps = steps;
  m_progress = progress;
  setAccessibleDescription(text());
  update();
}

double PortBars::bytes(std::size_t row) const {
  const PortBytes& counter = m_rows[row].counter;
  return counter.bytes.empty() ? 0 : counter.at(m_steps, m_progress);
}

QString PortBars::amountText(std::size_t row) const {
  const PortBytes& counter = m_rows[row].counter;
  if (counter.bytes.empty()) return amountOf(0);
  return tr("%1 of %2").arg(amountOf(bytes(row)), amountOf(counter.total()));
}

QString PortBars::text() const {
  QStringList lines;
  for (std::size_t i = 0; i < m_rows.size(); ++i) lines << tr("%1 through the %2").arg(amountText(i), m_rows[i].label);
  return lines.join('\n');
}

int PortBars::rowHeight() const { return fontMetrics().height() + Theme::kGrid / 2; }

QSize PortBars::sizeHint() const { return {240, int(m_rows.size()) * rowHeight()}; }
QSize PortBars::minimumSizeHint() const { return {120, sizeHint().height()}; }

void PortBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QFont numbers = Theme::tabularFont();
  numbers.setPixelSize(QFontInfo(font()).pixelSize());
  const QFontMetrics metrics(numbers);
  int amounts = 0;
  for (const Row& row : m_rows) {
    const QString whole = amountOf(row.most);
    amounts = std::max(amounts, metrics.horizontalAdvance(tr("%1 of %2").arg(whole, whole)));
  }
  int labels = 0;
  for (const Row& row : m_rows) labels = std::max(labels, fontMetrics().horizontalAdvance(row.label));
  const int room = std::max(width() / 3, width() - amounts - 80);
  const bool fits = labels <= room;
  labels = std::min(labels, room);
  const int height = rowHeight();
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    const Row& row = m_rows[i];
    const QRect line(0, int(i) * height, width(), height);
    painter.setFont(font());
    painter.setPen(Theme::text());
    painter.drawText(line.adjusted(0, 0, labels - width(), 0), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(fits ? row.label : row.brief, Qt::ElideRight, labels));
    painter.setFont(numbers);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, amountText(i));
    const QRectF bar = QRectF(line).adjusted(labels + Theme::kGrid, 4, -amounts - Theme::kGrid, -4);
    if (bar.width() < 8) continue;
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::box(1));
    painter.drawRoundedRect(bar, 3, 3);
    if (row.most <= 0 || row.counter.bytes.empty()) continue;
    const auto part = [&](double amount, const QColor& color) {
      painter.setBrush(color);
      painter.drawRoundedRect(QRectF(bar.topLeft(), QSizeF(bar.width() * amount / row.most, bar.height())), 3, 3);
    };
    part(row.counter.total(), Theme::line());
    part(bytes(i), Theme::accent());
  }
}

std::pair<std::vector<PortBars::Row>, std::vector<PortBars::Row>> portRows(const System& system,
                                                                           const std::vector<PortBytes>& a,
                                                                           const std::vector<PortBytes>& b) {
  std::set<std::size_t> used;
  for (const PortBytes& port : a) used.insert(port.interconnect);
  for (const PortBytes& port : b) used.insert(port.interconnect);
  std::pair<std::vector<PortBars::Row>, std::vector<PortBars::Row>> rows;
  for (const std::size_t interconnect : used) {
    const PortBytes* ofA = counterAt(a, interconnect);
    const PortBytes* ofB = counterAt(b, interconnect);
    const double most = std::max(ofA ? ofA->total() : 0, ofB ? ofB->total() : 0);
    const QString owner = qs(ownerText(system, interconnect));
    const QString label = QObject::tr("busiest port of %1").arg(owner);
    const QString brief = QObject::tr("port of %1").arg(owner);
    const auto row = [&](const PortBytes* port) {
      if (port == nullptr) return PortBars::Row{label, {}, {}, most, brief};
      return PortBars::Row{label, qs(port->name), *port, most, brief};
    };
    rows.first.push_back(row(ofA));
    rows.second.push_back(row(ofB));
  }
  return rows;
}

}  // namespace p2::views
