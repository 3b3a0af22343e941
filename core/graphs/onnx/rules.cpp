// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>

#include "graphs/onnx/builder.h"

namespace p2::inline graphs {

void OnnxBuilder::gemm() {
  if (in(0).size() != 2 || in(1).size() != 2 || out().size() != 2) return unpriced();
  const bool turned = wholeOf(m_node, "transA", 0) != 0;
  const bool turnedWeights = wholeOf(m_node, "transB", 0) != 0;
  const std::size_t b = dimension("b", out()[0]);
  const std::size_t n = dimension("n", out()[1]);
  const std::size_t k = dimension("k", in(0)[turned ? 0 : 1]);
  input(0, turned ? Span{k, b} : Span{b, k});
  input(1, turnedWeights ? Span{n, k} : Span{k, n});
  if (hasIn(2)) {
    Span span;
    for (std::size_t i = 0; i < in(2).size(); ++i) {
      span.push_back(i + 1 == in(2).size() ? (in(2)[i] == out()[1] ? n : whole(in(2)[i]))
                                           : (in(2)[i] == out()[0] ? b : whole(in(2)[i])));
    }
    input(2, span);
  }
  output(0, {b, n});
}

/// The row or column that a vector lacks is left out of the result as well.
void OnnxBuilder::matMul() {
  const Shape& a = in(0);
  const Shape& b = in(1);
  if (a.empty() || b.empty()) return unpriced();
  const std::size_t lost = (a.size() == 1 ? 1u : 0u) + (b.size() == 1 ? 1u : 0u);
  const std::size_t rank = std::max({a.size(), b.size(), std::size_t{2}});
  if (out().size() + lost != rank) return unpriced();
  const Span result = dimensionsOf(out());
  const std::size_t k = dimension("k", a.back());
  const std::size_t batch = rank - 2;  // dimensions that both sides share
  const auto side = [&](const Shape& shape, const Span& last) {
    Span span;
    const std::size_t missing = rank - shape.size();
    for (std::size_t i = 0; i + 2 < shape.size(); ++i) {
      span.push_back(shape[i] == out()[missing + i] ? result[missing + i] : whole(shape[i]));
    }
    span.insert(span.end(), last.begin(), last.end());
    return span;
  };
  input(0, side(a, a.size() == 1 ? Span{k} : Span{result[batch], k}));
  input(1, side(b, b.size() == 1 ? Span{k} : Span{k, result.back()}));
  output(0, result);
}

void OnnxBuilder::convolution() {
  const Shape& weights = in(1);
  if (in(0).size() < 3 || weights.size() != in(0).size() || out().size() != in(0).size()) return unpriced();
  const std::size_t b = dimension("b", out()[0]);
  const std::size_t n = dimension("n", out()[1]);
  // Grouped channels are cut together with the output's.
  const bool grouped = wholeOf(m_node, "group", 1) > 1;
  const std::size_t c = dimension("c", weights[1], !grouped);
  const Span space = wholeFrom(out(), 2);
  const Span window = wholeFrom(weights, 2);
  Span read{b, grouped ? n : c};
  Span filter{n, c};
  Span written{b, n};
  read.insert(read.end(), space.begin(), space.end());
  filter.insert(filter.end(), window.begin(), window.end());
  written.insert(written.end(), space.begin(), space.end());
  input(0, read);
  input(1, filter);
  input(2, {n});
  output(0, written);
}

void OnnxBuilder::pooling() {
  if (in(0).size() < 3 || out().size() != in(0).size()) return elementwise();
  Span span{dimension("b", out()[0]), dimension("c", out()[1])};
  const Span space = wholeFrom(out(), 2);
  span.insert(span.end(), space.begin(), space.end());
  Shape window = wholesOf(m_node, "kernel_shape");
  if (window.empty()) window.assign(in(0).begin() + 2, in(0).end());
  wholeFrom(window, 0);
  input(0, span);
  output(0, span);
}

void OnnxBuilder::batchNormalisation() {
  if (in(0).size() < 2) return elementwise();
  Span span{dimension("b", in(0)[0]), dimension("c", in(0)[1])};
  const Span space = wholeFrom(in(0), 2);
  span.insert(span.end(), space.begin(), space.end());
  input(0, span);
  input(1, {span[1]});
  input(2, {span[1]});
  statistics({"mean", "variance", "mean_gradient", "variance_gradient"}, {span[1]});
  output(0, span);
}

/// Of every channel, or group of channels, of every sample.
void OnnxBuilder::instanceNormalisation() {
  if (in(0).size() < 2) return elementwise();
  Span span{dimension("b", in(0)[0]), dimension("c", in(0)[1])};
  const Span space = wholeFrom(in(0), 2);
  span.insert(span.end(), space.begin(), space.end());
  input(0, span);
  for (int i = 1; i < 3; ++i) {
    if (in(i) == Shape{in(0)[1]}) input(i, {span[1]});
  }
  statistics({"mean", "variance", "mean_gradient", "variance_gradient"}, {span[0], span[1]});
  output(0, span);
}

void OnnxBuilder::layerNormalisation() {
  if (in(0).empty()) return elementwise();
  const Span span = dimensionsOf(in(0));
  const auto first = span.begin() + static_cast<std::ptrdiff_t>(axis(-1, in(0)));
  input(0, span);
  for (int i = 1; i < 3; ++i) input(i, Span(first, span.end()));
  const Span rows(span.begin(), first);
  const bool centred = m_node.op_type() == "LayerNormalization";
  if (centred) statistics({"mean", "variance", "mean_gradient", "variance_gradient"}, rows);
  if (!centred) statistics({"variance", "variance_gradient"}, rows);
  output(0, span);
}

void OnnxBuilder::softmax() {
  if (in(0).empty()) return elementwise();
  const Span span = dimensionsOf(in(0));
  input(0, span);
  statistics({"maximum", "sum", "gradient"}, without(span, axis(-1, in(0))));
  output(0, span);
}

void OnnxBuilder::loss() {
  if (in(0).size() < 2) return elementwise();
  const Span span = dimensionsOf(in(0));
  input(0, span);
  if (hasIn(1) && in(1).size() + 1 == span.size()) input(1, without(span, 1));
  statistics({"maximum", "sum"}, without(span, 1));
}

void OnnxBuilder::embedding() {
  if (!hasIn(0) || !m_model.isParameter(m_node.input(0)) || in(0).size() != 2 || !hasIn(1) || axis(0, in(0)) != 0)
    return elementwise();
  const Span indices = dimensionsOf(in(1));
  Span span = indices;
  const std::size_t v = dimension("v", in(0)[0]);
  span.push_back(dimension("e", in(0)[1]));
  input(1, indices);
  input(0, {v, span.back()});
  output(0, span);
}

void OnnxBuilder::concat() {
  const Span span = dimensionsOf(out());
  for (int i = 0; i < m_node.input_size(); ++i) input(i, span);
  output(0, span);
}

void OnnxBuilder::split() {
  const Span span = dimensionsOf(in(0));
  input(0, span);
  for (int i = 0; i < m_node.output_size(); ++i) output(i, span);
}

void OnnxBuilder::transpose() {
  const Span span = dimensionsOf(in(0));
  const std::vector<std::int64_t> order = wholesOf(m_node, "perm");
  const auto rank = static_cast<std::int64_t>(span.size());
  const bool valid = std::all_of(order.begin(), order.end(), [&](std::int64_t d) { return d >= 0 && d < rank; });
  if (!valid || (!order.empty() && order.size() != span.size())) return elementwise();
  Span turned(span.rbegin(), span.rend());
  for (std::size_t i = 0; i < order.size(); ++i) turned[i] = span[static_cast<std::size_t>(order[i])];
  input(0, span);
  output(0, turned);
}

/// Dimensions that are merged or divided are cut together at the outermost of them; the others of the group stay whole.
void OnnxBuilder::reshape() {
  const Shape& from = in(0);
  const Shape& to = out();
  Span read;
  Span written;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < from.size() && j < to.size()) {
    const std::size_t shared = dimension("d" + std::to_string(read.size()), std::gcd(from[i], to[j]));
    read.push_back(shared);
    written.push_back(shared);
    std::int64_t before = from[i++];
    std::int64_t after = to[j++];
    while (before != after) {
      const bool more = before < after ? i < from.size() : j < to.size();
      if (!more) return elementwise();
      if (before < after) {
        before *= from[i];
        read.push_back(whole(from[i++]));
      } else {
        after *= to[j];
        written.push_back(whole(to[j++]));
      }
    }
  }
  for (; i < from.size(); ++i) read.push_back(whole(from[i]));
  for (; j < to.size(); ++j) written.push_back(whole(to[j]));
  input(0, read);
  output(0, written);
}

/// Every input is matched with the output from the right, as broadcasting does; dimensions without a match stay whole.
void OnnxBuilder::elementwise() {
  m_result = {};
  const Span span = dimensionsOf(out());
  for (int i = 0; i < m_node.input_size(); ++i) {
    if (!isTaken(i)) continue;
    const Shape& shape = in(i);
    Span matched;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const std::size_t right = shape.size() - d;
      const bool same = right <= span.size() && out()[span.size() - right] == shape[d];
      matched.push_back(same ? span[span.size() - right] : whole(shape[d]));
    }
    input(i, matched);
  }
  for (int i = 0; i < m_node.output_size(); ++i) {
    const Shape* shape = m_model.shapeOf(m_node.output(i));
    if (shape != nullptr && *shape == out()) output(i, span);
  }
  m_result.op.kind = OperatorKind::Elementwise;
}

}  // namespace p2::inline graphs
