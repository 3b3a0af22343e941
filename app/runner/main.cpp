// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <string_view>

#include "app/runner/serve.h"
#include "app/runner/worker.h"
#include "remote/launch_command.h"

int main(int argc, char** argv) {
  const std::string_view what = argc >= 2 ? argv[1] : "";
  const bool threads = argc == 3 && argv[2] == p2::kThreads;
  if (what == "worker" && (argc == 2 || threads)) {
    return p2::runner::runWorker(argc, argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED);
  }
  if (what == "serve" && argc == 2) return p2::runner::serve();
  if (what == "--version" && argc == 2) {
    std::cout << "p2-runner " P2_VERSION "\n" << std::flush;
    return std::cout ? 0 : 1;
  }
  std::cerr << "usage: p2-runner serve | worker [--threads] | --version (p2 run and p2-explorer start it; see man "
               "p2-runner)\n";
  return 2;
}
