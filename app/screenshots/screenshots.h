// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <optional>
#include <vector>

#include "views/common/theme.h"

namespace p2::views {
class Appearance;
class DocumentController;
class ExampleGallery;
class Session;
}  // namespace p2::views

namespace p2::explorer {

class MainWindow;

/// Walks through every perspective of every example, light and dark, and writes a PNG of the window for each:
/// example-perspective-scheme.png. Further views of a perspective, and dialogs, follow it:
/// example-perspective-view-scheme.png. On a screen scaled by a factor only the first example is shown, in light, and
/// the names end in -2x. A file gets the same pictures without the views of single examples, a lesson only its page. A
/// picture is taken when no job runs any more; with a file, at the latest after half a minute.
class Screenshots : public QObject {
  Q_OBJECT
 public:
  /// `file` is one that `documents` has been asked to open, or empty for the examples.
  Screenshots(MainWindow& window, views::Session& session, views::DocumentController& documents,
              views::Appearance& appearance, QString folder, QString file = {}, QObject* parent = nullptr);
  void start();

 signals:
  /// Empty, or the sentence that says why the file could not be opened, or a picture not be taken or written. Emitted
  /// once, and nothing is written after it.
  void finished(const QString& trouble);

 private:
  struct Shot {
    QString example;  ///< or file
    views::Theme::Scheme scheme;
    int page;
    std::size_t view;  ///< of that page, see moreViews()
  };
  /// A further view of a perspective.
  struct View {
    QString page;          ///< the id of the perspective
    QString name;          ///< part of the picture's name; empty for the first view
    QString action;        ///< that leads there; empty for none
    QString button;        ///< that is pressed there, and released again if it stays down; empty for none
    QString dialog;        ///< that is taken then; empty for the window
    QString example;       ///< the only example with this view; empty for all
    double steps = 1;      ///< finished steps of the program, a fraction in the middle of one
    QString program = {};  ///< typed before, and shown where it stands; empty for none
    QString keysTo = {};   ///< the widget that is given the keyboard, and these keys
    std::vector<int> keys = {};
    QString graph = {};  ///< whose strategy is found on meshes of the example's devices; empty for the example's own
    std::int64_t stages = 0;  ///< of that graph's pipeline, with as many microbatches as kMicrobatches
  };
  [[nodiscard]] static const std::vector<View>& moreViews();
  [[nodiscard]] QString nameOf(const Shot& shot) const;
  void addExamples();
  enum class Which { All, Named };
  /// All views of an example, or only those that no other example has.
  void addShots(const QString& example, views::Theme::Scheme scheme, Which which);
  void addLesson();
  void fail(const QString& sentence);
  void next();
  /// Makes the view visible. False if the page has no such widget or action.
  [[nodiscard]] bool lead(const View& view);
  template <class T>
  [[nodiscard]] T* part(const QObject& of, const QString& name);
  void findStrategy(const View& view);
  [[nodiscard]] bool typeProgram(const QString& program);
  void takeWhenSettled();
  [[nodiscard]] bool settled() const;
  void take();

  MainWindow& m_window;
  views::ExampleGallery* m_gallery = nullptr;  // of examples, on the page that one begins with
  views::Session& m_session;
  views::DocumentController& m_documents;
  views::Appearance& m_appearance;
  QString m_folder;
  QString m_file;  // in place of the examples
  QString m_shownExample;
  std::optional<views::Theme::Scheme> m_shownScheme;
  std::vector<Shot> m_shots;
  std::size_t m_at = 0;
  bool m_waiting = false;
  bool m_opening = false;  ///< the file, before the first picture
  bool m_isLesson = false;
  QTimer m_patience;
  bool m_led = false;  ///< to the view that is to be taken
};

}  // namespace p2::explorer
