// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <utility>

namespace p2 {
namespace {

/// Rings, and chains in segments.
constexpr const char* kAlgorithms[] = {
    "coll_tuned_use_dynamic_rules 1",        "coll_tuned_allreduce_algorithm 4",
    "coll_tuned_reduce_scatter_algorithm 3", "coll_tuned_allgather_algorithm 4",
    "coll_tuned_reduce_algorithm 3",         "coll_tuned_reduce_algorithm_segmentsize 32768",
    "coll_tuned_bcast_algorithm 3",          "coll_tuned_bcast_algorithm_segmentsize 32768",
};

constexpr const char* kTransport[] = {
    "pml ob1",
    "btl self,vader,tcp",
    "btl_tcp_flags 1",
    "btl_tcp_max_send_size 32768",
    "btl_tcp_if_include 10.231.0.0/24",
    "oob_tcp_if_include 10.231.0.0/24",
};

std::string rate(double mbit) { return std::to_string(int(mbit)) + "mbit"; }

}  // namespace

Result<std::unique_ptr<Cluster>> Cluster::standing(const ClusterShape& shape) {
  std::unique_ptr<Cluster> cluster(new Cluster(shape));
  std::string name = (std::filesystem::temp_directory_path() / "p2-testbed-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return Error{"no temporary folder can be made"};
  cluster->m_folder = name;
  if (!cluster->watch()) return Error{"no process can be started"};
  const std::string command = std::string("'") + P2_CLUSTER + "' up " + name + " " + std::to_string(shape.racks) + " " +
                              std::to_string(shape.nodes) + " " + rate(shape.nic) + " " + rate(shape.trunk);
  if (std::system(command.c_str()) != 0) return Error{"network namespaces cannot be made here"};
  // From here on nothing that is started may keep it open.
  ::fcntl(cluster->m_alive, F_SETFD, FD_CLOEXEC);
  return cluster;
}

Cluster::~Cluster() {
  if (m_alive < 0) return;
  ::close(m_alive);
  int status = 0;
  if (::waitpid(m_watcher, &status, 0) < 0 || status != 0) std::cerr << "the cluster was not taken down\n";
}

Target Cluster::target() const {
  Target target;
  target.runner = m_folder + "/runner";
  auto& arguments = target.launch.arguments;
  const auto set = [&arguments](const std::string& setting) {
    const std::size_t blank = setting.find(' ');
    arguments.insert(arguments.end(), {"--mca", setting.substr(0, blank), setting.substr(blank + 1)});
  };
  // Called rsh until Open MPI 4, ssh from 5 on.
  set("plm ^slurm");
  set("plm_rsh_agent " + m_folder + "/agent");
  for (const char* setting : kTransport) set(setting);
  for (const char* setting : kAlgorithms) set(setting);
  arguments.insert(arguments.end(), {"-H", hosts()});
  return target;
}

std::string Cluster::hosts() const {
  std::string hosts;
  for (int node = 0; node < m_shape.racks * m_shape.nodes; ++node) {
    hosts += (node > 0 ? ",n" : "n") + std::to_string(node) + ":" + std::to_string(m_shape.ranks);
  }
  return hosts;
}

/// Has a process of its own wait for the end of this one, whatever ends it, signals that nobody hears included, and
/// then take the cluster down. It notices that the other end of a pipe is closed, so whoever makes the cluster keeps it
/// open as well.
bool Cluster::watch() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return false;
  m_watcher = ::fork();
  if (m_watcher < 0) return false;
  if (m_watcher > 0) {
    ::close(ends[0]);
    m_alive = ends[1];
    return true;
  }
  ::setsid();
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(each, SIG_IGN);
  ::close(ends[1]);
  char nothing = 0;
  while (::read(ends[0], &nothing, 1) < 0 && errno == EINTR) {
  }
  ::execl(P2_CLUSTER, P2_CLUSTER, "down", m_folder.c_str(), nullptr);
  ::_exit(1);
}

}  // namespace p2
