// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_help.h"

#include <QObject>

namespace p2::views {

QString programHelp() {
  return QObject::tr(
      "<p>On the left the reduction programs of the selected placement, fastest first. A step such as "
      "<b>ReduceScatter·node</b> works inside every node; <b>AllReduce·node∥root</b> joins, below the root, the "
      "first devices of all nodes, their second ones, and so on; <b>∥₁</b> stands for only the first of those "
      "groups.</p>"
      "<p>On the right every device's bit matrix: rows are chunks, columns are contributions. Frames and letters "
      "show the groups of the step, whose rule stands beside them with the values of one group put in. Space plays, "
      "Left and Right step, Home and End go to the ends. Click a device for its matrix in large; Ctrl and the arrow "
      "keys walk over the devices, Esc leaves them. The wheel or + and − zoom, a double click goes into a node, 0 "
      "shows everything, dragging or Shift with the arrow keys pans. B shows what was held before the step, N sums "
      "instead of bits, T an AllReduce as ReduceScatter and AllGather.</p>"
      "<p>Below, a program is put together: + shows everything that can follow, what it leads to, and why the rest "
      "cannot. Steps are dragged, taken away with Delete, and undone with Ctrl+Z. Or type any program to see what it "
      "does, or why it is wrong. It stays a draft, in a row of its own above the list.</p>"
      "<p><b>A|B</b> (Ctrl+B) shows two programs side by side, step by step or by true time: A is the one on screen, B "
      "the one pinned with the right mouse button in the list of programs or of placements, else the single "
      "collective. "
      "<b>F11</b> presents what is shown on the whole screen: Page Up and Page Down, Space or a clicker step, R takes "
      "the ring round the pointer away, Esc leaves. <b>Export</b> writes a step as a picture, or all of them as an "
      "animation, a page that plays, or a handout.</p>");
}

}  // namespace p2::views
