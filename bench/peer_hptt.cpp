// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HPTT: permutations of floats and complex numbers, with the fastest of the plans that it tries (MEASURE)
// for at most ten seconds. Such plans may be wrong for short axes: bench.py checks the results.
#include "peer.h"

#include <cstring>
#include <hptt.h>

namespace {

struct Plan {
  virtual ~Plan() = default;
  virtual void run() = 0;
};

template <typename T> struct PlanOf final : Plan {
  std::shared_ptr<hptt::Transpose<T>> transpose;
  void run() override { transpose->execute(); }
};

template <typename T> Plan *open(const PeerCase *c) {
  auto *plan = new PlanOf<T>;
  plan->transpose = hptt::create_plan(c->perm, c->rank, T(1), static_cast<const T *>(c->src),
                                      c->dims, nullptr, T(0), static_cast<T *>(c->dst), nullptr,
                                      hptt::MEASURE, c->threads, nullptr, true);
  return plan;
}

} // namespace

void *peer_open(const PeerCase *c) {
  if (!c->perm)
    return nullptr;
  if (!std::strcmp(c->dtype, "f32"))
    return open<float>(c);
  if (!std::strcmp(c->dtype, "f64"))
    return open<double>(c);
  if (!std::strcmp(c->dtype, "c64"))
    return open<hptt::FloatComplex>(c);
  if (!std::strcmp(c->dtype, "c128"))
    return open<hptt::DoubleComplex>(c);
  return nullptr;
}

void peer_run(void *plan) { static_cast<Plan *>(plan)->run(); }

void peer_close(void *plan) { delete static_cast<Plan *>(plan); }
