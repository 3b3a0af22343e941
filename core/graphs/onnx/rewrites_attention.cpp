// SPDX-License-Identifier: GPL-3.0-or-later
#include <iterator>

#include "graphs/onnx/rewriting.h"

namespace p2::inline graphs {
namespace {

/// Cuts the last axis, or another, into pieces of these sizes.
void addPieces(Rewriting& r, const std::string& from, const Shape& sizes, std::int64_t axis, const Names& pieces) {
  r.addList(r.between("sizes"), sizes);
  setWhole(r.add("Split", {from, r.between("sizes")}, pieces), "axis", axis);
}

/// Keys and values of former tokens, which are in one tensor: [2, b, h, tokens, d].
void addPast(Rewriting& r, int index, onnx::NodeProto& attention) {
  const Shape* past = r.shape(index);
  if (past == nullptr || past->size() != 5 || (*past)[0] != 2) return;
  const Names halves{r.between("past keys"), r.between("past values")};
  const Names whole{r.between("past key"), r.between("past value")};
  Names inputs(attention.input().begin(), attention.input().end());
  inputs.resize(6);
  attention.clear_input();
  for (const std::string& name : inputs) attention.add_input(name);
  for (const std::string& name : whole) attention.add_input(name);
  const onnx::NodeProto last = attention;
  r.nodes.pop_back();
  addPieces(r, r.in(index), {1, 1}, 0, halves);
  r.addList(r.between("first"), {0});
  for (std::size_t i = 0; i < halves.size(); ++i) r.add("Squeeze", {halves[i], r.between("first")}, {whole[i]});
  r.nodes.push_back(last);
}

}  // namespace

void projectingAttention(Rewriting& r) {
  const std::int64_t heads = wholeOf(r.node(), "num_heads", 0);
  const Shape* weight = r.shape(1);
  if (heads < 1 || weight == nullptr || weight->size() != 2) return;
  Shape widths = wholesOf(r.node(), "qkv_hidden_sizes");
  if (widths.size() != 3) widths.assign(3, (*weight)[1] / 3);
  std::int64_t rest = (*weight)[1];
  for (const std::int64_t width : widths) {
    if (width < 0 || width > rest) return;
    rest -= width;
  }
  if (rest != 0) return;
  const bool quantized = r.node().op_type() != "Attention";
  const bool biased = !quantized && !r.in(2).empty();
  const bool remembers = !r.out(1).empty();
  r.add("MatMul", {r.in(0), r.in(1)}, {r.between("projected")});
  if (biased) r.add("Add", {r.between("projected"), r.in(2)}, {r.between("biased")});
  r.addList(r.between("widths"), widths);
  const Names parts{r.between("query"), r.between("key"), r.between("value")};
  setWhole(r.add("Split", {r.between(biased ? "biased" : "projected"), r.between("widths")}, parts), "axis", -1);
  Names results{r.out()};
  if (remembers) results.insert(results.end(), {r.between("keys"), r.between("values")});
  onnx::NodeProto& attention = r.add("MultiHeadAttention", parts, results);
  attention.set_domain("com.microsoft");
  setWhole(attention, "num_heads", heads);
  addPast(r, quantized ? 8 : 4, attention);
  if (!remembers) return;
  r.addList(r.between("front"), {0});
  for (const char* side : {"keys", "values"}) {
    r.add("Unsqueeze", {r.between(side), r.between("front")}, {r.between(side) + " in front"});
  }
  setWhole(r.add("Concat", {r.between("keys") + " in front", r.between("values") + " in front"}, {r.out(1)}), "axis",
           0);
}

void packedAttention(Rewriting& r) {
  const Shape* query = r.shape(0);
  const Shape* key = r.shape(1);
  const bool all = query != nullptr && query->size() == 5 && r.in(1).empty() && r.in(2).empty();
  const bool two = query != nullptr && query->size() == 3 && key != nullptr && key->size() == 5 && r.in(2).empty();
  if (!all && !two) return;
  const Shape& packed = all ? *query : *key;
  if (packed[3] != (all ? 3 : 2)) return;
  Names parts{two ? r.in(0) : r.between("query"), r.between("key"), r.between("value")};
  Names pieces;
  for (std::size_t i = two ? 1 : 0; i < parts.size(); ++i) pieces.push_back(parts[i] + " apart");
  addPieces(r, r.in(all ? 0 : 1), Shape(pieces.size(), 1), 3, pieces);
  r.addList(r.between("flat"), {packed[0], packed[1], packed[2] * packed[4]});
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    r.add("Reshape", {pieces[i], r.between("flat")}, {parts[parts.size() - pieces.size() + i]});
  }
  for (int i = 3; i < r.node().input_size(); ++i) parts.push_back(r.in(i));
  r.addLike("MultiHeadAttention", parts, Names(r.node().output().begin(), r.node().output().end()))
      .set_domain("com.microsoft");
}

void packedGroupedAttention(Rewriting& r) {
  const Shape* query = r.shape(0);
  const std::int64_t heads = wholeOf(r.node(), "num_heads", 0);
  const std::int64_t groups = wholeOf(r.node(), "kv_num_heads", 0);
  const bool packed = query != nullptr && query->size() == 3 && r.in(1).empty() && r.in(2).empty();
  if (!packed || heads < 1 || groups < 1) return;
  // As many heads as there may be, they have an element each.
  if (heads > (*query)[2] || groups > ((*query)[2] - heads) / 2) return;
  if ((*query)[2] % (heads + 2 * groups) != 0) return;
  const std::int64_t width = (*query)[2] / (heads + 2 * groups);
  Names parts{r.between("query"), r.between("key"), r.between("value")};
  addPieces(r, r.in(0), {heads * width, groups * width, groups * width}, -1, parts);
  for (int i = 3; i < r.node().input_size(); ++i) parts.push_back(r.in(i));
  r.addLike("GroupQueryAttention", parts, Names(r.node().output().begin(), r.node().output().end()))
      .set_domain("com.microsoft");
}

}  // namespace p2::inline graphs
