// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <vector>

class QSplitter;

namespace p2::views {

class EdgeButton;

/// A splitter whose panels give way where there is not room for all of them side by side: those that matter least fold
/// away into a button at the edge, which opens them in the place of others. It never needs more width than the widest
/// panel.
class FoldingPanels : public QWidget {
  Q_OBJECT
 public:
  struct Panel {
    QString name;   ///< name of its button: "systemForms" makes "systemFormsEdge"
    QString title;  ///< text of the button
    int rank = 0;   ///< the panel of rank 0 stays longest
    int room = 0;   ///< width kept for it before others fold; at least its minimum
  };
  /// `panels` are the splitter's, in order.
  FoldingPanels(QSplitter* splitter, std::vector<Panel> panels, QWidget* parent = nullptr);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  /// Unfolds the panel that contains `widget`.
  void reveal(const QWidget& widget);

  /// Unfolds every panel that contains `widget`, at any depth.
  static void revealAll(QWidget& widget);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] int wantedWidth(int panel) const;
  [[nodiscard]] std::vector<int> byRank() const;
  [[nodiscard]] std::vector<bool> fitting() const;
  void open(int panel);
  void fold();
  void place();
  void share();
  [[nodiscard]] int edgeWidth(bool left, const std::vector<bool>& shown) const;

  QSplitter* m_splitter;
  std::vector<Panel> m_panels;
  std::vector<EdgeButton*> m_edges;  // by panel
  std::vector<bool> m_shown;
  int m_opened = -1;   // by its button
  QList<int> m_sizes;  // before anything was folded
};

}  // namespace p2::views
