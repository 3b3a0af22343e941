// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <string_view>

#include "app/runner/serve.h"
#include "app/runner/worker.h"

int main(int argc, char** argv) {
  const std::string_view what = argc == 2 ? argv[1] : "";
  if (what == "worker") return p2::runner::runWorker(argc, argv);
  if (what == "serve") return p2::runner::serve();
  if (what == "--version") {
    std::cout << "p2-runner " P2_VERSION "\n";
    return 0;
  }
  std::cerr << "usage: p2-runner serve | worker | --version (p2 run and p2-explorer start it; see man p2-runner)\n";
  return 2;
}
