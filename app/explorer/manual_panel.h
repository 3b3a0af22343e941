// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QImage>
#include <QTextBrowser>
#include <QTimer>
#include <QUrl>
#include <QWidget>

class QAction;
class QComboBox;

namespace p2::explorer {

/// Shows pages of the manual as the programs have them compiled in, with pictures as wide as there is room.
class ManualBrowser : public QTextBrowser {
  Q_OBJECT
 public:
  explicit ManualBrowser(QWidget* parent = nullptr);

  /// Opens the page of that name; at the section with that heading, if it has one.
  void open(const QString& page, const QString& heading = {});
  /// The name of the page that is shown.
  [[nodiscard]] QString page() const;
  QVariant loadResource(int type, const QUrl& url) override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] QImage fitted(const QImage& picture) const;
  void fitPictures();
  void scrollTo(const QString& heading);

  QHash<QUrl, QImage> m_pictures;  // as large as they are, of the page that is shown
  QTimer m_fit;                    // until resizing has ended
};

/// The manual next to the perspective: its section about the current one, until another page is chosen.
class ManualPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ManualPanel(QWidget* parent = nullptr);

  /// Shows the section about the perspective of that title, at once or when the panel is next shown.
  void showPerspective(const QString& title);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void choosePage(int row);
  void followPage();
  QAction* addStep(const QString& icon, const QString& text, void (QTextBrowser::*step)());

  ManualBrowser* m_browser;
  QComboBox* m_pages;
  QString m_perspective;
};

}  // namespace p2::explorer
