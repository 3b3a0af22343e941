// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/present/zip_writer.h"

#include <zlib.h>

#include <QtEndian>
#include <limits>

namespace p2::views {
namespace {

constexpr quint16 kVersion = 20;      // least version of a reader, times ten
constexpr quint16 kUtf8Names = 2048;  // flag
constexpr quint16 kDate = (2000 - 1980) << 9 | 1 << 5 | 1;

template <class... Numbers>
QByteArray littleEndian(Numbers... numbers) {
  QByteArray bytes;
  const auto put = [&bytes](auto number) {
    const auto turned = qToLittleEndian(number);
    bytes.append(reinterpret_cast<const char*>(&turned), sizeof(turned));
  };
  (put(numbers), ...);
  return bytes;
}

}  // namespace

bool ZipWriter::add(const QString& name, const QByteArray& contents) {
  const QByteArray path = name.toUtf8();
  const qint64 end = qint64(m_at) + path.size() + contents.size();
  if (end > std::numeric_limits<qint32>::max()) m_fine = false;
  const auto sum = quint32(crc32(0, reinterpret_cast<const Bytef*>(contents.constData()), uInt(contents.size())));
  const auto size = quint32(contents.size());
  const quint16 stored = 0;
  const quint16 midnight = 0;
  const QByteArray common =
      littleEndian(kVersion, kUtf8Names, stored, midnight, kDate, sum, size, size, quint16(path.size()), quint16(0));
  m_directory += littleEndian(quint32(0x02014b50), kVersion) + common +
                 littleEndian(quint16(0), quint16(0), quint16(0), quint32(0), m_at) + path;
  ++m_count;
  return write(littleEndian(quint32(0x04034b50)) + common + path) && write(contents);
}

bool ZipWriter::finish() {
  const quint32 begin = m_at;
  return write(m_directory) && write(littleEndian(quint32(0x06054b50), quint16(0), quint16(0), m_count, m_count,
                                                  quint32(m_directory.size()), begin, quint16(0)));
}

bool ZipWriter::write(const QByteArray& bytes) {
  m_fine = m_fine && m_file.write(bytes) == bytes.size();
  m_at += quint32(bytes.size());
  return m_fine;
}

}  // namespace p2::views
