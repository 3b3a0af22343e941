// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <array>
#include <memory>
#include <optional>

#include "importers/importers.h"
#include "views/common/owned.h"
#include "views/shell/derived.h"

class QComboBox;
class QFormLayout;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QTextBrowser;

namespace p2::views {

class FileField;
class InlineMessage;
class Session;

/// Makes the system from another program's description of a machine, or of several, after a look at its understood,
/// assumed and ignored facts. Every assumed figure can be replaced before it is taken. Reading is a job; importing is
/// one undoable edit.
class ImportDialog : public QDialog {
  Q_OBJECT
 public:
  explicit ImportDialog(Session& session, QWidget* parent = nullptr);

  /// Begins with these files.
  void readFiles(const QStringList& paths);
  /// Begins with the text of a description, as copied from a terminal.
  void readText(const QString& text);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  enum class Source { File, ThisMachine, Description, Text };
  struct Question {
    Source source = Source::File;
    std::vector<std::string> paths;
    std::string description;
    ImportOptions options;
    friend bool operator==(const Question&, const Question&) = default;
  };

  void makeFields();
  void makeTextField();
  void makeGpus();
  void makeSpeeds();
  void makePreview();
  /// The speed that is typed in: without a unit in the one in which the assumption is shown, and not more than a
  /// thousandfold of it unless it is confirmed.
  [[nodiscard]] Result<double> speedOf(std::size_t kind);
  /// The speeds that are typed in; nothing, and a message, when one is none.
  [[nodiscard]] std::optional<Speeds> speeds();
  /// Shows the default of an empty field.
  void showAssumed(const Imported& imported);
  [[nodiscard]] QWidget* makeButtons();
  void showSource();
  /// Removes the read description; nothing can be imported until the next one.
  void forget();
  void read();
  [[nodiscard]] static Result<Imported> imported(const Question& question, const std::stop_token& stop);
  void present();
  void importIt();

  Session& m_session;
  QFormLayout* m_form = nullptr;
  QComboBox* m_source = nullptr;
  FileField* m_file = nullptr;
  QLineEdit* m_description = nullptr;
  QPlainTextEdit* m_text = nullptr;
  QSpinBox* m_nodes = nullptr;
  QSpinBox* m_cards = nullptr;
  QComboBox* m_gpu = nullptr;
  QTextBrowser* m_preview = nullptr;
  std::array<QLineEdit*, kSpeedKinds> m_speeds{};
  int m_keptNodes = 0;                         // taken from the present system; 0 for none
  Speeds m_assumed;                            // where nothing was typed in
  std::array<QString, kSpeedKinds> m_doubted;  // the suspicious input
  std::array<QString, kSpeedKinds> m_meant;    // and confirmed
  InlineMessage* m_message = nullptr;
  QPushButton* m_import = nullptr;
  Derived<Question, Imported> m_imported;
  HiddenFirst m_hidden{*this};
};

}  // namespace p2::views
