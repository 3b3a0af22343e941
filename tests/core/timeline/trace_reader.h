// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <string>

namespace p2::test {

// Reads a trace by the published format (Trace Event Format, "JSON Object Format"): every event has its phase, process
// and thread; slices have a name, a start and a duration in microseconds; those of one thread are nested, as Perfetto
// demands; threads and processes have names. Prints what it found.
inline constexpr const char* kTraceReader = R"(
import json, sys
trace = json.load(sys.stdin)
events = trace["traceEvents"]
assert isinstance(events, list) and trace["displayTimeUnit"] in ("ms", "ns")
names, processes, threads, counters = {}, {}, {}, {}
for event in events:
    assert event["ph"] in ("M", "X", "C"), event
    assert isinstance(event["pid"], int) and isinstance(event["tid"], int), event
    key = (event["pid"], event["tid"])
    if event["ph"] == "M":
        assert event["name"] in ("process_name", "thread_name", "process_sort_index", "thread_sort_index"), event
        if event["name"] == "thread_name": names[key] = event["args"]["name"]
        if event["name"] == "process_name": processes[event["pid"]] = event["args"]["name"]
    elif event["ph"] == "X":
        assert isinstance(event["name"], str) and event["name"], event
        assert event["ts"] >= 0 and event["dur"] >= 0, event
        assert abs(event["ts"] * 1000 - round(event["ts"] * 1000)) < 1e-3 * max(1, event["ts"] * 1e-9), event
        threads.setdefault(key, []).append(event)
    else:
        assert all(isinstance(value, (int, float)) for value in event["args"].values()), event
        counters.setdefault(event["name"], []).append([event["ts"]] + list(event["args"].values()))
end, slices, outer = 0, 0, {}
for key, mine in threads.items():
    assert key in names and key[0] in processes, key
    mine.sort(key=lambda event: (event["ts"], -event["dur"]))
    open_ends = []
    for event in mine:
        start, stop = round(event["ts"] * 1000), round((event["ts"] + event["dur"]) * 1000)
        while open_ends and open_ends[-1] <= start: open_ends.pop()
        assert not open_ends or stop <= open_ends[-1], ("overlaps", event, open_ends)
        if not open_ends:
            sums = outer.setdefault(names[key], {})
            sums[event["cat"]] = sums.get(event["cat"], 0) + event["dur"] / 1e6
        open_ends.append(stop)
        end = max(end, stop)
        slices += 1
print(json.dumps({"end": end / 1e9, "slices": slices, "threads": len(threads), "outer": outer, "counters": counters}))
)";

inline bool hasPython() { return !QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty(); }

/// What Python finds in a trace; an object with "error" if it is none.
inline QJsonObject readTrace(const std::string& text) {
  QProcess python;
  python.start(QStringLiteral("python3"), {QStringLiteral("-c"), QString::fromLatin1(kTraceReader)});
  python.write(QByteArray::fromStdString(text));
  python.closeWriteChannel();
  if (!python.waitForFinished(60000) || python.exitCode() != 0) {
    return {{"error", QString::fromUtf8(python.readAllStandardError())}};
  }
  return QJsonDocument::fromJson(python.readAllStandardOutput()).object();
}

}  // namespace p2::test
