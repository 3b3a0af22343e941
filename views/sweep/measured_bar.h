// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "atlas/atlas.h"
#include "collective/goal.h"
#include "views/shell/derived.h"

class QComboBox;
class QLabel;

namespace p2::views {

class Session;

/// The shown public measurements of machines like the document's, and the model's errors on them.
class MeasuredBar : public QWidget {
  Q_OBJECT
 public:
  explicit MeasuredBar(Session& session, QWidget* parent = nullptr);

  /// Lists tables of machines like the system, and shows one with `members` devices at first, if there is one. Only
  /// AllReduces are measured: other goals have no tables.
  void setQuestion(const System& system, const Goal& goal, std::int64_t members);
  /// The table that is chosen; null for none.
  [[nodiscard]] const AtlasTable* table() const;
  /// The machine and the publication in a line; empty without one.
  [[nodiscard]] QString title() const;

 signals:
  void tableChanged();

 private:
  using Tables = std::vector<const AtlasTable*>;
  void follow();

  [[nodiscard]] bool isOfMembers(const AtlasTable& table) const;

  std::int64_t m_members = 0;
  bool m_isMeasured = true;  ///< whether tables are of the goal
  QComboBox* m_choice;
  QLabel* m_nothing;
  Derived<System, Tables> m_tables;
};

}  // namespace p2::views
