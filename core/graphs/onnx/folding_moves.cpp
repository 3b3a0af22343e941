// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include "graphs/onnx/folding_rules.h"

namespace p2::inline graphs {
namespace {

std::int64_t wrapped(std::int64_t index, std::int64_t size) { return index < 0 ? index + size : index; }

/// From where, and in which steps, a dimension is sliced, and how many that takes.
struct Cut {
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

std::optional<Cut> cutOf(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  if (step == 0 || step > kFar || step < -kFar) return std::nullopt;
  start = wrapped(std::clamp(start, -kFar, kFar), size);
  end = wrapped(std::clamp(end, -kFar, kFar), size);
  if (step > 0) {
    start = std::clamp<std::int64_t>(start, 0, size);
    end = std::clamp<std::int64_t>(end, 0, size);
    return Cut{start, step, end > start ? (end - start - 1) / step + 1 : 0};
  }
  start = std::clamp<std::int64_t>(start, -1, size - 1);
  end = std::clamp<std::int64_t>(end, -1, size - 1);
  return Cut{start, step, start > end ? (start - end - 1) / -step + 1 : 0};
}

/// The sizes that Reshape asks for: 0 copies, −1 takes the remainder.
std::optional<Shape> wantedShape(const Shape& from, Shape wanted, bool zeroIsZero) {
  std::optional<std::size_t> open;
  std::int64_t rest = std::accumulate(from.begin(), from.end(), std::int64_t{1}, std::multiplies<>());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == 0 && !zeroIsZero) {
      if (i >= from.size()) return std::nullopt;
      wanted[i] = from[i];
    }
    if (wanted[i] == -1) {
      if (open) return std::nullopt;
      open = i;
    } else if (wanted[i] > 0 && rest % wanted[i] == 0) {
      rest /= wanted[i];
    } else if (wanted[i] != 0) {
      return std::nullopt;
    }
  }
  if (open) wanted[*open] = rest;
  return wanted;
}

Folded withShape(const OnnxNumbers& numbers, Shape shape) {
  const auto count = smallCount(shape);
  if (!count || static_cast<std::size_t>(*count) != numbers.values.size()) return std::nullopt;
  return one(OnnxNumbers{numbers.type, std::move(shape), numbers.values});
}

std::optional<std::vector<Cut>> cutsOf(const FoldingNode& node, const Shape& shape) {
  const auto starts = node.list(1, "starts");
  const auto ends = node.list(2, "ends");
  auto axes = node.list(3, "axes");
  const auto steps = node.list(4, "steps");
  if (!starts || !ends || !axes || !steps || starts->size() != ends->size()) return std::nullopt;
  if (axes->empty()) {
    axes->resize(starts->size());
    std::iota(axes->begin(), axes->end(), std::int64_t{0});
  }
  if (axes->size() != starts->size() || (!steps->empty() && steps->size() != starts->size())) return std::nullopt;
  std::vector<Cut> cuts;
  for (const std::int64_t size : shape) cuts.push_back({0, 1, size});
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const auto axis = axisOf((*axes)[i], shape.size());
    if (!axis) return std::nullopt;
    const auto cut = cutOf((*starts)[i], (*ends)[i], steps->empty() ? 1 : (*steps)[i], shape[*axis]);
    if (!cut) return std::nullopt;
    cuts[*axis] = *cut;
  }
  return cuts;
}

}  // namespace

std::optional<std::size_t> offsetOf(const Shape& shape, const Shape& place) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (place[d] < 0 || place[d] >= shape[d]) return std::nullopt;
    offset = offset * shape[d] + place[d];
  }
  return static_cast<std::size_t>(offset);
}

std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank) {
  const std::int64_t at = wrapped(axis, static_cast<std::int64_t>(rank));
  if (at < 0 || at >= static_cast<std::int64_t>(rank)) return std::nullopt;
  return static_cast<std::size_t>(at);
}

Folded one(std::optional<OnnxNumbers> numbers) {
  if (!numbers) return std::nullopt;
  return std::vector<OnnxNumbers>{std::move(*numbers)};
}

Folded foldShape(const FoldingNode& node) {
  const Shape* shape = node.shape(0);
  if (shape == nullptr) return std::nullopt;
  if (node.type() == "Size") {
    const std::int64_t count = std::accumulate(shape->begin(), shape->end(), std::int64_t{1}, std::multiplies<>());
    return one(OnnxNumbers{onnx::TensorProto::INT64, {}, {static_cast<double>(count)}});
  }
  const auto rank = static_cast<std::int64_t>(shape->size());
  const auto cut = cutOf(wholeOf(node.node(), "start", 0), wholeOf(node.node(), "end", rank), 1, rank);
  const auto first = shape->begin() + static_cast<std::ptrdiff_t>(cut->start);
  return one(listOf(Shape(first, first + static_cast<std::ptrdiff_t>(cut->count))));
}

