// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>

#include "timeline/timeline.h"

namespace p2::inline timeline {

/// Writes timelines as a trace in Chrome's JSON format, which Perfetto's UI, chrome://tracing and Speedscope open.
/// Every process of a timeline is a process of the trace, its tracks are threads, slices are complete events ("X") in
/// microseconds, rounded to whole nanoseconds so that inner slices stay inside outer ones; counters are counter events
/// ("C"), with 15 digits; title and notes are "metadata", which Perfetto imports. Several timelines
/// appear one above the other, in their order. Source: Trace Event Format
/// (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
void writeChromeTrace(std::ostream& out, const std::vector<const Timeline*>& timelines);
[[nodiscard]] std::string chromeTraceText(const Timeline& timeline);

}  // namespace p2::inline timeline
