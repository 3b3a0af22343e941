// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost.
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace p2::inline cost {

/// Numbers that begin as 0. Pages that are never written cost nothing, so that a few loads among a million links are
/// cheap.
class Zeroed {
 public:
  explicit Zeroed(std::size_t size)
      : m_size(size), m_values(static_cast<double*>(std::calloc(size == 0 ? 1 : size, sizeof(double)))) {
    if (m_values == nullptr) throw std::bad_alloc();
  }
  Zeroed(const Zeroed& other) : Zeroed(other.m_size) {
    std::memcpy(m_values.get(), other.m_values.get(), m_size * sizeof(double));
  }
  Zeroed(Zeroed&&) = default;
  Zeroed& operator=(Zeroed other) noexcept {
    std::swap(m_size, other.m_size);
    std::swap(m_values, other.m_values);
    return *this;
  }
  ~Zeroed() = default;

  [[nodiscard]] double& operator[](std::size_t i) { return m_values.get()[i]; }
  [[nodiscard]] double operator[](std::size_t i) const { return m_values.get()[i]; }

 private:
  struct Free {
    void operator()(double* values) const { std::free(values); }
  };
  std::size_t m_size;
  std::unique_ptr<double, Free> m_values;
};

}  // namespace p2::inline cost
