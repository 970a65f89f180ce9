// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigen: permutations of up to 6 axes, with the shuffle of its tensors.
#define EIGEN_USE_THREADS
#include "peer.h"

#include <complex>
#include <cstring>
#include <memory>
#include <unsupported/Eigen/CXX11/Tensor>

namespace {

struct Plan {
  virtual ~Plan() = default;
  virtual void run() = 0;
};

template <typename T, int RANK> struct PlanOf final : Plan {
  using View = Eigen::TensorMap<Eigen::Tensor<T, RANK, Eigen::RowMajor, Eigen::DenseIndex>>;
  Eigen::array<int, RANK> perm;
  Eigen::array<Eigen::DenseIndex, RANK> from, to;
  T *src, *dst;
  std::unique_ptr<Eigen::ThreadPool> pool;
  std::unique_ptr<Eigen::ThreadPoolDevice> device;

  explicit PlanOf(const PeerCase *c)
      : src(static_cast<T *>(const_cast<void *>(c->src))), dst(static_cast<T *>(c->dst)) {
    for (int i = 0; i < RANK; i++) {
      perm[i] = c->perm[i];
      from[i] = c->dims[i];
      to[i] = c->dims[c->perm[i]];
    }
    if (c->threads == 1)
      return;
    pool = std::make_unique<Eigen::ThreadPool>(c->threads);
    device = std::make_unique<Eigen::ThreadPoolDevice>(pool.get(), c->threads);
  }

  void run() override {
    View source(src, from), result(dst, to);
    if (device)
      result.device(*device) = source.shuffle(perm);
    else
      result = source.shuffle(perm);
  }
};

template <typename T> Plan *open(const PeerCase *c) {
  switch (c->rank) {
  case 2:
    return new PlanOf<T, 2>(c);
  case 3:
    return new PlanOf<T, 3>(c);
  case 4:
    return new PlanOf<T, 4>(c);
  case 5:
    return new PlanOf<T, 5>(c);
  case 6:
    return new PlanOf<T, 6>(c);
  default:
    return nullptr;
  }
}

} // namespace

void *peer_open(const PeerCase *c) {
  auto is = [c](const char *dtype) { return !std::strcmp(c->dtype, dtype); };
  if (!c->perm)
    return nullptr;
  if (is("u8") || is("i8"))
    return open<std::uint8_t>(c);
  if (is("f16"))
    return open<std::uint16_t>(c);
  if (is("f32"))
    return open<float>(c);
  if (is("f64") || is("c64"))
    return open<double>(c);
  return is("c128") ? open<std::complex<double>>(c) : nullptr;
}

void peer_run(void *plan) { static_cast<Plan *>(plan)->run(); }

void peer_close(void *plan) { delete static_cast<Plan *>(plan); }