Folded foldReshape(const FoldingNode& node) {
  const OnnxNumbers* from = node.in(0);
  if (from == nullptr) return std::nullopt;
  if (node.type() == "Flatten") {
    const auto rank = static_cast<std::int64_t>(from->shape.size());
    const std::int64_t axis = std::clamp<std::int64_t>(wrapped(wholeOf(node.node(), "axis", 1), rank), 0, rank);
    const auto middle = from->shape.begin() + static_cast<std::ptrdiff_t>(axis);
    const std::int64_t rows = std::accumulate(from->shape.begin(), middle, std::int64_t{1}, std::multiplies<>());
    const std::int64_t columns = std::accumulate(middle, from->shape.end(), std::int64_t{1}, std::multiplies<>());
    return withShape(*from, {rows, columns});
  }
  auto wanted = node.list(1, "shape");
  if (!wanted) return std::nullopt;
  auto shape = wantedShape(from->shape, std::move(*wanted), wholeOf(node.node(), "allowzero", 0) != 0);
  if (!shape) return std::nullopt;
  return withShape(*from, std::move(*shape));
}

Folded foldSqueeze(const FoldingNode& node) {
  const OnnxNumbers* from = node.in(0);
  const auto axes = node.list(1, "axes");
  if (from == nullptr || !axes) return std::nullopt;
  std::vector<bool> gone(from->shape.size(), false);
  for (const std::int64_t each : *axes) {
    const auto axis = axisOf(each, gone.size());
    if (!axis) return std::nullopt;
    gone[*axis] = true;
  }
  Shape shape;
  for (std::size_t d = 0; d < gone.size(); ++d) {
    if (axes->empty() ? from->shape[d] != 1 : !gone[d]) shape.push_back(from->shape[d]);
  }
  return withShape(*from, std::move(shape));
}

Folded foldUnsqueeze(const FoldingNode& node) {
  const OnnxNumbers* from = node.in(0);
  const auto axes = node.list(1, "axes");
  if (from == nullptr || !axes) return std::nullopt;
  std::vector<bool> added(from->shape.size() + axes->size(), false);
  for (const std::int64_t each : *axes) {
    const auto axis = axisOf(each, added.size());
    if (!axis || added[*axis]) return std::nullopt;
    added[*axis] = true;
  }
  Shape shape;
  auto next = from->shape.begin();
  for (const bool is : added) shape.push_back(is ? 1 : *next++);
  return withShape(*from, std::move(shape));
}

Folded foldTranspose(const FoldingNode& node) {
  const OnnxNumbers* from = node.in(0);
  if (from == nullptr) return std::nullopt;
  const std::size_t rank = from->shape.size();
  Shape order = wholesOf(node.node(), "perm");
  if (order.empty()) {
    for (std::size_t d = rank; d-- > 0;) order.push_back(static_cast<std::int64_t>(d));
  }
  Shape shape;
  std::vector<bool> seen(rank, false);
  for (const std::int64_t each : order) {
    const auto axis = axisOf(each, rank);
    if (!axis || seen[*axis]) return std::nullopt;
    seen[*axis] = true;
    shape.push_back(from->shape[*axis]);
  }
  if (shape.size() != rank) return std::nullopt;
  Shape source(rank, 0);
  return one(rearranged(*from, shape, [&](const Shape& place) {
    for (std::size_t d = 0; d < rank; ++d) source[*axisOf(order[d], rank)] = place[d];
    return offsetOf(from->shape, source);
  }));
}

Folded foldExpand(const FoldingNode& node) {
  const OnnxNumbers* from = node.in(0);
  if (from == nullptr || node.in(1) == nullptr) return std::nullopt;
  const auto shape = broadcast(from->shape, wholesFrom(*node.in(1)));
  return shape ? one(broadcastTo(*from, *shape)) : std::nullopt;
}

Folded foldTile(const FoldingNode& node) {
  const OnnxNumbers* from = node.in(0);
  if (from == nullptr || node.in(1) == nullptr) return std::nullopt;
  const Shape repeats = wholesFrom(*node.in(1));
  const std::size_t rank = from->shape.size();
  if (repeats.size() != rank) return std::nullopt;
  Shape shape = from->shape;
  for (std::size_t d = 0; d < rank; ++d) {
    if (repeats[d] < 0 || repeats[d] > kMostNumbers) return std::nullopt;
    shape[d] *= repeats[d];
  }
  Shape source(rank, 0);
  return one(rearranged(*from, shape, [&](const Shape& place) {
    for (std::size_t d = 0; d < rank; ++d) source[d] = place[d] % from->shape[d];
    return offsetOf(from->shape, source);
  }));
}

