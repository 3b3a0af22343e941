// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "base/result.h"
#include "remote/run_request.h"

namespace p2 {

/// Racks of nodes with slow links, and the ranks that run on each node.
struct ClusterShape {
  int racks = 1;
  int nodes = 2;       ///< of each rack
  int ranks = 4;       ///< of each node
  double nic = 100;    ///< Mbit/s in each direction
  double trunk = 100;  ///< Mbit/s in each direction between a rack and the others
};

/// A cluster of network namespaces on this machine (see `cluster`), which stands as long as this does.
class Cluster {
 public:
  /// Errors: the machine does not let us make one.
  [[nodiscard]] static Result<std::unique_ptr<Cluster>> standing(const ClusterShape& shape);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// A runner on the first node that starts ranks on all, with the algorithms of Open MPI that our models describe.
  [[nodiscard]] Target target() const;

 private:
  explicit Cluster(const ClusterShape& shape) : m_shape(shape) {}
  [[nodiscard]] bool watch();
  [[nodiscard]] std::string hosts() const;

  ClusterShape m_shape;
  std::string m_folder;
  int m_alive = -1;
  pid_t m_watcher = -1;
};

}  // namespace p2
