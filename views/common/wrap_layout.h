// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

namespace p2::views {

/// A line of controls that goes on in the next line where there is too little width.
class WrapLayout : public QLayout {
 public:
  explicit WrapLayout(QWidget* parent = nullptr);
  /// The last item is right-aligned in its line.
  void setLastAtEnd() { m_lastAtEnd = true; }
  ~WrapLayout() override;

  void addItem(QLayoutItem* item) override { m_items.append(item); }
  [[nodiscard]] int count() const override { return int(m_items.size()); }
  [[nodiscard]] QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
  QLayoutItem* takeAt(int index) override;
  [[nodiscard]] Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;

 private:
  /// The height; puts the items there only if told so.
  int arrange(const QRect& rect, bool move) const;

  QList<QLayoutItem*> m_items;
  bool m_lastAtEnd = false;
};

}  // namespace p2::views
