// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <memory>

#include "views/literal/literal_join_model.h"
#include "views/literal/literal_table_model.h"

namespace p2::views {

class LiteralTablePane;

/// The tables that matter at a moment of the literal algorithm: the table of the processed vertex, and below it a
/// neighbour's or the join.
class LiteralTables : public QSplitter {
  Q_OBJECT
 public:
  explicit LiteralTables(QWidget* parent = nullptr);

  /// `picked`: the vertex that the user wants to see, −1 for none.
  void show(const std::shared_ptr<const LiteralRun>& run, std::size_t moment, int picked);
  void setTextPixels(int pixels);

 private:
  LiteralTablePane* m_firstPane;
  LiteralTablePane* m_secondPane;
  LiteralTableModel m_first;
  LiteralTableModel m_second;
  LiteralJoinModel m_join;
};

}  // namespace p2::views
