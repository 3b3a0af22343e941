// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <map>
#include <optional>
#include <vector>

#include "base/result.h"
#include "workload/generate/refit.h"

namespace p2::views {

/// A model, and how it is trained: the input of a generated workload.
using TrainedModel = TrainedStep;

/// The input of the form of a trained model: a row for every field of modelFields() and planFields() but the
/// devices, which are the document's. A text that cannot be taken over stays, with the reason; the values are then as
/// they were before.
class ModelDraft {
 public:
  struct Row {
    QString key;
    QString label;
    QString help;
    QStringList choices;    ///< the words it can be; empty for typed fields
    bool ofModel = true;    ///< a field of the model, else of the plan
    bool isCommon = false;  ///< shown at once; the others are folded away
  };
  [[nodiscard]] static const std::vector<Row>& rows();
  /// The row that an error is about, by its position; none where it is about none. Errors of the number of
  /// devices belong to the data-parallel degree.
  [[nodiscard]] static std::optional<std::size_t> rowOf(const Error& error);

  /// Texts follow.
  void setValues(TrainedModel values);
  [[nodiscard]] const TrainedModel& values() const { return m_values; }
  void type(std::size_t row, const QString& text);

  [[nodiscard]] QString text(std::size_t row) const;
  /// Why the text was not taken over; empty if it was.
  [[nodiscard]] QString problem(std::size_t row) const;
  /// Whether all texts were taken over.
  [[nodiscard]] bool isWhole() const { return m_unfit.empty(); }

 private:
  struct Unfit {
    QString text;
    QString problem;
  };
  TrainedModel m_values;
  std::map<std::size_t, Unfit> m_unfit;
};

}  // namespace p2::views
