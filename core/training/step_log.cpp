// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/step_log.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/counted.h"

namespace p2::inline training {
namespace {

/// How a framework prints a step.
struct LogForm {
  enum class Unit { Milliseconds, Seconds, TokensPerDevice, Samples };
  std::string_view framework;
  std::string_view before;  ///< text in front of the number
  Unit unit;
};
// megatron/training/training.py, training_log(); nemo/utils/exp_manager.py, TimingCallback; torchtitan/components/
// metrics.py; deepspeed/utils/timer.py, ThroughputTimer; MaxText/metric_logger.py.
constexpr std::array<LogForm, 7> kForms{{
    {"Megatron-LM", "elapsed time per iteration (ms):", LogForm::Unit::Milliseconds},
    {"NeMo", "train_step_timing in s:", LogForm::Unit::Seconds},
    {"NeMo", "train_step_timing in s=", LogForm::Unit::Seconds},
    {"MaxText", ", seconds:", LogForm::Unit::Seconds},
    {"DeepSpeed", "CurrSamplesPerSec=", LogForm::Unit::Samples},
    {"TorchTitan", "tps:", LogForm::Unit::TokensPerDevice},
    {"Megatron-DeepSpeed", "iteration time (s):", LogForm::Unit::Seconds},
}};
constexpr std::size_t kLeastSteps = 3;
constexpr std::size_t kMostSkipped = 5;

/// The number at the beginning of a text, with commas between thousands; 0 for none. Colours of terminals in front of
/// it are passed over.
double numberAt(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\x1b')) {
    const std::size_t end = text.front() == '\x1b' ? text.find('m') : 0;
    if (end == std::string_view::npos) return 0;
    text.remove_prefix(end + 1);
  }
  std::string digits;
  for (const char each : text.substr(0, 40)) {
    if (each == ',' && !digits.empty()) continue;
    if (std::string_view("0123456789.eE+-").find(each) == std::string_view::npos) break;
    digits += each;
  }
  double value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

double secondsOf(double number, LogForm::Unit unit, const LoggedSizes& sizes) {
  const auto batch = static_cast<double>(sizes.batch);
  switch (unit) {
    case LogForm::Unit::Milliseconds:
      return number / 1000;
    case LogForm::Unit::Seconds:
      return number;
    case LogForm::Unit::TokensPerDevice:
      return batch * static_cast<double>(sizes.sequence) / (number * static_cast<double>(sizes.devices));
    case LogForm::Unit::Samples:
      return batch / number;
  }
  return 0;
}

std::vector<double> numbersAfter(std::string_view text, std::string_view before) {
  std::vector<double> numbers;
  for (std::size_t at = text.find(before); at != std::string_view::npos; at = text.find(before, at)) {
    at += before.size();
    if (const double number = numberAt(text.substr(at, 64)); number > 0) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

StepLog stepLogOf(std::string framework, std::vector<double> seconds) {
  StepLog log;
  log.framework = std::move(framework);
  log.seconds = std::move(seconds);
  log.skipped = log.seconds.size() < kLeastSteps ? 0 : std::clamp<std::size_t>(log.seconds.size() / 5, 1, kMostSkipped);
  std::vector<double> rest(log.seconds.begin() + static_cast<std::ptrdiff_t>(log.skipped), log.seconds.end());
  std::sort(rest.begin(), rest.end());
  const std::size_t half = rest.size() / 2;
  log.median = rest.size() % 2 == 1 ? rest[half] : (rest[half - 1] + rest[half]) / 2;
  return log;
}

Result<StepLog> stepLogFrom(std::string_view text, const LoggedSizes& sizes) {
  for (const LogForm& form : kForms) {
    std::vector<double> numbers = numbersAfter(text, form.before);
    if (numbers.empty()) continue;
    if (numbers.size() < kLeastSteps) {
      return Error{"the log has " + countedText(numbers.size(), "step") + "; at least " + std::to_string(kLeastSteps) +
                   " are needed"};
    }
    std::vector<double> seconds;
    for (const double number : numbers) seconds.push_back(secondsOf(number, form.unit, sizes));
    return stepLogOf(std::string(form.framework), std::move(seconds));
  }
  return Error{
      "no step times are in the log; lines of Megatron-LM (elapsed time per iteration (ms): …), NeMo "
      "(train_step_timing "
      "in s: …), TorchTitan (tps: …), DeepSpeed (CurrSamplesPerSec=…) and MaxText (completed step: …, seconds: …) are "
      "read"};
}

}  // namespace p2::inline training
