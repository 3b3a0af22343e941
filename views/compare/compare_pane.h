// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/compare/compared_run.h"
#include "views/shell/derived.h"

class QLabel;

namespace p2::views {

class CompareView;
class Player;
class Session;

/// A|B: the program that is shown next to the one that is pinned, or next to the one it is usually compared with. While
/// it is switched on, it drives the player.
class ComparePane : public QWidget {
  Q_OBJECT
 public:
  ComparePane(Session& session, Player& player, QWidget* parent = nullptr);

  /// Sets side A; null for none.
  void setShown(std::shared_ptr<const Replay> replay);
  void setOn(bool on);
  [[nodiscard]] bool isOn() const { return m_on; }
  [[nodiscard]] CompareView& view() { return *m_view; }
  /// The comparison; null while it is computed.
  [[nodiscard]] std::shared_ptr<const ComparedRuns> runs() const { return m_runs.current(); }

 signals:
  void runsChanged();

 private:
  struct Question {
    std::shared_ptr<const Replay> a;
    std::shared_ptr<const Exploration> exploration;
    std::size_t placement = 0;
    Program program;
    std::array<std::optional<Algorithm>, 2> algorithms = {};  ///< of both sides; none for the document's
    friend bool operator==(const Question&, const Question&) = default;
  };
  static Result<ComparedRuns> compare(const Question& question, std::stop_token stop);
  void ask();
  void follow();
  void showMeasured();
  void restart();

  Session& m_session;
  Player& m_player;
  std::shared_ptr<const Replay> m_shown;
  Derived<Question, ComparedRuns> m_runs;
  bool m_on = false;
  CompareView* m_view;
  QLabel* m_note;
};

}  // namespace p2::views
