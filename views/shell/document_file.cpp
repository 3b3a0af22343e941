// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/document_file.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <algorithm>

#include "plan/plan.h"
#include "text/text_file.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

QByteArray hashOf(const std::string& text) {
  return QCryptographicHash::hash(QByteArrayView(text.data(), qsizetype(text.size())), QCryptographicHash::Sha1)
      .toHex();
}

/// Whether the text has "format" with that value somewhere. Quotes within a text are escaped, so that no note can look
/// like this.
bool hasFormat(std::string_view text, std::string_view format) {
  constexpr std::string_view kKey = "\"format\"";
  const std::string value = '"' + std::string(format) + '"';
  for (std::size_t at = text.find(kKey); at != std::string_view::npos; at = text.find(kKey, at)) {
    at += kKey.size();
    const auto skipBlanks = [&] { at = std::min(text.find_first_not_of(" \t\r\n", at), text.size()); };
    skipBlanks();
    if (at == text.size() || text[at] != ':') continue;
    ++at;
    skipBlanks();
    if (text.substr(at).starts_with(value)) return true;
  }
  return false;
}

Result<std::string> textOf(const DocumentToSave& document) {
  if (document.kind == DocumentKind::Workspace) return workspaceToJson(document.workspace);
  P2_TRY_ASSIGN(const auto plan, makePlan(document.workspace));
  return planToJson(plan);
}

}  // namespace

void KnownContents::add(const std::string& text) {
  const QByteArray hash = hashOf(text);
  const std::scoped_lock guard(m_mutex);
  m_hashes.insert(hash);
}

bool KnownContents::knows(const std::string& text) const {
  const QByteArray hash = hashOf(text);
  const std::scoped_lock guard(m_mutex);
  return m_hashes.contains(hash);
}

QByteArray KnownContents::toText() const {
  const std::scoped_lock guard(m_mutex);
  return QByteArrayList(m_hashes.begin(), m_hashes.end()).join(',');
}

std::shared_ptr<KnownContents> KnownContents::fromText(const QByteArray& text) {
  auto known = std::make_shared<KnownContents>();
  for (const QByteArray& hash : text.split(',')) known->m_hashes.insert(hash);
  return known;
}

QString newSubjectOf(const Workspace& opened, const Workspace& now) {
  const std::string& model = now.training.model;
  if (opened.system == now.system && opened.training.model == model) return {};
  return qs(model + (model.empty() ? "" : " on ") + now.system.name);
}

Result<OpenedDocument> readDocument(const QString& path, const std::stop_token& stop) {
  const std::string name = path.toStdString();
  const QFileInfo info(path);
  if (info.exists() && !info.isFile() && !info.isDir()) {
    return Error{"it is not a regular file; choose a workspace or plan file", name, ErrorKind::Failed};
  }
  P2_TRY_ASSIGN(const auto text, readTextFile(name));
  if (hasFormat(text, "p2-lesson")) return OpenedDocument{{}, {}, nullptr, true};
  P2_TRY_ASSIGN(auto workspace, workspaceFromJson(text, stop).within(name));
  OpenedDocument opened{std::move(workspace), hasFormat(text, "p2-plan") ? DocumentKind::Plan : DocumentKind::Workspace,
                        std::make_shared<KnownContents>()};
  opened.known->add(text);
  return opened;
}

bool holdsAnothersWork(const QString& path, const KnownContents& known) {
  const QFileInfo file(path);
  // Nothing is lost of an empty file, nor of a pipe, which reading would wait for.
  if (!file.isFile() || file.size() == 0) return false;
  const auto text = readTextFile(path.toStdString());
  return !text.ok() || !known.knows(*text);
}

Result<SaveOutcome> saveDocument(const DocumentToSave& document) {
  P2_TRY_ASSIGN(const auto text, textOf(document));
  if (!document.replace && holdsAnothersWork(document.path, *document.known)) return SaveOutcome::ChangedByAnother;
  // Noted before writing: a stopped save may still have written the file.
  document.known->add(text);
  P2_TRY(writeTextFile(document.path.toStdString(), text));
  return SaveOutcome::Saved;
}

}  // namespace p2::views
