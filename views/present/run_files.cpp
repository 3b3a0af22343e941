// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/present/run_files.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <functional>
#include <memory>

#include "views/common/figure_style.h"
#include "views/common/svg_document.h"
#include "views/present/gif_writer.h"
#include "views/present/stage_picture.h"

namespace p2::views {
namespace {

constexpr double kPictureRatio = 2;  // pixels of a PNG for one of the picture
constexpr double kDrawingRatio = 4;  // of bitmaps within a drawing, which may be printed large
/// As wide as a page's text (FigureStyle::kPage) in print, where the letters keep their size.
constexpr QSize kPrinted(680, 480);
constexpr QSize kSlide(800, 500);  // smaller than other pictures, so that its letters can be read from far
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

/// One picture, or two with their letters: side by side, or one below the other.
class Sheet {
 public:
  explicit Sheet(const ShownRun& run, QSize each = StagePicture::kSize, Qt::Orientation along = Qt::Horizontal)
      : m_each(each), m_along(along), m_steps(run.replay->playedSteps()) {
    const QString letter = run.rival ? QStringLiteral("A") : QString();
    m_pictures.push_back(std::make_unique<StagePicture>(lettered(run, letter), each));
    if (!run.rival) return;
    m_pictures.push_back(std::make_unique<StagePicture>(lettered(*run.rival, QStringLiteral("B")), each));
    m_steps = std::max(m_steps, run.rival->replay->playedSteps());
  }

  [[nodiscard]] QString title() const { return m_pictures.front()->run().title; }
  [[nodiscard]] QSize size() const {
    const QPoint last = placeOf(m_pictures.size() - 1);
    return {last.x() + m_each.width(), last.y() + m_each.height()};
  }
  /// Steps of the longer run.
  [[nodiscard]] int steps() const { return m_steps; }
  /// Seconds that a step moves.
  [[nodiscard]] double secondsOf(int step) const {
    double most = 0;
    for (const auto& picture : m_pictures) {
      const std::vector<double> pace = paceOf(*picture->run().replay);
      most = std::max(most, step < int(pace.size()) ? pace[std::size_t(step)] : 0);
    }
    return most > 0 ? most : Timeline::kStepSeconds;
  }
  /// A run that is shorter stays at its end.
  void paint(QPainter& painter, int steps, double progress, double ratio) {
    for (std::size_t i = 0; i < m_pictures.size(); ++i) {
      const int played = m_pictures[i]->run().replay->playedSteps();
      painter.save();
      painter.translate(placeOf(i));
      m_pictures[i]->paint(painter, std::min(steps, played), steps < played ? progress : 0, ratio);
      painter.restore();
    }
  }

 private:
  [[nodiscard]] QPoint placeOf(std::size_t picture) const {
    const int before = int(picture);
    return m_along == Qt::Horizontal ? QPoint(before * m_each.width(), 0) : QPoint(0, before * m_each.height());
  }
  static ShownRun lettered(ShownRun run, const QString& letter) {
    if (!letter.isEmpty()) run.title = letter + QStringLiteral(":  ") + run.title;
    return run;
  }

