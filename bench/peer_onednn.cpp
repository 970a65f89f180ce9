// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// oneDNN: a reorder from positive strides, of elements of 1, 2 and 4 bytes.
#include "peer.h"

#include <dnnl.hpp>
#include <omp.h>
#include <string>
#include <unordered_map>

namespace {

struct Plan {
  dnnl::engine engine;
  dnnl::stream stream;
  dnnl::reorder reorder;
  std::unordered_map<int, dnnl::memory> arguments;
};

Plan *open(const PeerCase *c, dnnl::memory::data_type type) {
  dnnl::memory::dims extent(c->extent, c->extent + c->rank), stride(c->stride, c->stride + c->rank),
      dense(extent.size(), 1);
  for (std::size_t i = extent.size() - 1; i > 0; i--)
    dense[i - 1] = dense[i] * extent[i];
  omp_set_num_threads(c->threads);
  auto *plan = new Plan;
  plan->engine = dnnl::engine(dnnl::engine::kind::cpu, 0);
  plan->stream = dnnl::stream(plan->engine);
  dnnl::memory src({extent, type, stride}, plan->engine, const_cast<void *>(c->src));
  dnnl::memory dst({extent, type, dense}, plan->engine, c->dst);
  plan->reorder = dnnl::reorder(src, dst);
  plan->arguments = {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}};
  return plan;
}

} // namespace

void *peer_open(const PeerCase *c) {
  using type = dnnl::memory::data_type;
  static const std::unordered_map<std::string, type> types = {
      {"u8", type::u8}, {"i8", type::s8}, {"f16", type::f16}, {"f32", type::f32}};
  auto found = types.find(c->dtype);
  for (int i = 0; i < c->rank; i++)
    if (c->stride[i] <= 0)
      return nullptr;
  try {
    return found == types.end() ? nullptr : open(c, found->second);
  } catch (const dnnl::error &) {
    return nullptr;
  }
}

void peer_run(void *plan) {
  auto *p = static_cast<Plan *>(plan);
  p->reorder.execute(p->stream, p->arguments);
  p->stream.wait();
}

void peer_close(void *plan) { delete static_cast<Plan *>(plan); }
