// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QWidget>
#include <vector>

#include "placement/parallelism_matrix.h"

namespace p2::views {

class Session;

/// A link of the chain: caption and current choice; matrices are drawn.
class ChainLink : public QAbstractButton {
  Q_OBJECT
 public:
  explicit ChainLink(const QString& objectName, const QString& caption, QWidget* parent = nullptr);

  /// The remark is only in its tool tip.
  void setValue(const QString& value, const ParallelismMatrix& matrix = {}, const QString& remark = {});
  /// Greys a value that answers an older question.
  void setStale(bool stale);
  /// The minimum number of characters shown of the value.
  void setLeastCharacters(int characters);
  /// One line: without the caption, and with the matrix as text.
  void setBrief(bool brief);
  [[nodiscard]] QString value() const { return shownValue(); }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] QFont captionFont() const;
  [[nodiscard]] QFont matrixFont() const;
  [[nodiscard]] int matrixWidth() const;
  [[nodiscard]] int captionWidth() const;
  [[nodiscard]] bool drawsMatrix() const;
  [[nodiscard]] QString shownValue() const;

  QString m_caption;
  QString m_value;
  ParallelismMatrix m_matrix;
  int m_leastCharacters = 0;
  bool m_stale = false;
  bool m_brief = false;
};

/// The current choices, each one click from the place to change it: System ▸ Axes ▸ Placement ▸ Program, or on the way
/// to a training job Cluster ▸ Model ▸ Plan.
class ChainBar : public QWidget {
  Q_OBJECT
 public:
  explicit ChainBar(Session& session, QWidget* parent = nullptr);
  /// Shows the choices of the way to a training job.
  void showTraining(bool training);
  /// One line, for low windows.
  void setBrief(bool brief);

 signals:
  /// The id of the perspective where that choice is made.
  void perspectiveWanted(const QString& id);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitLastLinks();
  ChainLink* addLink(QWidget& chain, const QString& objectName, const QString& caption, const QString& perspective);
  void refresh();
  void refreshTraining();

  Session& m_session;
  QWidget* m_reduction;
  QWidget* m_training;
  ChainLink* m_cluster;
  ChainLink* m_model;
  ChainLink* m_plan;
  ChainLink* m_system;
  ChainLink* m_axes;
  ChainLink* m_placement;
  ChainLink* m_program;
};

}  // namespace p2::views
