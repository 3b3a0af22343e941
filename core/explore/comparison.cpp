// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/comparison.h"

#include <algorithm>
#include <cmath>

#include "base/counted.h"
#include "base/near.h"
#include "base/units.h"

namespace p2::inline explore {
namespace {

std::string timesText(const Contestant& a, const Contestant& b) {
  const bool aWins = a.seconds <= b.seconds;
  const Contestant& winner = aWins ? a : b;
  const Contestant& other = aWins ? b : a;
  if (nearlyEqual(winner.seconds, other.seconds, kDisplayTolerance)) {
    return a.name + " and " + b.name + " take the same time, " + formatSeconds(winner.seconds);
  }
  const std::string against = formatSeconds(winner.seconds) + " against " + formatSeconds(other.seconds);
  if (!(winner.seconds > 0)) return winner.name + " is faster than " + other.name + ": " + against;
  return winner.name + " is " + formatFactor(other.seconds / winner.seconds) + " as fast as " + other.name + ": " +
         against;
}

std::string problemText(const Contestant& failing) {
  return failing.name + " does not reach its goal (" + failing.problem + ")";
}

double bytesOf(const Contestant& contestant, std::size_t interconnect) {
  for (const PortBytes& port : contestant.ports) {
    if (port.interconnect == interconnect) return port.total();
  }
  return 0;
}

std::string sentText(double bytes) { return bytes > 0 ? formatBytes(Bytes(bytes)) : std::string("nothing"); }

std::string portsText(const System& system, const Contestant& a, const Contestant& b) {
  if (a.ports.empty() && b.ports.empty()) return {};
  std::size_t outermost = a.ports.empty() ? b.ports.front().interconnect : a.ports.front().interconnect;
  if (!b.ports.empty()) outermost = std::min(outermost, b.ports.front().interconnect);
  const double byA = bytesOf(a, outermost);
  const double byB = bytesOf(b, outermost);
  const std::string where = "; through the busiest port of " + ownerText(system, outermost) + " ";
  if (nearlyEqual(byA, byB)) return where + "both send " + sentText(byA);
  return where + a.name + " sends " + sentText(byA) + ", " + b.name + " " + sentText(byB);
}

}  // namespace

std::string comparisonText(const System& system, const Contestant& a, const Contestant& b, std::int64_t runs) {
  if (!a.problem.empty() && !b.problem.empty()) return problemText(a) + ", nor does " + b.name + " (" + b.problem + ")";
  if (!a.problem.empty() || !b.problem.empty()) {
    const Contestant& failing = a.problem.empty() ? b : a;
    const Contestant& right = a.problem.empty() ? a : b;
    return problemText(failing) + "; " + right.name + " does, in " + formatSeconds(right.seconds);
  }
  const std::string ports = portsText(system, a, b);
  const bool several = runs > 1 && !ports.empty();
  return timesText(a, b) + ports + (several ? ", in each of " + countedText(runs, "run") : std::string());
}

}  // namespace p2::inline explore
