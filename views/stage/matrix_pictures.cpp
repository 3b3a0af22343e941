// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/matrix_pictures.h"

#include <algorithm>

#include "views/stage/folded_image.h"
#include "views/stage/folded_runs.h"
#include "views/stage/state_image.h"

namespace p2::views {
namespace {

constexpr qint64 kMostBytes = 128 << 20;

bool sameRow(const DeviceState& a, const DeviceState& b, int row) {
  for (int column = 0; column < a.size(); ++column) {
    if (a.test(row, column) != b.test(row, column)) return false;
  }
  return true;
}

}  // namespace

void MatrixPictures::setReplay(std::shared_ptr<const Replay> replay) {
  m_replay = std::move(replay);
  drop();
}

void MatrixPictures::setSize(QSize size) {
  if (size == m_size) return;
  m_size = size;
  drop();
}

void MatrixPictures::setFolded(bool folded) {
  if (folded == m_folded) return;
  m_folded = folded;
  drop();
}

void MatrixPictures::setNumbers(bool numbers) {
  if (numbers == m_numbers) return;
  m_numbers = numbers;
  drop();
}

void MatrixPictures::drop() {
  m_images.clear();
  m_landed.clear();
  m_changed.clear();
  m_bytes = 0;
}

const QImage& MatrixPictures::of(Device device, int steps) { return at(device, steps, false); }

const QImage& MatrixPictures::joined(Device device, int step) { return at(device, step, true); }

const QImage& MatrixPictures::landed(Device device, const LandedStates& states, std::size_t count) {
  if (count == 0) return of(device, int(states.step().value()));
  Landed& kept = m_landed[device];
  if (!kept.image.isNull() && kept.step == states.step() && kept.count == count) return kept.image;
  // Time mostly goes on: the latest landings are added.
  if (kept.image.isNull() || kept.step != states.step() || kept.count > count) {
    kept.state = states.stateOf(device, count);
  } else {
    states.land(kept.state, device, kept.count, count);
  }
  kept.step = states.step();
  kept.count = count;
  kept.image = draw(kept.state);
  return kept.image;
}

bool MatrixPictures::canDraw(Device device, int steps) const {
  if (m_replay->isExplicit()) return true;
  const auto made = m_images.find(Key(steps, m_replay->hierarchy->memberOf(device), false));
  return made != m_images.end() ? !made->second.isNull() : m_replay->foldedOf(device, steps).has_value();
}

bool MatrixPictures::makeAhead(Device device, int steps) {
  if (m_bytes > kMostBytes / 2) return false;
  const MemberId member = m_replay->hierarchy->memberOf(device);
  for (const Key& key : {Key(steps - 1, member, true), Key(steps, member, false)}) {
    const auto& [done, of, join] = key;
    if (m_images.contains(key) || (join && !m_replay->isExplicit())) continue;
    at(device, done, join);
    return true;
  }
  return false;
}

const QImage& MatrixPictures::at(Device device, int steps, bool join) {
  const Key key(steps, m_replay->hierarchy->memberOf(device), join);
  if (const auto found = m_images.find(key); found != m_images.end()) return found->second;
  if (m_bytes > kMostBytes) drop();
  QImage& made = m_images[key];
  made = make(device, steps, join);
  m_bytes += made.sizeInBytes();
  return made;
}

QImage MatrixPictures::draw(const DeviceState& state) const {
  if (m_numbers) return numbersImage(state, m_size);
  const QImage runs = m_folded ? foldedImage(state, m_size) : QImage();
  return runs.isNull() ? fitted(stateImage(state, std::min(m_size.width(), m_size.height()))) : runs;
}

QImage MatrixPictures::fitted(const QImage& image) const {
  return image.size() == m_size ? image : image.scaled(m_size);
}

QImage MatrixPictures::make(Device device, int steps, bool join) const {
  if (m_replay->isExplicit()) {
    DeviceState state = m_replay->stateOf(device, steps);
    if (join) state.unite(m_replay->stateOf(device, steps + 1));
    return draw(state);
  }
  if (join) return {};
  const auto folded = m_replay->foldedOf(device, steps);
  if (!folded) return {};
  const QImage runs = m_folded ? foldedImage(*folded, m_size) : QImage();
  return runs.isNull() ? fitted(stateImage(*folded, std::min(m_size.width(), m_size.height()))) : runs;
}

const std::vector<std::pair<int, int>>& MatrixPictures::changedRows(Device device, int step) {
  const auto [found, isNew] = m_changed.try_emplace({step, m_replay->hierarchy->memberOf(device)});
  std::vector<std::pair<int, int>>& runs = found->second;
  if (!isNew || step >= m_replay->validSteps()) return runs;
  if (!m_replay->isExplicit()) {
    // Marks closer than a few pixels would merge.
    const double gap = 4 * double(m_replay->members) / m_size.height();
    const auto before = m_replay->foldedOf(device, step);
    const auto after = m_replay->foldedOf(device, step + 1);
    if (!before || !after) return runs;
    for (const ChunkRange& range : changedRuns(*before, *after, gap)) {
      runs.emplace_back(int(range.from), int(range.to) - 1);
    }
    return runs;
  }
  const DeviceState& before = m_replay->stateOf(device, step);
  const DeviceState& after = m_replay->stateOf(device, step + 1);
  for (int row = 0; row < before.size(); ++row) {
    if (sameRow(before, after, row)) continue;
    if (!runs.empty() && runs.back().second == row - 1) {
      runs.back().second = row;
    } else {
      runs.emplace_back(row, row);
    }
  }
  return runs;
}

}  // namespace p2::views
