// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "strategy_answer/strategy_baselines.h"
#include "views/shell/derived.h"
#include "views/strategy/strategy_answer.h"
#include "views/strategy/strategy_loading.h"
#include "workspace/workspace.h"

namespace p2::views {

class Session;

/// Keeps the best strategies of the session's graph up to date: loads the graph, solves it with the workspace's pins,
/// and prices the baselines, each as a job. Until an answer arrives the previous one stays, marked as not current.
class StrategyFinder : public QObject {
  Q_OBJECT
 public:
  /// Strategies that are listed.
  static constexpr std::size_t kListed = kListedStrategies;

  explicit StrategyFinder(Session& session, QObject* parent = nullptr);

  /// Jobs are started only while someone looks.
  void setActive(bool active);
  /// Reads the graph again and restarts cancelled or failed jobs.
  void findAgain();

  /// Null before the first was loaded.
  [[nodiscard]] std::shared_ptr<const StrategyInstance> instance() const { return m_instance.answer(); }
  /// Answer of the last finished search; null before the first.
  [[nodiscard]] std::shared_ptr<const StrategyAnswer> answer() const { return m_answer.answer(); }
  /// The baselines, in the order of baselinesOf(); empty until they are known.
  [[nodiscard]] const std::vector<StrategyBaseline>& baselines() const;
  /// Whether answer() answers the workspace as it is.
  [[nodiscard]] bool isCurrent() const;
  /// Whether a job is on its way to an answer.
  [[nodiscard]] bool isSearching() const;
  /// Why there is no answer.
  [[nodiscard]] std::optional<Error> problem() const;
  /// The workspace's pins as indices of the instance.
  [[nodiscard]] Pins pins() const;
  /// Pins of the workspace that the instance has no vertex or configuration for: "fc1 to [4,1,1]".
  [[nodiscard]] QStringList unknownPins() const;

  /// Cost of the best strategy without pins; none while unknown, or without pins.
  [[nodiscard]] std::optional<double> freeCost() const;
  /// "2 pins: +0.8 % over free"; empty where there are none.
  [[nodiscard]] QString pinsText() const;

  /// Pins equal vertices of the instance to one way to divide them, or unpins them: one undoable edit.
  void pin(const std::vector<std::size_t>& vertices, const std::optional<Configuration>& parts);
  void unpinAll();

 signals:
  void changed();  ///< anything of the above

 private:
  using Instance = std::shared_ptr<const StrategyInstance>;
  struct SolveQuestion {
    Instance instance;
    Pins pins;
    friend bool operator==(const SolveQuestion&, const SolveQuestion&) = default;
  };
  /// The instance, or where the mesh depends on pins, what to make one of.
  struct FreeQuestion {
    Instance instance;
    std::optional<StrategyQuestion> question;
    friend bool operator==(const FreeQuestion&, const FreeQuestion&) = default;
  };
  void follow();
  [[nodiscard]] FreeQuestion freeQuestion() const;

  Session& m_session;
  bool m_active = false;
  Derived<StrategyQuestion, StrategyInstance> m_instance;
  Derived<SolveQuestion, StrategyAnswer> m_answer;
  Derived<Instance, std::vector<StrategyBaseline>> m_baselines;
  Derived<FreeQuestion, double> m_free;
};

}  // namespace p2::views
