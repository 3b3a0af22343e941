// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>
#include <QStringList>

namespace p2::views {

/// A slider with words below some of its stops. Words that would touch the ones before are left out.
class MarkedSlider : public QSlider {
  Q_OBJECT
 public:
  explicit MarkedSlider(QWidget* parent = nullptr);

  /// A word for every stop, empty for none; without any the slider is a plain one.
  void setMarks(const QStringList& marks);
  [[nodiscard]] const QStringList& marks() const { return m_marks; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void initStyleOption(QStyleOptionSlider* option) const override;
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] int marksHeight() const;
  /// The middle of the handle at a stop.
  [[nodiscard]] int xOf(int stop) const;

  QStringList m_marks;
};

}  // namespace p2::views
