// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "step/step_ranking.h"

class QCheckBox;
class QHBoxLayout;
class QLineEdit;

namespace p2::views {

class DecimalBox;
class InlineMessage;

/// The overlap of a step's communication with its computation and with itself: the seconds of computation as text,
/// empty if they are not given, the slowdown of communication next to it, the share of it that can be used so, and
/// whether exposed and overlappable communication run together.
class EntriesTiming : public QWidget {
  Q_OBJECT
 public:
  explicit EntriesTiming(QWidget* parent = nullptr);
  /// Shows the document's values and drops unfinished input.
  void setTiming(const StepOptions& timing);

 signals:
  /// All values, with the change in words for Undo.
  void chosen(const p2::StepOptions& timing, const QString& what);

 private:
  void makeSeconds();
  void makeFactors();
  void makeTogether();
  DecimalBox* makeFactor(const char* name, const QString& caption, const QString& toolTip, QHBoxLayout& row);
  void choose(const StepOptions& timing, const QString& what);
  void readSeconds(bool confirmed);

  StepOptions m_timing;
  QLineEdit* m_seconds = nullptr;
  QString m_doubted;  // the suspicious value
  InlineMessage* m_problem = nullptr;
  DecimalBox* m_slowdown = nullptr;
  DecimalBox* m_usable = nullptr;
  QCheckBox* m_together = nullptr;
};

}  // namespace p2::views
