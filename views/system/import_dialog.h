// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>

#include "importers/importers.h"
#include "views/shell/derived.h"

class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTextBrowser;

namespace p2::views {

class FileField;
class InlineMessage;
class Session;

/// Makes the system from another program's description of a machine, after a look at what was understood of it, assumed
/// and ignored. Reading is a job; importing is one undoable edit.
class ImportDialog : public QDialog {
  Q_OBJECT
 public:
  explicit ImportDialog(Session& session, QWidget* parent = nullptr);

 private:
  enum class Source { File, ThisMachine, Description };
  struct Question {
    Source source = Source::File;
    std::string text;  ///< the path or the description
    int machines = 1;
    friend bool operator==(const Question&, const Question&) = default;
  };

  void makeFields();
  void makePreview();
  [[nodiscard]] QWidget* makeButtons();
  void showSource();
  /// Takes away what was read; nothing can be imported until something is read anew.
  void forget();
  void read();
  [[nodiscard]] static Result<Imported> imported(const Question& question);
  void present();
  void importIt();

  Session& m_session;
  QFormLayout* m_form = nullptr;
  QComboBox* m_source = nullptr;
  FileField* m_file = nullptr;
  QLineEdit* m_description = nullptr;
  QSpinBox* m_nodes = nullptr;
  QTextBrowser* m_preview = nullptr;
  InlineMessage* m_message = nullptr;
  QPushButton* m_import = nullptr;
  Derived<Question, Imported> m_imported;
};

}  // namespace p2::views
