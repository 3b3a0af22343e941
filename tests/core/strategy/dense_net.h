// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graphs/detail/graph_json.h"
#include "tests/support/fixtures.h"

namespace p2::test {

/// DenseNet-121 on images of 224 × 224 (Huang et al., CVPR 2017, table 1: blocks of 6, 12, 24 and 16 layers, growth
/// 32). Every layer reads a concatenation of all before it in its block, so a block of n layers has a treewidth of
/// about n.
class DenseNet {
 public:
  explicit DenseNet(int batch) : m_batch(batch) {
    add("conv0", "convolution", {3, 112, 64, 7}, {});
    Layer at = plain("pool0", "pooling", {"conv0", 64}, 56, ",\"r\":3,\"s\":3");
    const std::vector<int> layers{6, 12, 24, 16};
    int size = 56;
    for (std::size_t block = 0; block < layers.size(); ++block) {
      const std::string name = "block" + std::to_string(block + 1);
      at = dense(name, layers[block], at, size);
      if (block + 1 == layers.size()) break;
      at = convolution(name + "_down", at, at.second / 2, size, 1);
      size /= 2;
      at = plain(name + "_pool", "pooling", at, size, ",\"r\":2,\"s\":2");
    }
    m_operators +=
        ",{\"name\":\"pool5\",\"kind\":\"pooling\",\"dimensions\":{\"b\":" + std::to_string(m_batch) +
        ",\"c\":1024,\"r\":7,\"s\":7},\"whole\":[\"r\",\"s\"],\"inputs\":{\"x\":[\"b\",\"c\",\"r\",\"s\"]}," +
        "\"outputs\":{\"y\":[\"b\",\"c\"]}}";
    join(at.first, "pool5.x");
    m_operators += ",{\"name\":\"fc\",\"kind\":\"gemm\",\"dimensions\":{\"b\":" + std::to_string(m_batch) +
                   ",\"n\":1000,\"k\":1024},\"inputs\":{\"x\":[\"b\",\"k\"]},\"parameters\":{\"w\":[\"k\",\"n\"]}," +
                   "\"outputs\":{\"y\":[\"b\",\"n\"]}}";
    join("pool5", "fc.x");
  }

  [[nodiscard]] ComputationGraph graph() const {
    return valueOf(graphFromJson("{\"format\":\"p2-graph\",\"version\":1,\"name\":\"DenseNet-121\",\"operators\":[" +
                                 m_operators + "],\"edges\":[" + m_edges + "]}"));
  }

 private:
  using Layer = std::pair<std::string, int>;  ///< name and channels

  void join(const std::string& from, const std::string& to) {
    m_edges += std::string(m_edges.empty() ? "" : ",") + "[\"" + from + ".y\",\"" + to + "\"]";
  }

  /// Channels read, image size, channels made, kernel.
  void add(const std::string& name, const std::string& kind, const std::vector<int>& sizes, const std::string& from) {
    const auto text = [&](std::size_t i) { return std::to_string(sizes[i]); };
    m_operators += std::string(m_operators.empty() ? "" : ",") + "{\"name\":\"" + name + "\",\"kind\":\"" + kind +
                   "\",\"dimensions\":{\"b\":" + std::to_string(m_batch) + ",\"c\":" + text(0) + ",\"h\":" + text(1) +
                   ",\"w\":" + text(1) + ",\"n\":" + text(2) + ",\"r\":" + text(3) + ",\"s\":" + text(3) +
                   "},\"whole\":[\"h\",\"w\",\"r\",\"s\"],\"inputs\":{\"x\":[\"b\",\"c\",\"h\",\"w\"]}," +
                   "\"parameters\":{\"k\":[\"c\",\"r\",\"s\",\"n\"]},\"outputs\":{\"y\":[\"b\",\"n\",\"h\",\"w\"]}}";
    if (!from.empty()) join(from, name + ".x");
  }

  /// An operator that makes as many channels as it reads.
  Layer plain(const std::string& name, const std::string& kind, const Layer& from, int size, const std::string& more) {
    const std::string whole = more.empty() ? "" : ",\"r\",\"s\"";
    const int read = kind == "pooling" ? size * 2 : size;
    const std::string sides = "\"h=" + std::to_string(read) + "\",\"w=" + std::to_string(read) + "\"";
    m_operators += ",{\"name\":\"" + name + "\",\"kind\":\"" + kind +
                   "\",\"dimensions\":{\"b\":" + std::to_string(m_batch) + ",\"c\":" + std::to_string(from.second) +
                   ",\"h\":" + std::to_string(size) + ",\"w\":" + std::to_string(size) + more +
                   "},\"whole\":[\"h\",\"w\"" + whole + "],\"inputs\":{\"x\":[\"b\",\"c\"," + sides +
                   "]},\"outputs\":{\"y\":[\"b\",\"c\",\"h\",\"w\"]}}";
    join(from.first, name + ".x");
    return {name, from.second};
  }

  /// Normalisation with its rectifier, then the product.
  Layer convolution(const std::string& name, const Layer& from, int channels, int size, int kernel) {
    const Layer rectified = plain(name + "_act", "elementwise", from, size, "");
    add(name, "convolution", {from.second, size, channels, kernel}, rectified.first);
    return {name, channels};
  }

  Layer dense(const std::string& name, int layers, const Layer& from, int size) {
    constexpr int kGrowth = 32;
    constexpr int kNarrow = 128;
    std::vector<Layer> all{from};
    Layer joined = from;
    for (int i = 0; i < layers; ++i) {
      const std::string layer = name + "_" + std::to_string(i + 1);
      const Layer narrow = convolution(layer + "_1x1", joined, kNarrow, size, 1);
      all.push_back(convolution(layer + "_3x3", narrow, kGrowth, size, 3));
      joined = concatenation(layer + "_cat", all, size);
    }
    return joined;
  }

  Layer concatenation(const std::string& name, const std::vector<Layer>& from, int size) {
    int channels = 0;
    std::string inputs;
    for (std::size_t i = 0; i < from.size(); ++i) {
      channels += from[i].second;
      inputs += (i == 0 ? "\"x" : ",\"x") + std::to_string(i) + "\":[\"b\",\"c=" + std::to_string(from[i].second) +
                "\",\"h\",\"w\"]";
      join(from[i].first, name + ".x" + std::to_string(i));
    }
    const std::string side = std::to_string(size);
    m_operators += ",{\"name\":\"" + name + "\",\"kind\":\"concat\",\"dimensions\":{\"b\":" + std::to_string(m_batch) +
                   ",\"c\":" + std::to_string(channels) + ",\"h\":" + side + ",\"w\":" + side +
                   "},\"whole\":[\"h\",\"w\"],\"inputs\":{" + inputs +
                   "},\"outputs\":{\"y\":[\"b\",\"c\",\"h\",\"w\"]}}";
    return {name, channels};
  }

  int m_batch;
  std::string m_operators;
  std::string m_edges;
};

}  // namespace p2::test
