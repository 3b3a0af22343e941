// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/runner/stand_in/device_stand_in.h"

#include <mpi.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <set>

namespace p2::test {
namespace {

constexpr int kPoison = 0xA5;  // what nobody has written yet

struct Device {
  std::map<const char*, std::size_t> memory;
  std::set<StandInStream*> streams;
};

Device& device() {
  static Device theDevice;
  return theDevice;
}

bool isOnDevice(const void* data, std::size_t bytes) {
  const auto* begin = static_cast<const char*>(data);
  auto piece = device().memory.upper_bound(begin);
  if (piece == device().memory.begin()) return false;
  --piece;
  return begin + bytes <= piece->first + piece->second;
}

void needHost(const void* data) {
  if (isOnDevice(data, 1)) refuse("device memory was given for memory of the host");
}

}  // namespace

void refuse(const std::string& sentence) {
  std::cerr << "stand-in: " << sentence << std::endl;
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

void needDevice(const void* data, std::size_t bytes, const char* what) {
  if (!isOnDevice(data, bytes)) refuse(std::string(what) + " goes beyond device memory");
}

void finishAll() {
  for (StandInStream* stream : device().streams) {
    for (; !stream->work.empty(); stream->work.pop_front()) stream->work.front()();
  }
}

bool isBusy() {
  for (const StandInStream* stream : device().streams) {
    if (!stream->work.empty()) return true;
  }
  return false;
}

}  // namespace p2::test

using namespace p2::test;

extern "C" {

const char* cudaGetErrorString(cudaError_t code) { return code == cudaSuccess ? "no error" : "stand-in error"; }

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 2;  // fewer than ranks, so that they share
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  std::strcpy(properties->name, "stand-in");
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device > 1) refuse("there is no device " + std::to_string(device));
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  *data = std::malloc(bytes);
  std::memset(*data, kPoison, bytes);
  device().memory[static_cast<char*>(*data)] = bytes;
  return cudaSuccess;
}

cudaError_t cudaFree(void* data) {
  finishAll();
  if (data == nullptr) return cudaSuccess;
  if (device().memory.erase(static_cast<char*>(data)) == 0) refuse("what was never allocated is freed");
  std::free(data);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  // The default stream waits for all others.
  finishAll();
  kind == cudaMemcpyHostToDevice ? needDevice(to, bytes, "a copy") : needHost(to);
  kind == cudaMemcpyDeviceToHost ? needDevice(from, bytes, "a copy") : needHost(from);
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  if (kind != cudaMemcpyDeviceToDevice) refuse("only copies on the device are asked for beforehand");
  needDevice(to, bytes, "a copy");
  needDevice(from, bytes, "a copy");
  const auto* begin = static_cast<const char*>(from);
  auto* target = static_cast<char*>(to);
  if (target < begin + bytes && begin < target + bytes) refuse("a copy overlaps itself");
  stream->work.emplace_back([=] { std::memcpy(to, from, bytes); });
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = new StandInStream;
  device().streams.insert(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  finishAll();
  device().streams.erase(stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t) {
  finishAll();
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new StandInEvent;
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  finishAll();
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  stream->work.emplace_back([event] {
    event->when = std::chrono::steady_clock::now();
    event->recorded = true;
  });
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  if (!from->recorded || !to->recorded) refuse("the time of an event is asked for that has not happened");
  *milliseconds = std::chrono::duration<float, std::milli>(to->when - from->when).count();
  return cudaSuccess;
}
}