  QSize m_each;
  Qt::Orientation m_along;
  std::vector<std::unique_ptr<StagePicture>> m_pictures;
  int m_steps;
};

QImage imageOf(Sheet& picture, int steps, double progress, double ratio) {
  QImage image(picture.size() * ratio, QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(StagePicture::ground());
  QPainter painter(&image);
  picture.paint(painter, steps, progress, ratio);
  return image;
}

bool paintOn(QPaintDevice& device, Sheet& picture, int steps, double progress) {
  QPainter painter;
  if (!painter.begin(&device)) return false;
  picture.paint(painter, steps, progress, kDrawingRatio);
  return painter.end();
}

bool writePng(Sheet& picture, int steps, double progress, QIODevice& file) {
  return imageOf(picture, steps, progress, kPictureRatio).save(&file, "PNG");
}

bool writeSvg(Sheet& picture, int steps, double progress, QIODevice& file) {
  return writeSvgDocument(file, [&](QSvgGenerator& generator) {
    generator.setSize(picture.size());
    generator.setViewBox(QRect(QPoint(), picture.size()));
    generator.setResolution(int(FigureStyle::kDotsPerInch));
    generator.setTitle(picture.title());
    return paintOn(generator, picture, steps, progress);
  });
}

bool writePdf(Sheet& picture, int steps, double progress, QIODevice& file) {
  QPdfWriter writer(&file);
  writer.setResolution(96);
  const QSizeF points = QSizeF(picture.size()) * kPointsPerInch / 96;
  writer.setPageSize(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch));
  writer.setPageMargins(QMarginsF());
  writer.setTitle(picture.title());
  return paintOn(writer, picture, steps, progress);
}

/// Colours of the beginning, the middle of every step, and the end.
std::vector<QImage> samplesOf(Sheet& picture) {
  const int steps = picture.steps();
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
  Sheet picture =
      suffix == "png" ? Sheet(run) : Sheet(run, kPrinted, Qt::Vertical);  // drawings are for print, pictures for slides
  return written(path, [&](QIODevice& file) { return write(picture, steps, progress, file); });
}

Result<void> writeSlides(const ShownRun& run, const Theme::Look& look, const QString& path, std::stop_token stop) {
  Theme::Look paper = look;
  paper.dark = false;
  const Theme::Painting painting(paper);
  Sheet picture(run, kSlide);
  bool stopped = false;
  const Result<void> done = written(path, [&](QIODevice& file) {
    QPdfWriter writer(&file);
    writer.setResolution(96);
    writer.setPageSize(
        QPageSize(QSizeF(picture.size()) * kPointsPerInch / 96, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(picture.title());
    QPainter painter;
    if (!painter.begin(&writer)) return false;
    for (int step = 0; step <= picture.steps(); ++step) {
      stopped = stop.stop_requested();
      if (stopped) break;
      if (step > 0) writer.newPage();
      picture.paint(painter, step, 0, kDrawingRatio);
    }
    return painter.end() && !stopped;
  });
  return stopped ? Result<void>(cancelledError()) : done;
}

Result<void> writeAnimation(const ShownRun& run, const Theme::Look& look, const QString& path, std::stop_token stop,
                            const Progress& progress) {
  const Theme::Painting painting(look);
  Sheet picture(run);
  const ColorTable colors(samplesOf(picture));
  QBuffer bytes;
  bytes.open(QIODevice::WriteOnly);
  GifWriter gif(bytes, picture.size(), colors);
  bool fine = gif.add(imageOf(picture, 0, 0, 1), kRestHundredths);
  const int steps = picture.steps();
  for (int step = 0; fine && step < steps; ++step) {
    const int frames = std::max(2, int(picture.secondsOf(step) * 100 / kFrameHundredths));
    for (int frame = 1; fine && frame < frames; ++frame) {
      if (stop.stop_requested()) return cancelledError();
      fine = gif.add(imageOf(picture, step, double(frame) / frames, 1), kFrameHundredths);
      if (progress) progress((step + double(frame) / frames) / steps);
    }
    fine = fine && gif.add(imageOf(picture, step + 1, 0, 1), step + 1 == steps ? kEndHundredths : kRestHundredths);
  }
  if (!fine || !gif.finish()) {
    return Error{"the animation cannot be made; there may be too little memory", path.toStdString(), ErrorKind::Failed};
  }
  return written(path, [&](QIODevice& file) { return file.write(bytes.data()) == bytes.data().size(); });
}

Result<void> writeText(const std::string& text, const QString& path) {
  return written(path,
                 [&](QIODevice& file) { return file.write(text.data(), qint64(text.size())) == qint64(text.size()); });
}

}  // namespace p2::views
