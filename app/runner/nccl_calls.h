// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>
#include <nccl.h>

#include <string>
#include <utility>

#include "base/result.h"

namespace p2::runner {

/// The error of a failed call of CUDA or NCCL, in the library's words.
inline Error cudaError(cudaError_t code) {
  return {std::string("CUDA: ") + cudaGetErrorString(code), {}, ErrorKind::Failed};
}

inline Result<void> checked(cudaError_t code) {
  if (code == cudaSuccess) return {};
  return cudaError(code);
}

inline Result<void> checked(ncclResult_t code, ncclComm_t comm) {
  if (code == ncclSuccess) return {};
  const char* detail = ncclGetLastError(comm);
  std::string text = std::string("NCCL: ") + ncclGetErrorString(code);
  if (detail != nullptr && *detail != '\0') text += std::string(" (") + detail + ")";
  return Error{text, {}, ErrorKind::Failed};
}

/// Device memory that is freed with its owner.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { cudaFree(m_data); }
  [[nodiscard]] char* data() const { return static_cast<char*>(m_data); }
  Result<void> allocate(std::size_t bytes) {
    cudaFree(m_data);
    m_data = nullptr;
    return checked(cudaMalloc(&m_data, bytes));
  }
  void swap(DeviceMemory& other) { std::swap(m_data, other.m_data); }

 private:
  void* m_data = nullptr;
};

}  // namespace p2::runner
