// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QTextBrowser;
class QVBoxLayout;

namespace p2::views {

class Player;
class PointerRing;
class StageLegend;

/// A stage for the last row of a lecture hall: the whole screen, no text below kLeastPixels, the rule of the step below
/// it, a ring round the pointer. Right, Page Down, Space, the keys of clickers step on, Left and Page Up back; R takes
/// the ring away, L the legend, P plays, B and . show a black screen until the next key, Esc and F11 leave. It moves a
/// player that others may look at, too.
class PresentWindow : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kLeastPixels = 24;

  explicit PresentWindow(Player& player, QWidget* parent = nullptr);

  /// How large a stage must be shown for its smallest text.
  [[nodiscard]] static double magnification();
  /// What is shown large, from then on the window's own; `share` times as wide as half of a text next to it.
  void setBody(QWidget* body, int share = 3);
  /// How it is read; null where there is nothing to say.
  void setLegend(StageLegend* legend);
  void setTitle(const QString& title);
  /// The rule of the step, in rich text.
  void setSentence(const QString& html);
  /// Text that stands next to the stage, a lesson's; an empty one takes it away.
  void setPageText(const QString& html);
  /// Whether stepping past an end turns the page of a lesson.
  void setTurnsPages(bool turns) { m_turnsPages = turns; }
  [[nodiscard]] bool isBlank() const;
  [[nodiscard]] PointerRing& ring() { return *m_ring; }

 signals:
  void left();
  void pageWanted(int by);  ///< 1 for the next page, −1 for the one before

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  /// Whether the key means something here.
  bool obey(const QKeyEvent& event);
  bool turnPage(const QKeyEvent& event);
  void watch(QWidget& widget);
  void setTextSize();

  Player& m_player;
  QLabel* m_title;
  QHBoxLayout* m_middle;
  QVBoxLayout* m_stage;
  QWidget* m_body = nullptr;
  StageLegend* m_legend = nullptr;
  QTextBrowser* m_page;
  QLabel* m_sentence;
  PointerRing* m_ring;
  QWidget* m_blank;
  bool m_turnsPages = false;
};

}  // namespace p2::views
