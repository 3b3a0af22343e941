// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/profiler_steps.h"

#include <algorithm>

#include "workload/import/byte_source.h"
#include "workload/import/file_kind.h"
#include "workload/import/json_pieces.h"
#include "workload/import/kineto_event.h"

namespace p2::inline workload {

bool isProfilerTrace(const std::string& path) {
  const auto source = openFile(path);
  if (!source.ok()) return false;
  constexpr std::size_t kEnough = std::size_t{1} << 16;
  std::string beginning;
  while (beginning.size() < kEnough) {
    const auto bytes = (*source)->next();
    if (!bytes.ok() || bytes->empty()) break;
    beginning += *bytes;
  }
  return fileKindOf(beginning) == FileKind::Kineto;
}

Result<std::vector<double>> profilerStepSeconds(const std::string& path, const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto source, openFile(path));
  std::vector<std::pair<double, double>> marks;  // begin and seconds
  JsonPieces pieces(
      "traceEvents", [](std::string_view, std::string_view) -> Result<void> { return {}; },
      [&](std::string_view item) -> Result<void> {
        if (item.find("ProfilerStep#") == std::string_view::npos) return {};
        P2_TRY_ASSIGN(const auto event, kinetoEventFrom(item));
        if (event.kind == KinetoEvent::Kind::Step && event.seconds > 0) marks.emplace_back(event.begin, event.seconds);
        return {};
      });
  for (;;) {
    if (stop.stop_requested()) return cancelledError();
    P2_TRY_ASSIGN(const std::string_view bytes, source->next());
    if (bytes.empty()) break;
    P2_TRY(pieces.feed(bytes));
  }
  P2_TRY(pieces.finish());
  if (marks.empty()) {
    return Error{"it has no ProfilerStep marks; call profiler.step() after every training step when you record it"};
  }
  std::sort(marks.begin(), marks.end());
  // Threads mark the same step again.
  std::vector<std::pair<double, double>> steps;
  for (const auto& mark : marks) {
    if (steps.empty() || mark.first >= steps.back().first + steps.back().second / 2) steps.push_back(mark);
  }
  std::vector<double> seconds;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    seconds.push_back(i + 1 < steps.size() ? steps[i + 1].first - steps[i].first : steps[i].second);
  }
  return seconds;
}

}  // namespace p2::inline workload
