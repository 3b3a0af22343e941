// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "atlas/atlas.h"
#include "views/shell/derived.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace p2::views {

/// Which public measurements of machines like the document's are shown, and how good the model is on them.
class MeasuredBar : public QWidget {
  Q_OBJECT
 public:
  explicit MeasuredBar(JobQueue& jobs, QWidget* parent = nullptr);

  void setSystem(const System& system);
  /// The table that is chosen; null for none.
  [[nodiscard]] const AtlasTable* table() const;
  /// Where it was measured and published, in a line; empty without one.
  [[nodiscard]] QString title() const;

 signals:
  void tableChanged();
  void qualityWanted();

 private:
  using Tables = std::vector<const AtlasTable*>;
  void follow();

  QComboBox* m_choice;
  QLabel* m_nothing;
  QPushButton* m_quality;
  Derived<System, Tables> m_tables;
};

}  // namespace p2::views
