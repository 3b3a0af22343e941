// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>
#include <optional>

#include "system/system.h"

namespace p2::views {

/// A button to drag to the place of a new part; a click or Space adds the part at the selection.
class PaletteButton : public QToolButton {
  Q_OBJECT
 public:
  /// `kind` of an interconnect; none for a level.
  PaletteButton(std::optional<InterconnectKind> kind, QWidget* parent = nullptr);
  [[nodiscard]] std::optional<InterconnectKind> kind() const { return m_kind; }

 signals:
  void dragged(QPoint global);
  void dropped(QPoint global);
  void dragCancelled();

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void endDrag();

  std::optional<InterconnectKind> m_kind;
  QPoint m_pressed;
  bool m_dragging = false;
};

/// The parts of systems: levels, switches, rings, meshes and buses.
class PartPalette : public QWidget {
  Q_OBJECT
 public:
  explicit PartPalette(QWidget* parent = nullptr);

 signals:
  void dragged(QPoint global);
  void dropped(std::optional<p2::InterconnectKind> kind, QPoint global);
  void dragCancelled();
  /// Clicked rather than dragged.
  void wanted(std::optional<p2::InterconnectKind> kind);
};

}  // namespace p2::views
