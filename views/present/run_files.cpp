// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/present/run_files.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <functional>

#include "views/present/gif_writer.h"
#include "views/present/stage_picture.h"

namespace p2::views {
namespace {

constexpr double kPictureRatio = 2;  // pixels of a PNG for one of the picture
constexpr double kDrawingRatio = 4;  // of bitmaps within a drawing, which may be printed large
constexpr int kPointsPerInch = 72;
constexpr int kFrameHundredths = 8;
constexpr int kRestHundredths = 120;
constexpr int kEndHundredths = 300;

Result<void> written(const QString& path, const std::function<bool(QIODevice&)>& write) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || !write(file) || !file.commit()) {
    return Error{"cannot be written: " + file.errorString().toStdString(), path.toStdString(), ErrorKind::Failed};
  }
  return {};
}

QImage imageOf(StagePicture& picture, int steps, double progress, double ratio) {
  QImage image(picture.size() * ratio, QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(StagePicture::ground());
  QPainter painter(&image);
  picture.paint(painter, steps, progress, ratio);
  return image;
}

bool paintOn(QPaintDevice& device, StagePicture& picture, int steps, double progress) {
  QPainter painter;
  if (!painter.begin(&device)) return false;
  picture.paint(painter, steps, progress, kDrawingRatio);
  return painter.end();
}

bool writePng(StagePicture& picture, int steps, double progress, QIODevice& file) {
  return imageOf(picture, steps, progress, kPictureRatio).save(&file, "PNG");
}

bool writeSvg(StagePicture& picture, int steps, double progress, QIODevice& file) {
  QSvgGenerator generator;
  generator.setOutputDevice(&file);
  generator.setSize(picture.size());
  generator.setViewBox(QRect(QPoint(), picture.size()));
  generator.setResolution(96);
  generator.setTitle(picture.run().title);
  return paintOn(generator, picture, steps, progress);
}

bool writePdf(StagePicture& picture, int steps, double progress, QIODevice& file) {
  QPdfWriter writer(&file);
  writer.setResolution(96);
  const QSizeF points = QSizeF(picture.size()) * kPointsPerInch / 96;
  writer.setPageSize(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch));
  writer.setPageMargins(QMarginsF());
  writer.setTitle(picture.run().title);
  return paintOn(writer, picture, steps, progress);
}

/// Colours of the beginning, the middle of every step, and the end.
std::vector<QImage> samplesOf(StagePicture& picture) {
  const int steps = picture.run().replay->playedSteps();
  std::vector<QImage> samples{imageOf(picture, 0, 0, 1)};
  for (int step = 0; step < steps; ++step) {
    samples.push_back(imageOf(picture, step, 0.5, 1));
    samples.push_back(imageOf(picture, step + 1, 0, 1));
  }
  return samples;
}

}  // namespace

Result<void> writeStep(const ShownRun& run, int steps, double progress, const Theme::Look& look, const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  const auto write = suffix == "png" ? writePng : suffix == "svg" ? writeSvg : suffix == "pdf" ? writePdf : nullptr;
  if (write == nullptr) {
    return Error{"\"" + suffix.toStdString() + "\" is not a format of pictures; use png, svg or pdf",
                 path.toStdString()};
  }
  const Theme::Painting painting(look);
  StagePicture picture(run);
  return written(path, [&](QIODevice& file) { return write(picture, steps, progress, file); });
}

Result<void> writeAnimation(const ShownRun& run, const Theme::Look& look, const QString& path, std::stop_token stop,
                            const Progress& progress) {
  const Theme::Painting painting(look);
  StagePicture picture(run);
  const ColorTable colors(samplesOf(picture));
  QBuffer bytes;
  bytes.open(QIODevice::WriteOnly);
  GifWriter gif(bytes, picture.size(), colors);
  bool fine = gif.add(imageOf(picture, 0, 0, 1), kRestHundredths);
  const int steps = run.replay->playedSteps();
  constexpr int kFrames = int(kAnimatedSeconds * 100 / kFrameHundredths);
  for (int step = 0; fine && step < steps; ++step) {
    for (int frame = 1; fine && frame < kFrames; ++frame) {
      if (stop.stop_requested()) return cancelledError();
      fine = gif.add(imageOf(picture, step, double(frame) / kFrames, 1), kFrameHundredths);
      if (progress) progress((step + double(frame) / kFrames) / steps);
    }
    fine = fine && gif.add(imageOf(picture, step + 1, 0, 1), step + 1 == steps ? kEndHundredths : kRestHundredths);
  }
  if (!fine || !gif.finish()) {
    return Error{"the animation cannot be made; there may be too little memory", path.toStdString(),
                 ErrorKind::Failed};
  }
  return written(path, [&](QIODevice& file) { return file.write(bytes.data()) == bytes.data().size(); });
}

Result<void> writeText(const std::string& text, const QString& path) {
  return written(path,
                 [&](QIODevice& file) { return file.write(text.data(), qint64(text.size())) == qint64(text.size()); });
}

}  // namespace p2::views
