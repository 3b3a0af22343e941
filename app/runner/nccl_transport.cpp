// SPDX-License-Identifier: GPL-3.0-or-later
#include <cuda_runtime.h>
#include <nccl.h>

#include "app/runner/nccl_backend.h"

namespace p2::runner {
namespace {

Error cudaError(cudaError_t code) { return {std::string("CUDA: ") + cudaGetErrorString(code), {}, ErrorKind::Failed}; }

Result<void> checked(cudaError_t code) {
  if (code == cudaSuccess) return {};
  return cudaError(code);
}

Result<void> checked(ncclResult_t code, ncclComm_t comm) {
  if (code == ncclSuccess) return {};
  const char* detail = ncclGetLastError(comm);
  std::string text = std::string("NCCL: ") + ncclGetErrorString(code);
  if (detail != nullptr && *detail != '\0') text += std::string(" (") + detail + ")";
  return Error{text, {}, ErrorKind::Failed};
}

std::string ncclLibrary() {
  int version = 0;
  ncclGetVersion(&version);
  return "NCCL " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

/// The number of GPUs, or why there is none to be used.
Result<int> countDevices() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver) {
    return Error{"this machine has no GPU that CUDA can use (" + std::string(cudaGetErrorString(code)) +
                     "); use mpi, or a target with GPUs",
                 {},
                 ErrorKind::Failed};
  }
  if (code != cudaSuccess) return cudaError(code);
  return count;
}

/// Device memory that is freed with its owner.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { cudaFree(m_data); }
  [[nodiscard]] char* data() const { return static_cast<char*>(m_data); }
  Result<void> allocate(std::size_t bytes) {
    cudaFree(m_data);
    m_data = nullptr;
    return checked(cudaMalloc(&m_data, bytes));
  }
  void swap(Memory& other) { std::swap(m_data, other.m_data); }

 private:
  void* m_data = nullptr;
};

class NcclTransport : public Transport {
 public:
  static Result<std::unique_ptr<Transport>> make(MPI_Comm world) {
    auto transport = std::make_unique<NcclTransport>();
    P2_TRY(transport->initialize(world));
    return std::unique_ptr<Transport>(std::move(transport));
  }

  ~NcclTransport() override {
    for (const ncclComm_t group : m_groups) ncclCommDestroy(group);
    if (m_world != nullptr) ncclCommDestroy(m_world);
    for (const cudaEvent_t event : m_marks) cudaEventDestroy(event);
    if (m_stream != nullptr) cudaStreamDestroy(m_stream);
  }

  [[nodiscard]] std::string library() const override { return ncclLibrary(); }
  [[nodiscard]] GatherOrder gatherOrder() const override { return GatherOrder::Chunks; }

  [[nodiscard]] Result<void> reserve(Element element, std::size_t count) override {
    m_element = element;
    P2_TRY(m_data.allocate(count * sizeOf(element)));
    return m_spare.allocate(count * sizeOf(element));
  }

  [[nodiscard]] Result<Communicator> join(int colour, int key) override {
    ncclComm_t group = nullptr;
    const ncclResult_t code = ncclCommSplit(m_world, colour < 0 ? NCCL_SPLIT_NOCOLOR : colour, key, &group, nullptr);
    P2_TRY(checked(code, m_world));
    if (group == nullptr) return Communicator{};
    Communicator result{int(m_groups.size()), 1, 0};
    m_groups.push_back(group);
    P2_TRY(checked(ncclCommCount(group, &result.members), group));
    return result;
  }

  [[nodiscard]] Result<void> load(const void* elements, std::size_t count) override {
    return checked(cudaMemcpy(m_data.data(), elements, count * sizeOf(m_element), cudaMemcpyHostToDevice));
  }

  [[nodiscard]] Result<void> store(void* elements, std::size_t count) override {
    return checked(cudaMemcpy(elements, m_data.data(), count * sizeOf(m_element), cudaMemcpyDeviceToHost));
  }

  [[nodiscard]] Result<void> allReduce(const Communicator& group, std::size_t count) override {
    return checked(ncclAllReduce(m_data.data(), m_data.data(), count, type(), ncclSum, comm(group), m_stream),
                   comm(group));
  }

  [[nodiscard]] Result<void> reduceScatter(const Communicator& group, std::size_t count) override {
    const ncclResult_t code =
        ncclReduceScatter(m_data.data(), m_spare.data(), count, type(), ncclSum, comm(group), m_stream);
    m_data.swap(m_spare);
    return checked(code, comm(group));
  }

  [[nodiscard]] Result<void> allGather(const Communicator& group, std::size_t count) override {
    const ncclResult_t code = ncclAllGather(m_data.data(), m_spare.data(), count, type(), comm(group), m_stream);
    m_data.swap(m_spare);
    return checked(code, comm(group));
  }

  [[nodiscard]] Result<void> reduce(const Communicator& group, std::size_t count) override {
    return checked(ncclReduce(m_data.data(), m_data.data(), count, type(), ncclSum, group.root, comm(group), m_stream),
                   comm(group));
  }

  [[nodiscard]] Result<void> broadcast(const Communicator& group, std::size_t count) override {
    return checked(ncclBroadcast(m_data.data(), m_data.data(), count, type(), group.root, comm(group), m_stream),
                   comm(group));
  }

