// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "views/shell/derived.h"
#include "views/strategy/devices_plot.h"
#include "views/strategy/strategy_loading.h"

class QPushButton;

namespace p2::views {

class InlineMessage;
class Session;

/// Cost over the number of devices: a point per power of two up to the workspace's, each found by a job of its own and
/// drawn when it arrives. Pins are ignored.
class DevicesPanel : public QWidget {
  Q_OBJECT
 public:
  explicit DevicesPanel(Session& session, QWidget* parent = nullptr);

 private:
  void toggle();
  void computeNext();
  void take();
  void refresh();

  Session& m_session;
  DevicesPlot* m_plot;
  QPushButton* m_button;
  InlineMessage* m_message;
  InlineMessage* m_note;
  std::optional<StrategyQuestion> m_question;  // that the points answer
  std::vector<std::int64_t> m_missing;         // numbers of devices, the next one last
  std::vector<DevicesPlot::Point> m_points;
  Derived<StrategyQuestion, DevicesPlot::Point> m_next;
};

}  // namespace p2::views
