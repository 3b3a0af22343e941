// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>
#include <QWidget>

#include "views/workload/entries_shown.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace p2::views {

class DecimalBox;

/// A slider around a number, a hundredth to a hundred times of it, evenly in the logarithm. A double click brings the
/// number back.
class AmountSlider : public QSlider {
  Q_OBJECT
 public:
  explicit AmountSlider(QWidget* parent = nullptr);
  /// Moves it without a word to where it stands for `tried`, `own` being in the middle.
  void setAmount(std::int64_t own, std::optional<std::int64_t> tried);
  /// What it stands at, 1 or more; nothing while that is its own.
  [[nodiscard]] std::optional<std::int64_t> tried() const;

 protected:
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  std::int64_t m_own = 1;
};

/// What of one entry can be tried out, its bytes and how often it happens, and how it overlaps with computation.
class EntriesSliders : public QWidget {
  Q_OBJECT
 public:
  explicit EntriesSliders(QWidget* parent = nullptr);

  /// The entry of the document, what is tried in its place, and how many entries of the document it stands for: of
  /// several no other count can be tried.
  void setEntry(std::size_t row, const WorkloadEntry& entry, const TriedEntry& tried, std::size_t standsFor);
  void clear();
  /// Whether anything, here or in other rows, is tried out: whether there is something to reset or apply.
  void setAnyTried(bool any);
  [[nodiscard]] TriedEntry tried() const;

 signals:
  void moved();
  void released();  ///< the mouse let go of a slider
  void resetWanted();
  void applyWanted();
  void overlapChosen(const p2::CommunicationOverlap& overlap);

 private:
  AmountSlider* addSlider(QGridLayout& grid, const QString& caption, const char* name, QLabel* text);
  QWidget* makeOverlap();
  void showFigures();
  void showOverlap(const CommunicationOverlap& overlap);
  void chooseOverlap();

  WorkloadEntry m_entry;
  QLabel* m_title;
  AmountSlider* m_bytes = nullptr;
  AmountSlider* m_count = nullptr;
  QLabel* m_bytesText;
  QLabel* m_countText;
  QComboBox* m_overlap = nullptr;
  DecimalBox* m_overlapValue = nullptr;
  QPushButton* m_reset;
  QPushButton* m_apply;
};

}  // namespace p2::views
