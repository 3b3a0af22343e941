// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/shell/perspective.h"

namespace p2::views {

class AxesPanel;
class PlacementPanel;
class PlacementsPanel;
class Session;

/// Axes on the left, the placements they allow in the middle, the devices of the selected one on the right.
class PlacementPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit PlacementPerspective(Session& session, QWidget* parent = nullptr);
  ~PlacementPerspective() override;

  [[nodiscard]] static PerspectiveFace face() {
    return {kPlacementsPage, tr("Placements"), QStringLiteral("placement")};
  }
  [[nodiscard]] static PagePlace place() { return {.position = 70, .group = kCollectivesGroup, .key = "Ctrl+7"}; }
  [[nodiscard]] QList<QAction*> viewActions() override;
  [[nodiscard]] QWidget* mainList() override;
  /// Problems of the axes, and of computing their placements.
  [[nodiscard]] bool says(const Error& problem) const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  AxesPanel* m_axes = nullptr;
  PlacementsPanel* m_placements = nullptr;
  PlacementPanel* m_devices = nullptr;
};

}  // namespace p2::views
