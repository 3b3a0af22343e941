// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/comparison.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/counted.h"
#include "base/near.h"
#include "base/units.h"

namespace p2::inline explore {
namespace {

constexpr double kSameRatio = 0.1;  // how far a ratio of bytes may be from the ratio of times that it explains

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

std::string inRunsText(std::int64_t runs) { return runs > 1 ? ", in each of " + countedText(runs, "run") : ""; }

std::string portsText(const System& system, const Contestant& a, const Contestant& b, std::size_t interconnect) {
  const double byA = bytesOf(a, interconnect);
  const double byB = bytesOf(b, interconnect);
  const std::string where = "; through the busiest port of " + ownerText(system, interconnect) + " ";
  if (nearlyEqual(byA, byB)) return where + "both send " + sentText(byA);
  return where + a.name + " sends " + sentText(byA) + ", " + b.name + " " + sentText(byB);
}

/// Whether the bytes through a port are the reason for the times: both have the same ratio.
bool bytesExplain(const Contestant& a, const Contestant& b, std::size_t interconnect) {
  const double byA = bytesOf(a, interconnect);
  const double byB = bytesOf(b, interconnect);
  if (!(byA > 0) || !(byB > 0)) return false;
  const double bytes = a.seconds > b.seconds ? byA / byB : byB / byA;
  const double times = std::max(a.seconds, b.seconds) / std::min(a.seconds, b.seconds);
  // Equal bytes are no reason, however near the times are to each other.
  return std::abs(bytes / times - 1) <= kSameRatio && bytes - 1 >= (times - 1) / 2;
}

bool latencyExplains(const Contestant& a, const Contestant& b) {
  const double more = a.seconds - b.seconds;
  return (a.latencySeconds - b.latencySeconds) / more >= 0.5;
}

std::string latencyText(const Contestant& a, const Contestant& b) {
  return "; latency takes " + formatSeconds(a.latencySeconds) + " of it in " + a.name + ", " +
         formatSeconds(b.latencySeconds) + " in " + b.name;
}

/// The bytes through a port and the rates at which the two move them, whose product is the difference.
std::string ratesText(const System& system, const Contestant& a, const Contestant& b, std::size_t interconnect,
                      std::int64_t runs) {
  const auto rateOf = [&](const Contestant& each) {
    return formatBandwidth(bytesOf(each, interconnect) * static_cast<double>(runs) / each.seconds);
  };
  const bool same = nearlyEqual(bytesOf(a, interconnect), bytesOf(b, interconnect));
  return portsText(system, a, b, interconnect) + inRunsText(runs) + (same ? ": the bytes are equal, but " : ", and ") +
         a.name + " moves them at " + rateOf(a) + ", " + b.name + " at " + rateOf(b) + " on average";
}

std::string reasonText(const System& system, const Contestant& a, const Contestant& b, std::int64_t runs) {
  const std::string inRuns = inRunsText(runs);
  std::set<std::size_t> used;
  for (const Contestant* each : {&a, &b}) {
    for (const PortBytes& port : each->ports) used.insert(port.interconnect);
  }
  if (used.empty()) return {};
  const std::string outermost = portsText(system, a, b, *used.begin()) + inRuns;
  if (nearlyEqual(a.seconds, b.seconds, kDisplayTolerance)) return outermost;
  for (const std::size_t interconnect : used) {
    if (bytesExplain(a, b, interconnect)) return portsText(system, a, b, interconnect) + inRuns;
  }
  if (latencyExplains(a, b)) return latencyText(a, b);
  for (const std::size_t interconnect : used) {
    const bool both = bytesOf(a, interconnect) > 0 && bytesOf(b, interconnect) > 0;
    if (both && a.seconds > 0 && b.seconds > 0) return ratesText(system, a, b, interconnect, runs);
  }
  return outermost + ", which is not the reason";
}

}  // namespace

Program defaultRival(const PlacementResult& placement, const Goal& goal, const Program& program) {
  const Program single = singleProgram(*placement.hierarchy, goal);
  if (program != single) return single;
  const auto other = std::find_if(placement.programs.begin(), placement.programs.end(),
                                  [&](const ProgramResult& result) { return result.program != single; });
  return other == placement.programs.end() ? single : other->program;
}

std::string comparisonText(const System& system, const Contestant& a, const Contestant& b, std::int64_t runs) {
  if (!a.problem.empty() && !b.problem.empty()) return problemText(a) + ", nor does " + b.name + " (" + b.problem + ")";
  if (!a.problem.empty() || !b.problem.empty()) {
    const Contestant& failing = a.problem.empty() ? b : a;
    const Contestant& right = a.problem.empty() ? a : b;
    return problemText(failing) + "; " + right.name + " does, in " + formatSeconds(right.seconds);
  }
  return timesText(a, b) + reasonText(system, a, b, runs);
}

}  // namespace p2::inline explore
