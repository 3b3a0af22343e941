// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace p2::views {

/// Position and motion of a replay: at position s the first s steps are done; in between a step is under way. A plain
/// value; the owner of a clock advances it.
class Timeline {
 public:
  static constexpr double kSlowest = 0.25;
  static constexpr double kFastest = 4;
  static constexpr double kStepSeconds = 2;    ///< duration of a step at speed 1
  static constexpr double kRestSeconds = 0.5;  ///< between two steps that are played
  static constexpr double kFirstPlay = 2;      ///< how many times longer a step lasts that is seen for the first time

  /// A timeline at the start of `steps` steps.
  explicit Timeline(int steps = 0);
  /// A timeline before the first of `steps` other steps, with the same speed, loop and animation.
  [[nodiscard]] Timeline restarted(int steps) const;
  /// A timeline with one step per element of `seconds`, which lasts that long at speed 1.
  enum class Rests { None, BetweenSteps };
  [[nodiscard]] Timeline paced(std::vector<double> seconds, Rests rests = Rests::None) const;

  /// A timeline whose steps last kFirstPlay times as long until they have been seen once.
  [[nodiscard]] Timeline slowAtFirst() const;
  /// Other durations of the same steps; position, play and seen steps stay.
  void setPace(std::vector<double> seconds);

  [[nodiscard]] int steps() const { return m_steps; }
  /// 0 … steps().
  [[nodiscard]] double position() const { return m_position; }
  /// The step under way or, at rest, the next one; steps() when all are done.
  [[nodiscard]] int step() const;
  /// The step under way or, at rest, the one that is done; the first before it.
  [[nodiscard]] int shownStep() const;
  /// Progress of step(), 0 … 1.
  [[nodiscard]] double progress() const;
  [[nodiscard]] bool rests() const { return progress() == 0; }
  [[nodiscard]] bool playing() const { return m_playing; }
  /// Whether time changes anything: if not, the clock can stop.
  [[nodiscard]] bool moving() const { return m_playing || m_position != m_target; }

  /// Starts over when all steps are done; nothing happens without steps.
  void play();
  void pause() { m_playing = false; }
  void togglePlay();
  /// Moves one step forward or back and pauses; a second call while moving skips the rest of the step.
  void forward();
  void back();
  /// Moves to the beginning or the end, at once. Pauses.
  void first() { scrubTo(0); }
  void last() { scrubTo(m_steps); }
  /// Moves to any position, clamped, and stays there; without animation to the nearest rest. Pauses.
  void scrubTo(double position);
  /// Moves to the rest at which this step is shown. Pauses.
  void show(int step) { scrubTo(step > 0 ? step + 1 : 0); }
  /// Moves to a rest that is so near that it must be meant.
  void settle();
  /// Advances by `seconds` ≥ 0.
  void advance(double seconds);

  [[nodiscard]] double speed() const { return m_speed; }
  /// Clamped to kSlowest … kFastest.
  void setSpeed(double speed);
  [[nodiscard]] bool loops() const { return m_loops; }
  void setLoops(bool loops) { m_loops = loops; }
  [[nodiscard]] bool animated() const { return m_animated; }
  /// Without animation steps are instantaneous; the rests between them last as long as a step.
  void setAnimated(bool animated);

 private:
  void moveTo(int target);
  void playOn();
  void arrive();
  [[nodiscard]] double stepSeconds() const;
  [[nodiscard]] double restSeconds() const;

  int m_steps = 0;
  std::vector<double> m_pace;  // seconds of each step; empty where all take kStepSeconds
  bool m_pausesBetween = true;
  bool m_slowAtFirst = false;
  int m_seen = 0;  // steps that have been played to their end, from the first on
  double m_position = 0;
  double m_target = 0;
  double m_rest = 0;  // seconds until play goes on
  double m_speed = 1;
  bool m_playing = false;
  bool m_loops = false;
  bool m_animated = true;
};

}  // namespace p2::views
