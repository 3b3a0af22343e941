// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/workload/entries_shown.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace p2::views {

class DecimalBox;
class FigureSlider;

/// Controls to try figures of one entry: bytes, count and overlap with computation.
class EntriesSliders : public QWidget {
  Q_OBJECT
 public:
  explicit EntriesSliders(QWidget* parent = nullptr);

  /// The entry of the document, its tried figures, and the number of the document's entries it stands for: the
  /// count of several cannot be tried.
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
  QLabel* addAmount(QGridLayout& grid, const QString& caption, const char* name, FigureSlider& slider);
  QWidget* makeOverlap();
  void showFigures();
  void showOverlap(const CommunicationOverlap& overlap);
  void chooseOverlap();

  WorkloadEntry m_entry;
  QLabel* m_title;
  FigureSlider* m_bytes;
  FigureSlider* m_count;
  QLabel* m_bytesText = nullptr;
  QLabel* m_countText = nullptr;
  QComboBox* m_overlap = nullptr;
  DecimalBox* m_overlapValue = nullptr;
  QPushButton* m_reset;
  QPushButton* m_apply;
};

}  // namespace p2::views
