// SPDX-License-Identifier: GPL-3.0-or-later
// Private to the drawing: positions inside one instance of a level.
#pragma once

#include <QRectF>
#include <optional>
#include <vector>

#include "system/system.h"
#include "views/system/drawing_detail.h"
#include "views/system/system_drawing.h"

namespace p2::views {

/// The children of an instance as a grid that rings close in both directions: row by row, the members of one ring in
/// every row and of another in every column.
struct Torus {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  int alongRows = -1;     ///< the network whose rings are the rows
  int alongColumns = -1;  ///< … the columns
};

/// The torus that the instances of a level are in each instance of the level above it; none if they are not.
[[nodiscard]] std::optional<Torus> torusOf(const System& system, std::size_t level);

/// Whether each ring of a network has one member in every instance of a level, in their order, and stands in what holds
/// those: the third dimension of a torus, for example.
[[nodiscard]] bool joinsNeighbours(const System& system, int network, std::size_t level);

inline constexpr double kGap = 8;
inline constexpr double kPadding = 8;
inline constexpr double kBar = 24;
inline constexpr double kWire = 24;       // from a row to the one below, so that a label fits next to a wire
inline constexpr double kRise = 16;       // rise of the link that closes a ring
inline constexpr double kTap = 12;        // between the wires that lead from rails to what joins them
inline constexpr double kTorusGap = 26;   // between the devices of a torus
inline constexpr double kRailPitch = 18;  // from one rail to the next

/// How the children of an instance are joined among each other.
enum class Joint { None, BarAbove, BarBelow, Ring, Mesh, Torus };

/// Positions of the children of one instance, equal for all instances of a level.
struct Block {
  std::int64_t drawn = 0;   // children
  std::int64_t places = 0;  // with the one for those left out
  std::int64_t columns = 1;
  Joint joint = Joint::None;
  bool numbered = false;       // children show only their number; the caption names them
  std::int64_t openSlot = -1;  // the child that stands open among chips
  QSizeF open;
  QSizeF child;
  double gap = kGap;       // between columns
  double top = 0;          // top of the first row of children
  double captionTop = -1;  // top of the interconnect's bar or caption; −1 for none
  QSizeF size;

  [[nodiscard]] bool twoRows() const { return joint != Joint::Torus && places > columns; }
  [[nodiscard]] bool hasBar() const { return joint == Joint::BarAbove || joint == Joint::BarBelow; }
  /// From one column to the next. A ring is spread out, so that its caption fits inside it.
  [[nodiscard]] double pitch() const;
  [[nodiscard]] QRectF slot(std::int64_t index) const;
};

/// Instances of one network inside an instance of a level, or of the system, side by side or one below the other.
struct BarRun {
  enum class Style {
    Bars,
    Rails,    // buses that run side by side past their members
    Caption,  // one label for rings whose links are drawn between the members
  };
  int network = 0;
  Style style = Style::Bars;
  std::int64_t first = 0;
  std::int64_t drawn = 1;
  bool rest = false;  // one more bar stands for the instances left out
  double width = 0;   // of one bar, or of the label of a rail
};

struct NetworkRow {
  std::vector<BarRun> runs;
  bool aligned = false;  // one bar under each child
  double top = 0;
  double height = 0;
};

/// The inside of an instance: its children, its networks below them.
struct InsideLayout {
  Block block;
  QPointF blockAt;
  DrawnLevel level;
  std::vector<NetworkRow> rows;
  std::optional<Torus> torus;  // what its children are
  std::vector<int> lanes;      // networks that join each child with the next, link by link
  double labels = 0;           // room left of everything, for the labels of rails
  double taps = 0;             // room right of everything, for the wires from rails to what joins them
  QSizeF size;

  /// The place of a bar of a row, or of the bar for the rest when `index` is the number of drawn bars.
  [[nodiscard]] QRectF barRect(std::size_t row, std::size_t run, std::int64_t index) const;
};

/// One per level: the inside of an instance of the level above it. At least one.
[[nodiscard]] std::vector<InsideLayout> measureInsides(const System& system, const std::vector<DrawnLevel>& shown);

/// Label of a level's interconnect: "NVSwitch · 270 GB/s · gpu 0–7".
[[nodiscard]] QString levelCaption(const Level& level, bool numbered);
/// Label of an interconnect: "NIC · 8.00 GB/s · 2.00 µs", with the kind if the name does not contain it.
[[nodiscard]] QString interconnectCaption(const Interconnect& link);
/// interconnectCaption() of a network; for a switch, the bandwidth of a port: "spine · 200 GB/s a port · 0.60
/// µs".
[[nodiscard]] QString networkCaption(const Network& network);
/// Label of the rings of a torus, or of lanes: "x ring ×4 · 50.0 GB/s".
[[nodiscard]] QString ringsCaption(const Network& network);
/// Label of a chip: "node 3", and below it its contents, "8 GPUs".
[[nodiscard]] QString chipText(const System& system, std::size_t level, std::int64_t child);

}  // namespace p2::views
