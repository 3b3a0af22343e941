// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/chrome_trace.h"

#include <charconv>
#include <cmath>
#include <sstream>

#include "text/json_writer.h"

namespace p2::inline timeline {
namespace {

/// Perfetto reads at most 19 decimals of a number, and the shortest text of a double may have 20
/// (0.00012345678901234567).
constexpr int kMostDigits = 15;

/// Writes events of one trace; numbers processes and threads from 1.
class TraceWriter {
 public:
  explicit TraceWriter(std::ostream& out) : m_json(out) {}

  void write(const std::vector<const Timeline*>& timelines) {
    m_json.beginObject().key("displayTimeUnit").text("ms");
    m_json.key("metadata").beginObject();
    for (const Timeline* timeline : timelines) {
      if (timelines.size() == 1) m_json.key("title").text(timeline->title);
      for (const std::string& note : timeline->notes) m_json.key("note " + std::to_string(++m_notes)).text(note);
    }
    m_json.end().key("traceEvents").beginArray();
    for (const Timeline* timeline : timelines) events(*timeline);
    m_json.end().end();
  }

 private:
  struct Thread {
    std::int64_t process = 0;
    std::int64_t number = 0;
  };

  void events(const Timeline& timeline) {
    std::vector<Thread> threads;
    const std::string* process = nullptr;
    std::int64_t thread = 0;
    const std::int64_t first = m_process + 1;
    for (const TimelineTrack& track : timeline.tracks) {
      if (process == nullptr || *process != track.process) {
        process = &track.process;
        thread = 0;
        name("process_name", {++m_process, 0}, track.process);
        sort("process_sort_index", {m_process, 0}, m_process);
      }
      threads.push_back({m_process, ++thread});
      name("thread_name", threads.back(), track.name);
      sort("thread_sort_index", threads.back(), thread);
    }
    if (timeline.tracks.empty()) ++m_process;
    for (const TimelineSlice& slice : timeline.slices) complete(timeline, slice, threads[slice.track]);
    for (const TimelineCounter& counter : timeline.counters) count(counter, first);
  }

  void begin(std::string_view phase, const Thread& thread) {
    m_json.beginObject(JsonWriter::Layout::Compact).key("ph").text(phase);
    m_json.key("pid").whole(thread.process).key("tid").whole(thread.number);
  }
  void name(std::string_view what, const Thread& thread, const std::string& text) {
    begin("M", thread);
    m_json.key("name").text(what).key("args").beginObject().key("name").text(text).end().end();
  }
  void sort(std::string_view what, const Thread& thread, std::int64_t place) {
    begin("M", thread);
    m_json.key("name").text(what).key("args").beginObject().key("sort_index").whole(place).end().end();
  }

  void number(std::string_view key, double value) {
    if (!std::isfinite(value)) {
      m_json.key(key).null();
      return;
    }
    char digits[32];
    const auto [end, status] =
        std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, kMostDigits);
    m_json.key(key).raw({digits, end});
  }

  [[nodiscard]] static double nanoseconds(double seconds) { return std::round(seconds * 1e9); }

  void complete(const Timeline& timeline, const TimelineSlice& slice, const Thread& thread) {
    const SliceDetail& detail = timeline.detailOf(slice);
    const double start = nanoseconds(slice.start);
    begin("X", thread);
    m_json.key("name").text(detail.name).key("cat").text(nameOf(detail.kind));
    m_json.key("ts").number(start / 1e3).key("dur").number((nanoseconds(slice.end()) - start) / 1e3);
    m_json.key("args").beginObject();
    if (slice.number >= 0) m_json.key("number").whole(slice.number);
    if (detail.bytes > 0) number("bytes", detail.bytes);
    const auto add = [this](std::string_view key, const std::string& text) {
      if (!text.empty()) m_json.key(key).text(text);
    };
    add("group", detail.group);
    add("link", detail.link);
    add("note", detail.note);
    m_json.end().end();
  }

  void count(const TimelineCounter& counter, std::int64_t process) {
    for (const TimelineCounter::Point& point : counter.points) {
      begin("C", {process, 0});
      m_json.key("name").text(counter.name).key("ts").number(nanoseconds(point.time) / 1e3);
      m_json.key("args").beginObject();
      number(counter.unit, point.value);
      m_json.end().end();
    }
  }

  JsonWriter m_json;
  std::int64_t m_process = 0;
  int m_notes = 0;
};

}  // namespace

void writeChromeTrace(std::ostream& out, const std::vector<const Timeline*>& timelines) {
  TraceWriter(out).write(timelines);
}

std::string chromeTraceText(const Timeline& timeline) {
  std::ostringstream out;
  writeChromeTrace(out, {&timeline});
  return std::move(out).str();
}

}  // namespace p2::inline timeline