Folded foldGather(const FoldingNode& node) {
  const OnnxNumbers* from = node.in(0);
  const OnnxNumbers* indices = node.in(1);
  if (from == nullptr || indices == nullptr) return std::nullopt;
  const auto axis = axisOf(wholeOf(node.node(), "axis", 0), from->shape.size());
  if (!axis) return std::nullopt;
  const auto before = static_cast<std::ptrdiff_t>(*axis);
  Shape shape(from->shape.begin(), from->shape.begin() + before);
  shape.insert(shape.end(), indices->shape.begin(), indices->shape.end());
  shape.insert(shape.end(), from->shape.begin() + before + 1, from->shape.end());
  const std::size_t inner = indices->shape.size();
  return one(rearranged(*from, shape, [&](const Shape& place) -> std::optional<std::size_t> {
    const auto first = place.begin() + before;
    const auto last = first + static_cast<std::ptrdiff_t>(inner);
    const auto index = offsetOf(indices->shape, Shape(first, last));
    if (!index || *index >= indices->values.size()) return std::nullopt;
    Shape source(place.begin(), first);
    source.push_back(wrapped(wholeFrom(indices->values[*index]), from->shape[*axis]));
    source.insert(source.end(), last, place.end());
    return offsetOf(from->shape, source);
  }));
}

Folded foldSlice(const FoldingNode& node) {
  const OnnxNumbers* from = node.in(0);
  if (from == nullptr) return std::nullopt;
  const auto cuts = cutsOf(node, from->shape);
  if (!cuts) return std::nullopt;
  Shape shape;
  for (const Cut& cut : *cuts) shape.push_back(cut.count);
  Shape source(shape.size(), 0);
  return one(rearranged(*from, shape, [&](const Shape& place) {
    for (std::size_t d = 0; d < place.size(); ++d) source[d] = (*cuts)[d].start + place[d] * (*cuts)[d].step;
    return offsetOf(from->shape, source);
  }));
}

Folded foldConcat(const FoldingNode& node) {
  if (node.inputs() == 0 || node.in(0) == nullptr) return std::nullopt;
  const auto axis = axisOf(wholeOf(node.node(), "axis", 1), node.in(0)->shape.size());
  if (!axis) return std::nullopt;
  OnnxNumbers result{node.in(0)->type, node.in(0)->shape, {}};
  result.shape[*axis] = 0;
  for (std::size_t i = 0; i < node.inputs(); ++i) {
    if (node.in(i) == nullptr || node.in(i)->shape.size() != result.shape.size()) return std::nullopt;
    result.shape[*axis] += node.in(i)->shape[*axis];
  }
  const auto before = result.shape.begin() + static_cast<std::ptrdiff_t>(*axis);
  const std::int64_t rows = std::accumulate(result.shape.begin(), before, std::int64_t{1}, std::multiplies<>());
  if (rows == 0) return std::nullopt;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < node.inputs(); ++i) {
      const auto& values = node.in(i)->values;
      const auto width = static_cast<std::ptrdiff_t>(values.size()) / rows;
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(row) * width;
      result.values.insert(result.values.end(), first, first + width);
    }
  }
  const auto count = smallCount(result.shape);
  if (!count || static_cast<std::size_t>(*count) != result.values.size()) return std::nullopt;
  return one(std::move(result));
}

Folded foldSplit(const FoldingNode& node) {
  const OnnxNumbers* from = node.in(0);
  auto sizes = node.list(1, "split");
  if (from == nullptr || !sizes) return std::nullopt;
  const auto axis = axisOf(wholeOf(node.node(), "axis", 0), from->shape.size());
  if (!axis || node.outputs() == 0) return std::nullopt;
  if (sizes->empty()) {
    const auto parts = static_cast<std::int64_t>(node.outputs());
    const std::int64_t part = (from->shape[*axis] + parts - 1) / parts;
    for (std::int64_t i = 0; i < parts; ++i) {
      sizes->push_back(std::clamp<std::int64_t>(from->shape[*axis] - i * part, 0, part));
    }
  }
  std::vector<OnnxNumbers> results;
  std::int64_t start = 0;
  for (const std::int64_t size : *sizes) {
    Shape shape = from->shape;
    shape[*axis] = size;
    auto part = rearranged(*from, shape, [&](Shape place) {
      place[*axis] += start;
      return offsetOf(from->shape, place);
    });
    if (!part) return std::nullopt;
    results.push_back(std::move(*part));
    start += size;
  }
  return results;
}

}  // namespace p2::inline graphs
