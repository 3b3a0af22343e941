// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <string>

namespace p2::test {

// Reads a trace by the published format (Trace Event Format, "JSON Object Format") as Perfetto's importer does
// (src/trace_processor/importers/json and util/json_parser.h of its source): it knows the file by its first letters;
// numbers and keys are strict JSON, with at most 19 decimals and 18 digits that count, since both are summed up in 64
// bits; processes and threads are whole numbers of 32 bits with one name and one place each; slices have a name, a
// start and a duration in microseconds, whole in nanoseconds; those of one thread are nested when they are taken by
// start and otherwise in the order of the file, at most 512 deep; a counter is a series of one number that changes at
// different times. Prints what it found.
inline constexpr const char* kTraceReader = R"(
import json, sys
text = sys.stdin.read()
assert "".join(text[:20].split()).startswith('{"'), text[:20]
def unique(pairs):
    assert len(pairs) == len(dict(pairs)), pairs
    return dict(pairs)
def refuse(word): raise AssertionError(word)
def decimals(text):
    digits = text.lower().partition(".")[2].partition("e")[0]
    assert len(digits) <= 19 and len(text.lower().partition("e")[0].strip("-.0").replace(".", "")) <= 18, text
    return float(text)
trace = json.loads(text, object_pairs_hook=unique, parse_constant=refuse, parse_float=decimals)
events = trace["traceEvents"]
assert isinstance(events, list) and trace["displayTimeUnit"] in ("ms", "ns")
assert all(isinstance(value, str) for value in trace["metadata"].values())
keys = {"M": {"ph", "pid", "tid", "name", "args"}, "C": {"ph", "pid", "tid", "name", "ts", "args"},
        "X": {"ph", "pid", "tid", "name", "cat", "ts", "dur", "args"}}
metadata, threads, counters = {}, {}, {}
def nanoseconds(value):
    assert isinstance(value, (int, float)) and 0 <= value < 2**63 / 1000, value
    assert abs(value * 1000 - round(value * 1000)) < 1e-3 * max(1, value * 1e-9), value
    return round(value * 1000)
for event in events:
    assert set(event) == keys[event["ph"]] and isinstance(event["name"], str) and event["name"], event
    assert type(event["pid"]) is int and 0 < event["pid"] < 2**32, event
    assert type(event["tid"]) is int and 0 <= event["tid"] < 2**32, event
    key = (event["pid"], event["tid"])
    if event["ph"] == "M":
        what = event["name"]
        assert what in ("process_name", "thread_name", "process_sort_index", "thread_sort_index"), event
        (argument, value), = event["args"].items()
        assert (argument, type(value)) == (("name", str) if what.endswith("_name") else ("sort_index", int)), event
        subject = (what, event["pid"]) if what.startswith("process") else (what, key)
        assert subject not in metadata, event
        metadata[subject] = value
    elif event["ph"] == "X":
        assert all(isinstance(value, (int, float, str)) for value in event["args"].values()), event
        threads.setdefault(key, []).append((nanoseconds(event["ts"]), nanoseconds(event["dur"]), event))
    else:
        (unit, value), = event["args"].items()
        assert unit and isinstance(value, (int, float)), event
        series = counters.setdefault((event["pid"], event["name"]), [])
        assert not series or (nanoseconds(series[-1][0]) < nanoseconds(event["ts"]) and series[-1][2] == unit), event
        series.append([event["ts"], value, unit])
for pid in {pid for pid, tid in threads} | {pid for pid, name in counters}:
    assert metadata[("process_name", pid)] and ("process_sort_index", pid) in metadata, pid
places = [(key[0], place) for (what, key), place in metadata.items() if what == "thread_sort_index"]
assert len(places) == len(set(places)), places
end, slices, outer = 0, 0, {}
for key, mine in threads.items():
    name = metadata[("thread_name", key)]
    assert name and ("thread_sort_index", key) in metadata, key
    mine.sort(key=lambda slice: slice[0])
    open_ends = []
    for start, duration, event in mine:
        stop = start + duration
        while open_ends and open_ends[-1] <= start: open_ends.pop()
        assert not open_ends or stop <= open_ends[-1], ("overlaps", event, open_ends)
        if not open_ends:
            sums = outer.setdefault(name, {})
            sums[event["cat"]] = sums.get(event["cat"], 0) + event["dur"] / 1e6
        open_ends.append(stop)
        assert len(open_ends) <= 512, event
        end = max(end, stop)
        slices += 1
found = {name: [[time, value] for time, value, unit in series] for (pid, name), series in counters.items()}
print(json.dumps({"end": end / 1e9, "slices": slices, "threads": len(threads), "outer": outer, "counters": found}))
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
