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
class SpeakerNotes;
class StageLegend;

/// A stage for the last row of a lecture hall: the whole screen, no text below letterPixels(), the rule of the step
/// below it, a ring round the pointer. Right, Page Down, Space, the keys of clickers step on, Left and Page Up back; R
/// takes the ring away, L the legend, P plays, S opens the speaker's notes, B and . show a black screen until the next
/// key, Esc and F11 leave. It moves a player that others may look at, too.
class PresentWindow : public QWidget {
  Q_OBJECT
 public:
  /// Pixels of the smallest letters in a window of that height: a thirtieth, at any scale of the screen.
  [[nodiscard]] static int letterPixels(int height);

  explicit PresentWindow(Player& player, QWidget* parent = nullptr);

  /// Magnification of the stage that makes its smallest text readable.
  [[nodiscard]] double magnification() const;
  /// The enlarged widget, owned by the window from then on; `share` times as wide as half of a text next to it.
  void setBody(QWidget* body, int share = 3);
  /// Shows a legend; null for none.
  void setLegend(StageLegend* legend);
  void setTitle(const QString& title);
  /// The rule of the step, in rich text.
  void setSentence(const QString& html);
  /// Keeps as much room for the sentence as the longest of these needs, so that the picture stays when it changes.
  void reserveSentences(const QStringList& html);
  /// Text that stands next to the stage, a lesson's; an empty one takes it away.
  void setPageText(const QString& html);
  /// Whether stepping past an end turns the page of a lesson.
  void setTurnsPages(bool turns) { m_turnsPages = turns; }
  /// The step on the screen and the next one, in rich text, for the speaker; an empty `next` at the end.
  void tellSpeaker(const QString& now, const QString& next);
  /// The document's notes, or a lesson's text.
  void setSpeakerText(const QString& notes);
  [[nodiscard]] bool isBlank() const;
  [[nodiscard]] PointerRing& ring() { return *m_ring; }

 signals:
  void left();
  /// magnification() has changed with the height of the window.
  void magnified(double factor);
  void pageWanted(int by);  ///< 1 for the next page, −1 for the one before

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  /// Whether the key means something here.
  bool obey(const QKeyEvent& event);
  bool turnPage(const QKeyEvent& event);
  void watch(QWidget& widget);
  void setTextSize();
  void reserveRoom();
  void openSpeaker();

  Player& m_player;
  QLabel* m_title;
  QHBoxLayout* m_middle;
  QVBoxLayout* m_stage;
  QWidget* m_body = nullptr;
  StageLegend* m_legend = nullptr;
  QTextBrowser* m_page;
  QLabel* m_sentence;
  QStringList m_sentences;  // those that need room
  PointerRing* m_ring;
  QWidget* m_blank;
  SpeakerNotes* m_speaker = nullptr;
  bool m_turnsPages = false;
  bool m_seen = false;  // shown once; closed notes stay closed
  int m_letters = 0;
};

}  // namespace p2::views
