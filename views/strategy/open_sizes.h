// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "graphs/onnx_import.h"
#include "views/shell/derived.h"

class QFormLayout;

namespace p2::views {

class Session;

/// The sizes that an ONNX model leaves open, a field each, filled with common ones; hidden for graphs that leave none.
/// Typed sizes are kept in the document, by the names of the dimensions, also for other models with the same names.
class OpenSizes : public QWidget {
  Q_OBJECT
 public:
  explicit OpenSizes(Session& session, QWidget* parent = nullptr);

 private:
  void refresh();
  void showFields();
  void addField(const OpenDimension& dimension, std::int64_t size);
  void setSize(const std::string& name, int size);

  Session& m_session;
  QFormLayout* m_layout;
  Derived<std::string, std::vector<OpenDimension>> m_open;
  std::vector<OpenDimension> m_shown;
};

}  // namespace p2::views
