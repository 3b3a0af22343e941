// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>
#include <vector>

class QLineEdit;

namespace p2::views {

/// A path to type, or to look for with a button; where several can be given, they stand between semicolons. Its parts
/// are named after `name`: importPath, importBrowse, importFileDialog.
class FileField : public QWidget {
  Q_OBJECT
 public:
  /// `what` names the contents ("The file to import"); `filters` are file dialog filters.
  enum class Takes { OneFile, SeveralFiles };
  FileField(const QString& name, const QString& what, QStringList filters, Takes takes = Takes::SeveralFiles,
            QWidget* parent = nullptr);

  /// The names, without empty ones. A text that is a file's name is that file, semicolons and all.
  [[nodiscard]] std::vector<std::string> fileNames() const;
  /// Sets the path, as the file dialog would.
  void choose(const QString& path);
  void choose(const QStringList& paths);

 signals:
  void edited();  ///< the text is another one, perhaps not yet a whole path
  void chosen();  ///< the path is complete

 private:
  void browse();

  QString m_name;
  QString m_what;
  QStringList m_filters;
  Takes m_takes;
  QLineEdit* m_path = nullptr;
};

}  // namespace p2::views
