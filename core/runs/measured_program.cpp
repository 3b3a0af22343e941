// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/measured_program.h"

#include <algorithm>

#include "base/counted.h"
#include "base/near.h"
#include "base/units.h"

namespace p2::inline runs {
namespace {

bool isRunOf(const MeasuredProgram& run, const MeasuredQuestion& question, const std::string& matrix,
             const std::string& program) {
  return run.system == question.system && run.axes == question.axes && run.matrix == matrix && run.program == program;
}

bool areEqual(const MeasuredProgram& a, const MeasuredProgram& b) {
  return a.bytes == b.bytes && a.pieces == b.pieces && a.backend == b.backend && a.target == b.target &&
         a.ranks == b.ranks;
}

/// "here (gloo, 8 ranks, 1.05 MB)".
std::string placeText(const MeasuredProgram& run) {
  std::string text = (run.target.empty() ? std::string("a machine without a name") : run.target) + " (";
  if (!run.backend.empty()) text += run.backend + ", ";
  text += countedText(run.ranks, "rank") + ", " + formatBytes(run.bytes);
  if (run.pieces > 1) text += ", " + countedText(static_cast<std::size_t>(run.pieces), "piece");
  return text + ")";
}

/// "A is 1.35× as fast as B", "A and B take the same time".
std::string ratioText(double secondsA, double secondsB, const std::string& a, const std::string& b) {
  if (nearlyEqual(secondsA, secondsB, kDisplayTolerance)) return a + " and " + b + " take the same time";
  const bool aWins = secondsA < secondsB;
  const double ratio = aWins ? secondsB / secondsA : secondsA / secondsB;
  return (aWins ? a : b) + " is " + formatFactor(ratio) + " as fast as " + (aWins ? b : a);
}

std::string oneText(const MeasuredProgram& run, const std::string& name) {
  std::string text = name + " takes " + formatSeconds(run.seconds) + " on " + placeText(run);
  if (run.predicted) text += ", predicted " + formatSeconds(*run.predicted);
  return text;
}

std::string bothText(const MeasuredPair& pair, const std::string& a, const std::string& b) {
  std::string text = "Measured on " + placeText(*pair.a) + ": " + a + " takes " + formatSeconds(pair.a->seconds) +
                     ", " + b + " " + formatSeconds(pair.b->seconds) + "; " +
                     ratioText(pair.a->seconds, pair.b->seconds, a, b);
  if (!pair.a->predicted || !pair.b->predicted) return text;
  return text + "; predicted for these runs: " + formatSeconds(*pair.a->predicted) + " and " +
         formatSeconds(*pair.b->predicted);
}

}  // namespace

std::optional<MeasuredProgram> measuredProgram(const RunRecord& record) {
  if (!record.result || record.result->wrongElements > 0 || !(record.result->seconds.median > 0)) return std::nullopt;
  const RunResult& result = *record.result;
  return MeasuredProgram{record.system, record.axes,           record.matrix,       record.program,
                         record.target, result.backend,        result.hosts.size(), result.bytes,
                         result.pieces, result.seconds.median, record.predicted};
}

MeasuredPair measuredPair(std::span<const MeasuredProgram> runs, const MeasuredQuestion& question) {
  std::vector<const MeasuredProgram*> ofA;
  std::vector<const MeasuredProgram*> ofB;
  for (const MeasuredProgram& run : runs) {
    if (isRunOf(run, question, question.matrixA, question.programA)) ofA.push_back(&run);
    if (isRunOf(run, question, question.matrixB, question.programB)) ofB.push_back(&run);
  }
  for (const MeasuredProgram* a : ofA) {
    const auto b = std::find_if(ofB.begin(), ofB.end(), [&](const MeasuredProgram* one) { return areEqual(*a, *one); });
    if (b != ofB.end()) return {*a, **b, true};
  }
  MeasuredPair pair;
  if (!ofA.empty()) pair.a = *ofA.front();
  if (!ofB.empty()) pair.b = *ofB.front();
  return pair;
}

std::string measuredText(const MeasuredPair& pair, const std::string& a, const std::string& b) {
  if (!pair.a && !pair.b) return {};
  if (pair.equal) return bothText(pair, a, b);
  if (!pair.b) return "Measured: " + oneText(*pair.a, a) + "; " + b + " has not been run";
  if (!pair.a) return "Measured: " + oneText(*pair.b, b) + "; " + a + " has not been run";
  return "Measured: " + oneText(*pair.a, a) + "; " + oneText(*pair.b, b) +
         "; these runs differ in more than the program, so their times are not compared";
}

}  // namespace p2::inline runs
