// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/expert_load.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/counted.h"

namespace p2::inline training {
namespace {

constexpr std::string_view kPower = "power:";

std::optional<double> realFrom(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Shares that sum to 1.
Result<ExpertLoad> loadOf(std::vector<double> shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!(sum > 0)) return Error{"all loads are 0"};
  for (double& share : shares) share /= sum;
  return ExpertLoad{std::move(shares), 0};
}

Result<ExpertLoad> powerLaw(std::string_view exponent, std::int64_t experts) {
  const auto value = realFrom(exponent);
  if (!value || *value < 0 || *value > 10) {
    return Error{"\"" + std::string(exponent) + "\" is not an exponent; use 0 to 10, as in power:1"};
  }
  const auto count = static_cast<std::size_t>(experts);
  // Multiples of a number that shares no factor with the experts visit each once, and neighbours are far apart.
  std::size_t stride = static_cast<std::size_t>(static_cast<double>(count) * .618) + 1;
  while (std::gcd(stride, count) != 1) ++stride;
  std::vector<double> shares(count);
  for (std::size_t i = 0; i < count; ++i) {
    shares[i * stride % count] = std::pow(static_cast<double>(i + 1), -*value);
  }
  return loadOf(std::move(shares));
}

/// Copies at an expert over its even part.
double takenBy(const ExpertLoad& load, std::size_t expert, double experts) {
  const double over = load.shares[expert] * experts;
  return load.capacity > 0 ? std::min(over, load.capacity) : over;
}

}  // namespace

Result<ExpertLoad> expertLoadFrom(std::string_view text, std::int64_t experts) {
  if (experts == 0) return Error{"the model has no experts"};
  if (text == "uniform") return ExpertLoad{};
  if (text.starts_with(kPower)) return powerLaw(text.substr(kPower.size()), experts);
  std::vector<double> loads;
  constexpr std::string_view kBetween = " \t\r\n,;[]";
  for (std::size_t at = text.find_first_not_of(kBetween); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const auto load = realFrom(word);
    if (!load || *load < 0) return Error{"\"" + std::string(word) + "\" is not a load; use numbers from 0 on"};
    loads.push_back(*load);
    at = text.find_first_not_of(kBetween, end);
  }
  if (static_cast<std::int64_t>(loads.size()) != experts) {
    return Error{"there are " + countedText(loads.size(), "load") + " for " + countedText(experts, "expert") +
                 "; give one for every expert"};
  }
  return loadOf(std::move(loads));
}

double fullestLoad(const ExpertLoad& load, std::int64_t experts, std::int64_t ranks) {
  if (load.shares.empty()) return 1;
  const auto all = static_cast<double>(experts);
  const auto local = static_cast<std::size_t>(std::max<std::int64_t>(1, experts / ranks));
  double most = 0;
  for (std::size_t first = 0; first < load.shares.size(); first += local) {
    double here = 0;
    for (std::size_t i = first; i < std::min(first + local, load.shares.size()); ++i) here += takenBy(load, i, all);
    most = std::max(most, here / static_cast<double>(local));
  }
  return most;
}

double droppedShare(const ExpertLoad& load, std::int64_t experts) {
  if (load.shares.empty() || load.capacity <= 0) return 0;
  const auto all = static_cast<double>(experts);
  double taken = 0;
  for (std::size_t i = 0; i < load.shares.size(); ++i) taken += takenBy(load, i, all);
  return 1 - taken / all;
}

}  // namespace p2::inline training
