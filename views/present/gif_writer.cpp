// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/present/gif_writer.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <memory>

namespace p2::views {
namespace {

constexpr int kMostHundredths = 65535;

int writeBytes(GifFileType* gif, const GifByteType* bytes, int count) {
  return int(static_cast<QIODevice*>(gif->UserData)->write(reinterpret_cast<const char*>(bytes), count));
}

}  // namespace

GifWriter::GifWriter(QIODevice& file, QSize size, const ColorTable& colors) : m_size(size), m_colors(colors) {
  int problem = 0;
  m_gif = EGifOpen(&file, writeBytes, &problem);
  if (m_gif == nullptr || begin()) return;
  EGifCloseFile(m_gif, nullptr);
  m_gif = nullptr;
}

GifWriter::~GifWriter() {
  if (m_gif != nullptr) EGifCloseFile(m_gif, nullptr);
}

bool GifWriter::begin() {
  EGifSetGifVersion(m_gif, true);
  std::array<GifColorType, ColorTable::kMost> table{};
  for (std::size_t i = 0; i < m_colors.colors().size(); ++i) {
    const QRgb color = m_colors.colors()[i];
    table[i] = {GifByteType(qRed(color)), GifByteType(qGreen(color)), GifByteType(qBlue(color))};
  }
  const std::unique_ptr<ColorMapObject, decltype(&GifFreeMapObject)> map(
      GifMakeMapObject(ColorTable::kMost, table.data()), GifFreeMapObject);
  if (!map || EGifPutScreenDesc(m_gif, m_size.width(), m_size.height(), 8, 0, map.get()) != GIF_OK) return false;
  constexpr std::array<unsigned char, 3> kForEver{1, 0, 0};
  return EGifPutExtensionLeader(m_gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
         EGifPutExtensionBlock(m_gif, 11, "NETSCAPE2.0") == GIF_OK &&
         EGifPutExtensionBlock(m_gif, int(kForEver.size()), kForEver.data()) == GIF_OK &&
         EGifPutExtensionTrailer(m_gif) == GIF_OK;
}

QRect GifWriter::changed(const std::vector<std::uint8_t>& next) const {
  const int width = m_size.width();
  int left = width;
  int right = -1;
  int top = m_size.height();
  int bottom = -1;
  for (int y = 0; y < m_size.height(); ++y) {
    const auto row = std::ptrdiff_t(y) * width;
    const auto [first, other] = std::mismatch(next.begin() + row, next.begin() + row + width, m_last.begin() + row);
    if (first == next.begin() + row + width) continue;
    int last = width - 1;
    while (next[std::size_t(row + last)] == m_last[std::size_t(row + last)]) --last;
    top = std::min(top, y);
    bottom = y;
    left = std::min(left, int(first - (next.begin() + row)));
    right = std::max(right, last);
  }
  return QRect(QPoint(left, top), QPoint(right, bottom));
}

bool GifWriter::add(const QImage& picture, int hundredths) {
  if (m_gif == nullptr || picture.size() != m_size) return false;
  std::vector<std::uint8_t> next = m_colors.indicesOf(picture.convertToFormat(QImage::Format_RGB32));
  const QRect part = m_last.empty() ? QRect(QPoint(), m_size) : changed(next);
  if (!part.isValid()) {
    m_pendingHundredths = std::min(m_pendingHundredths + hundredths, kMostHundredths);
    return true;
  }
  if (!flush()) return false;
  m_last = std::move(next);
  m_pending = part;
  m_pendingHundredths = hundredths;
  return true;
}

bool GifWriter::flush() {
  if (!m_pending) return true;
  const QRect part = *m_pending;
  m_pending.reset();
  return write(m_last, part, m_pendingHundredths);
}

bool GifWriter::write(const std::vector<std::uint8_t>& indices, const QRect& part, int hundredths) {
  GraphicsControlBlock control{};
  control.DisposalMode = DISPOSE_DO_NOT;
  control.DelayTime = hundredths;
  control.TransparentColor = NO_TRANSPARENT_COLOR;
  std::array<GifByteType, 4> packed{};
  const auto size = EGifGCBToExtension(&control, packed.data());
  if (EGifPutExtension(m_gif, GRAPHICS_EXT_FUNC_CODE, int(size), packed.data()) != GIF_OK) return false;
  if (EGifPutImageDesc(m_gif, part.left(), part.top(), part.width(), part.height(), false, nullptr) != GIF_OK) {
    return false;
  }
  std::vector<GifPixelType> line(std::size_t(part.width()));
  for (int y = part.top(); y <= part.bottom(); ++y) {
    const auto from = indices.begin() + std::ptrdiff_t(y) * m_size.width() + part.left();
    std::copy(from, from + part.width(), line.begin());
    if (EGifPutLine(m_gif, line.data(), part.width()) != GIF_OK) return false;
  }
  return true;
}

bool GifWriter::finish() {
  if (m_gif == nullptr) return false;
  const bool written = flush();
  const bool closed = EGifCloseFile(m_gif, nullptr) == GIF_OK;
  m_gif = nullptr;
  return written && closed;
}

}  // namespace p2::views
