// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/many_units.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace p2::test {
namespace {

std::map<std::string, UnitMain>& knownUnits() {
  static std::map<std::string, UnitMain> units;
  return units;
}

}  // namespace

KnownUnit::KnownUnit(const char* file, UnitMain unitMain) {
  knownUnits()[std::filesystem::path(file).stem().string()] = unitMain;
}

}  // namespace p2::test

int main(int argc, char* argv[]) {
  const auto& units = p2::test::knownUnits();
  const auto unit = argc > 1 ? units.find(argv[1]) : units.end();
  if (unit != units.end()) return unit->second(argc - 1, argv + 1);

  std::fputs("Which unit? Its name comes first, arguments of Qt Test follow:\n", stderr);
  for (const auto& [name, unitMain] : units) std::fprintf(stderr, "  %s\n", name.c_str());
  return 2;
}
