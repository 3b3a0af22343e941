// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace p2::inline timeline {

/// Subject of a slice of a timeline, in the order of legends.
enum class SliceKind {
  Forward,        ///< a forward pass of a microbatch, whole
  Backward,       ///< a backward pass, whole
  Weights,        ///< gradients of the weights, as a pass of its own
  Computation,    ///< kernels, as a part of a pass or measured
  Recomputation,  ///< forward passes done again
  Tensor,         ///< exposed communication by axis …
  Context,
  Expert,
  Pipeline,
  Data,
  Collective,  ///< communication of a group whose axis is not known, or a step of a program
  Bubble,      ///< a stage that waits for microbatches
  Waiting,     ///< a device that waits for a slower one
  Optimizer,
  Host,
};
inline constexpr std::array<std::string_view, 15> kSliceKinds{
    "forward",         "backward",         "weight gradients", "computation", "recomputation",
    "tensor parallel", "context parallel", "expert parallel",  "pipeline",    "data parallel",
    "collective",      "bubble",           "waiting",          "optimizer",   "host"};
[[nodiscard]] inline std::string_view nameOf(SliceKind kind) { return kSliceKinds[static_cast<std::size_t>(kind)]; }

/// Properties that equal slices share.
struct SliceDetail {
  SliceKind kind = SliceKind::Computation;
  std::string name;   ///< "AllReduce", "forward"
  double bytes = 0;   ///< of one device; 0 where nothing is sent or the size is not known
  std::string group;  ///< devices that take part: "tensor, 8 devices", "0 1 2 3"
  std::string link;   ///< the busiest link
  std::string note;   ///< anything else, a phrase
  friend auto operator<=>(const SliceDetail&, const SliceDetail&) = default;
};

/// A row of a timeline: a rank, a stage, a stream of a GPU.
struct TimelineTrack {
  std::string process;  ///< tracks of one process are neighbours: "predicted", "rank 3"
  std::string name;     ///< "stage 0"
};

struct TimelineSlice {
  std::uint32_t track = 0;   ///< of Timeline::tracks
  std::uint32_t detail = 0;  ///< of Timeline::details
  std::uint16_t depth = 0;   ///< 0 for the outermost; slices of one depth of a track do not overlap
  std::int32_t number = -1;  ///< the microbatch, or how often it has come before; −1 for none
  double start = 0;          ///< seconds
  double seconds = 0;
  [[nodiscard]] double end() const { return start + seconds; }
};

/// A value that holds from each of its points to the next.
struct TimelineCounter {
  struct Point {
    double time = 0;  ///< seconds
    double value = 0;
  };
  std::string name;  ///< "NIC 0 of node 2 ↑"
  std::string unit;  ///< "GB/s"
  std::vector<Point> points;
};

/// Events on the devices of a machine over time, predicted or measured. Times begin at 0.
struct Timeline {
  std::string title;
  double seconds = 0;  ///< end of the last slice
  std::vector<TimelineTrack> tracks;
  std::vector<SliceDetail> details;
  std::vector<TimelineSlice> slices;  ///< by track, start and depth, once sorted
  std::vector<TimelineCounter> counters;
  std::vector<std::string> notes;  ///< assumptions and omissions, one sentence each

  [[nodiscard]] const SliceDetail& detailOf(const TimelineSlice& slice) const { return details[slice.detail]; }
  /// Slices of a track; needs sorted slices. O(log slices).
  [[nodiscard]] std::pair<std::size_t, std::size_t> rangeOf(std::uint32_t track) const;
  /// Rows that the slices of a track need, at least 1.
  [[nodiscard]] int depthOf(std::uint32_t track) const;
};

/// Largest number of slices of a timeline.
inline constexpr std::size_t kMostSlices = 4'000'000;

/// Builds a timeline.
class TimelineBuilder {
 public:
  explicit TimelineBuilder(std::string title) { m_timeline.title = std::move(title); }

  [[nodiscard]] std::uint32_t track(std::string process, std::string name);
  /// The number of an equal detail where there is one. O(log details).
  [[nodiscard]] std::uint32_t detail(const SliceDetail& detail);
  [[nodiscard]] const SliceDetail& detailAt(std::uint32_t number) const { return m_timeline.details[number]; }
  void slice(const TimelineSlice& slice) { m_timeline.slices.push_back(slice); }
  void counter(TimelineCounter counter) { m_timeline.counters.push_back(std::move(counter)); }
  void note(std::string sentence) { m_timeline.notes.push_back(std::move(sentence)); }
  [[nodiscard]] std::size_t size() const { return m_timeline.slices.size(); }
  /// Sorts the slices and finds the end. The builder is empty afterwards.
  [[nodiscard]] Timeline take();

 private:
  Timeline m_timeline;
  std::vector<std::uint32_t> m_byDetail;  // numbers of details, in the order of the details
};

/// "AllReduce, 1.61 GB, tensor, 8 devices, NVSwitch of node 0": a slice as a tooltip.
[[nodiscard]] std::string describe(const Timeline& timeline, const TimelineSlice& slice);

}  // namespace p2::inline timeline
