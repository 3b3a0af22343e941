// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <new>
#include <optional>
#include <string>
#include <type_traits>

namespace p2::inline training {

/// Why a configuration breaks a rule. A search checks millions of configurations and reports the reasons of few, so the
/// sentence is made on request.
class BrokenReason {
 public:
  /// The rule holds.
  BrokenReason(std::nullopt_t /*none*/) {}  // NOLINT(google-explicit-constructor): written as std::optional
  /// A text that outlives the reason.
  BrokenReason(const char* text)  // NOLINT(google-explicit-constructor)
      : BrokenReason([text] { return std::string(text); }) {}
  /// A function that makes the text. Objects that it refers to must outlive the reason.
  template <std::invocable Text>
  BrokenReason(const Text& text)  // NOLINT(google-explicit-constructor)
      : m_make([](const void* captured) -> std::string { return (*static_cast<const Text*>(captured))(); }) {
    static_assert(std::is_trivially_copyable_v<Text> && sizeof(Text) <= kMostCaptured);
    ::new (static_cast<void*>(m_captured.data())) Text(text);
  }

  [[nodiscard]] bool has_value() const { return m_make != nullptr; }
  explicit operator bool() const { return has_value(); }
  /// The sentence without a full stop; empty where the rule holds.
  [[nodiscard]] std::string text() const { return has_value() ? m_make(m_captured.data()) : std::string(); }

 private:
  static constexpr std::size_t kMostCaptured = 32;

  std::string (*m_make)(const void* captured) = nullptr;
  alignas(std::max_align_t) std::array<std::byte, kMostCaptured> m_captured{};
};

}  // namespace p2::inline training
