// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "timeline/step_timeline.h"
#include "views/common/accessible_items.h"
#include "views/common/device_map.h"
#include "views/common/view_figure.h"

namespace p2::views {

/// The axes on the machine: the partners of one device in the colours and letters of the axes that they share with it,
/// and how long the busiest links work for each axis in a step. A click or the arrow keys choose the device.
class MachineView : public QWidget, public AccessibleItems {
  Q_OBJECT
 public:
  explicit MachineView(QWidget* parent = nullptr);

  void setStudy(std::shared_ptr<const StepStudy> study, std::shared_ptr<const System> system);
  void setStale(bool stale);
  void setDevice(Device device);
  [[nodiscard]] Device device() const { return m_device; }
  /// "gpu 3 of node 1: tensor parallel with gpu 0 of node 1": a cell in words.
  [[nodiscard]] QString textOf(std::size_t cell) const;

  /// The map and the busiest links, for a figure.
  [[nodiscard]] ViewPicture picture() const;

  [[nodiscard]] int itemCount() const override;
  [[nodiscard]] AccessibleItem itemAt(int index) const override;
  [[nodiscard]] int focusedItem() const override;
  [[nodiscard]] QSize sizeHint() const override { return {480, 200}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {240, 60}; }

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  /// Busy seconds of a link in a step, by axis.
  struct Link {
    std::string name;
    std::array<double, kExposedAxes.size()> seconds{};
    [[nodiscard]] double sum() const;
  };
  void findPartners();
  void findLinks();
  void layOut();
  [[nodiscard]] QRectF mapArea() const;
  [[nodiscard]] QRectF toWidget(const QRectF& rect) const;
  [[nodiscard]] int cellAt(QPointF point) const;
  void paintMap(QPainter& painter) const;
  void paintCell(QPainter& painter, std::size_t cell) const;
  void paintLinks(QPainter& painter) const;
  void paint(QPainter& painter) const;
  [[nodiscard]] QString nameOfCell(std::size_t cell) const;

  std::shared_ptr<const StepStudy> m_study;
  std::shared_ptr<const System> m_system;
  DeviceMap m_map;
  double m_scale = 1;
  Device m_device{0};
  std::vector<unsigned> m_partners;  // by cell, axes as bits
  std::vector<Link> m_links;
  bool m_stale = false;
  bool m_hasLegend = true;  // the line below the map
};

}  // namespace p2::views