  [[nodiscard]] Result<void> allToAll(const Communicator& group, std::size_t count) override {
    const std::size_t block = count * sizeOf(m_element);
    return exchange(group, [&](int peer) -> ncclResult_t {
      const std::size_t at = std::size_t(peer) * block;
      const ncclResult_t code = ncclSend(m_data.data() + at, count, type(), peer, comm(group), m_stream);
      if (code != ncclSuccess) return code;
      return ncclRecv(m_spare.data() + at, count, type(), peer, comm(group), m_stream);
    });
  }

  [[nodiscard]] Result<void> scatter(const Communicator& group, std::size_t count) override {
    const std::size_t block = count * sizeOf(m_element);
    int rank = 0;
    P2_TRY(checked(ncclCommUserRank(comm(group), &rank), comm(group)));
    return exchange(group, [&](int peer) -> ncclResult_t {
      if (rank == group.root) {
        const char* const part = m_data.data() + std::size_t(peer) * block;
        const ncclResult_t code = ncclSend(part, count, type(), peer, comm(group), m_stream);
        if (code != ncclSuccess) return code;
      }
      if (peer != group.root) return ncclSuccess;
      return ncclRecv(m_spare.data(), count, type(), peer, comm(group), m_stream);
    });
  }

  [[nodiscard]] Result<void> rearrange(std::span<const std::int64_t> places, std::size_t count) override {
    const std::size_t block = count * sizeOf(m_element);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const cudaError_t code = cudaMemcpyAsync(m_spare.data() + std::size_t(places[i]) * block,
                                               m_data.data() + i * block, block, cudaMemcpyDeviceToDevice, m_stream);
      if (code != cudaSuccess) return cudaError(code);
    }
    m_data.swap(m_spare);
    return {};
  }

  [[nodiscard]] Result<void> mark() override {
    cudaEvent_t event = nullptr;
    if (const cudaError_t code = cudaEventCreate(&event); code != cudaSuccess) return cudaError(code);
    m_marks.push_back(event);
    return checked(cudaEventRecord(event, m_stream));
  }

  [[nodiscard]] Result<std::vector<double>> takeMarks() override {
    if (const cudaError_t code = cudaStreamSynchronize(m_stream); code != cudaSuccess) return cudaError(code);
    std::vector<double> seconds;
    for (std::size_t i = 1; i < m_marks.size(); ++i) {
      float milliseconds = 0;
      const cudaError_t code = cudaEventElapsedTime(&milliseconds, m_marks[i - 1], m_marks[i]);
      if (code != cudaSuccess) return cudaError(code);
      seconds.push_back(double(milliseconds) / 1000);
    }
    for (const cudaEvent_t event : m_marks) cudaEventDestroy(event);
    m_marks.clear();
    return seconds;
  }

 private:
  [[nodiscard]] ncclDataType_t type() const { return m_element == Element::Float32 ? ncclFloat32 : ncclInt64; }
  [[nodiscard]] ncclComm_t comm(const Communicator& group) const { return m_groups[std::size_t(group.index)]; }

  Result<void> initialize(MPI_Comm world) {
    P2_TRY_ASSIGN(const auto devices, countDevices());
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    int rankOnHost = 0;
    MPI_Comm_rank(host, &rankOnHost);
    MPI_Comm_free(&host);
    P2_TRY(checked(cudaSetDevice(rankOnHost % devices)));
    P2_TRY(checked(cudaStreamCreate(&m_stream)));
    ncclUniqueId id{};
    if (rank == 0) {
      P2_TRY(checked(ncclGetUniqueId(&id), nullptr));
    }
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, world);
    return checked(ncclCommInitRank(&m_world, ranks, id, rank), nullptr);
  }

  /// Sends and receives that are under way all at once, `withPeer(rank)` for every member, itself included; what came
  /// is in the spare vector, which becomes the working one.
  template <class WithPeer>
  Result<void> exchange(const Communicator& group, const WithPeer& withPeer) {
    P2_TRY(checked(ncclGroupStart(), comm(group)));
    ncclResult_t code = ncclSuccess;
    for (int peer = 0; peer < group.members && code == ncclSuccess; ++peer) code = withPeer(peer);
    const ncclResult_t ended = ncclGroupEnd();
    m_data.swap(m_spare);
    return checked(code == ncclSuccess ? ended : code, comm(group));
  }

  Element m_element = Element::Float32;
  cudaStream_t m_stream = nullptr;
  ncclComm_t m_world = nullptr;
  std::vector<ncclComm_t> m_groups;
  std::vector<cudaEvent_t> m_marks;
  Memory m_data;
  Memory m_spare;
};

}  // namespace

NcclState ncclState() {
  NcclState state;
  const auto count = countDevices();
  if (!count.ok()) {
    state.why = count.error().message;
    return state;
  }
  state.library = ncclLibrary();
  for (int device = 0; device < *count; ++device) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) == cudaSuccess) state.devices.emplace_back(properties.name);
  }
  return state;
}

Result<std::unique_ptr<Transport>> makeNcclTransport(MPI_Comm world) { return NcclTransport::make(world); }

}  // namespace p2::runner
