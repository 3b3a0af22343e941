// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "explore/port_bytes.h"

namespace p2::views {

/// Byte counters, one bar per interconnect: bytes so far through its busiest port.
class PortBars : public QWidget {
  Q_OBJECT
 public:
  struct Row {
    QString label;      ///< "busiest port of a node"
    QString port;       ///< "node 0 ↑"; empty if nothing goes there
    PortBytes counter;  ///< without bytes if nothing goes there
    double most = 0;    ///< bytes that fill the bar
    QString brief;      ///< the label where there is less room: "port of a node"
  };
  explicit PortBars(QWidget* parent = nullptr);

  void setRows(std::vector<Row> rows);
  void setMoment(int steps, double progress);
  /// The present text of a row's counter.
  [[nodiscard]] double bytes(std::size_t row) const;
  [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }
  /// "1.20 of 1.61 GB through the busiest port of a node", a line per row.
  [[nodiscard]] QString text() const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] QString amountText(std::size_t row) const;
  [[nodiscard]] int rowHeight() const;

  std::vector<Row> m_rows;
  int m_steps = 0;
  double m_progress = 0;
};

/// The rows of two runs on one system, the same interconnects in the same places and one scale for both.
[[nodiscard]] std::pair<std::vector<PortBars::Row>, std::vector<PortBars::Row>> portRows(
    const System& system, const std::vector<PortBytes>& a, const std::vector<PortBytes>& b);

}  // namespace p2::views
