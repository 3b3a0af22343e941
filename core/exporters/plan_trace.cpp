// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/detail/formats.h"
#include "timeline/chrome_trace.h"
#include "timeline/plan_timeline.h"

namespace p2::inline exporters {

Result<std::string> planToChromeTrace(const Plan& plan, const ExportOptions&) {
  P2_TRY_ASSIGN(const auto timeline, planTimeline(plan));
  return chromeTraceText(timeline);
}

}  // namespace p2::inline exporters
