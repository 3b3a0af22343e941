// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/runner/stand_in/device_stand_in.h"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iostream>

namespace p2::test {
namespace {

constexpr int kPoison = 0xA5;  // what nobody has written yet

struct Asked {
  cudaStream_t stream;
  int number;  // among those of its stream
  std::vector<DeviceBytes> touched;
  std::function<void()> work;
};

struct Device {
  std::map<const char*, std::size_t> memory;
  std::deque<Asked> asked;
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

bool overlap(const DeviceBytes& a, const DeviceBytes& b) {
  const auto* first = static_cast<const char*>(a.data);
  const auto* second = static_cast<const char*>(b.data);
  return first < second + b.bytes && second < first + a.bytes;
}

void join(StandInPast& past, const StandInPast& other) {
  for (const auto& [stream, number] : other) past[stream] = std::max(past[stream], number);
}

void needHost(const void* data) {
  if (data == nullptr) refuse("null was given for memory of the host");
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

void ask(cudaStream_t stream, std::vector<DeviceBytes> touched, std::function<void()> work) {
  for (const Asked& before : device().asked) {
    if (before.stream == stream || stream->past[before.stream] >= before.number) continue;
    for (const DeviceBytes& a : before.touched) {
      for (const DeviceBytes& b : touched) {
        if (overlap(a, b)) refuse("two streams work on the same memory, and neither waits for the other");
      }
    }
  }
  const int number = ++stream->past[stream];
  device().asked.push_back({stream, number, std::move(touched), std::move(work)});
}

void finishAll() {
  for (; !device().asked.empty(); device().asked.pop_front()) device().asked.front().work();
}

bool isBusy() { return !device().asked.empty(); }

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
  if (isBusy()) refuse("memory is copied that something may still be at work on");
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
  ask(stream, {{from, bytes}, {to, bytes}}, [=] { std::memcpy(to, from, bytes); });
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = new StandInStream;
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  finishAll();
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  std::deque<Asked> others;
  for (; !device().asked.empty(); device().asked.pop_front()) {
    Asked& next = device().asked.front();
    if (stream->past[next.stream] >= next.number) {
      next.work();
    } else {
      others.push_back(std::move(next));
    }
  }
  device().asked = std::move(others);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new StandInEvent;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  cudaEventCreate(event);
  (*event)->hasTime = (flags & cudaEventDisableTiming) == 0;
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (isBusy()) refuse("an event goes while something is under way that nobody has waited for");
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  ask(stream, {}, [event] {
    event->when = std::chrono::steady_clock::now();
    event->recorded = true;
  });
  event->past = stream->past;
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  join(stream->past, event->past);
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  if (!from->hasTime || !to->hasTime) refuse("the time of an event is asked for that was to have none");
  if (!from->recorded || !to->recorded) refuse("the time of an event is asked for that has not happened");
  *milliseconds = std::chrono::duration<float, std::milli>(to->when - from->when).count();
  return cudaSuccess;
}
}
