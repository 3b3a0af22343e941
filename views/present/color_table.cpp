// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/present/color_table.h"

#include <algorithm>
#include <limits>

namespace p2::views {
namespace {

struct Bucket {
  std::array<std::int64_t, 3> sum{};
  std::int64_t count = 0;

  int channel(std::size_t i) const { return int(sum[i] / std::max<std::int64_t>(count, 1)); }
};
using Box = std::vector<Bucket>;

std::size_t bucketOf(QRgb color) {
  return std::size_t(qRed(color) >> 3 << 10 | qGreen(color) >> 3 << 5 | qBlue(color) >> 3);
}

/// The channel in which the colours of a box differ most, and by how much.
std::pair<std::size_t, int> widest(const Box& box) {
  std::pair<std::size_t, int> best{0, -1};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto less = [i](const Bucket& a, const Bucket& b) { return a.channel(i) < b.channel(i); };
    const auto [low, high] = std::minmax_element(box.begin(), box.end(), less);
    const int spread = high->channel(i) - low->channel(i);
    if (spread > best.second) best = {i, spread};
  }
  return best;
}

QRgb meanOf(const Box& box) {
  Bucket all;
  for (const Bucket& bucket : box) {
    for (std::size_t i = 0; i < 3; ++i) all.sum[i] += bucket.sum[i];
    all.count += bucket.count;
  }
  return qRgb(all.channel(0), all.channel(1), all.channel(2));
}

/// Cuts the box whose colours differ most into two, each with half of what differs.
bool cutWidest(std::vector<Box>& boxes) {
  const auto widestFirst = [](const Box& a, const Box& b) { return widest(a).second < widest(b).second; };
  const auto box = std::max_element(boxes.begin(), boxes.end(), widestFirst);
  const auto [channel, spread] = widest(*box);
  if (spread <= 0 || box->size() < 2) return false;
  std::sort(box->begin(), box->end(),
            [channel = channel](const Bucket& a, const Bucket& b) { return a.channel(channel) < b.channel(channel); });
  const auto middle = box->begin() + std::ptrdiff_t(box->size() / 2);
  Box upper(middle, box->end());
  box->erase(middle, box->end());
  boxes.push_back(std::move(upper));
  return true;
}

}  // namespace

ColorTable::ColorTable(const std::vector<QImage>& pictures) : m_nearest(std::size_t(kBuckets)) {
  std::vector<Bucket> buckets{std::size_t(kBuckets)};
  for (const QImage& picture : pictures) {
    for (int y = 0; y < picture.height(); ++y) {
      const auto* line = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
      for (int x = 0; x < picture.width(); ++x) {
        Bucket& bucket = buckets[bucketOf(line[x])];
        bucket.sum[0] += qRed(line[x]);
        bucket.sum[1] += qGreen(line[x]);
        bucket.sum[2] += qBlue(line[x]);
        ++bucket.count;
      }
    }
  }
  Box used;
  std::copy_if(buckets.begin(), buckets.end(), std::back_inserter(used), [](const Bucket& b) { return b.count > 0; });
  std::vector<Box> boxes;
  if (!used.empty()) boxes.push_back(std::move(used));
  while (!boxes.empty() && boxes.size() < std::size_t(kMost) && cutWidest(boxes)) {
  }
  for (const Box& box : boxes) m_colors.push_back(meanOf(box));
  if (m_colors.empty()) m_colors.push_back(qRgb(0, 0, 0));
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    const std::array<int, 3> middle{(bucket >> 10) << 3 | 4, (bucket >> 5 & 31) << 3 | 4, (bucket & 31) << 3 | 4};
    int best = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < m_colors.size(); ++i) {
      const int red = qRed(m_colors[i]) - middle[0];
      const int green = qGreen(m_colors[i]) - middle[1];
      const int blue = qBlue(m_colors[i]) - middle[2];
      const int far = red * red + green * green + blue * blue;
      if (far >= best) continue;
      best = far;
      m_nearest[std::size_t(bucket)] = std::uint8_t(i);
    }
  }
}

std::uint8_t ColorTable::indexOf(QRgb color) const { return m_nearest[bucketOf(color)]; }

std::vector<std::uint8_t> ColorTable::indicesOf(const QImage& picture) const {
  std::vector<std::uint8_t> indices;
  indices.reserve(std::size_t(picture.width()) * std::size_t(picture.height()));
  for (int y = 0; y < picture.height(); ++y) {
    const auto* line = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
    for (int x = 0; x < picture.width(); ++x) indices.push_back(indexOf(line[x]));
  }
  return indices;
}

}  // namespace p2::views
