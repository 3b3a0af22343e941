#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times whole training steps of transformers on one GPU, and their peak memory, to hold predictions against. Prints one CSV row per
configuration:

  name,style,layers,hidden,heads,kv_heads,ffn,vocab,params,sequence,micro_batch,microbatches,recompute,compiled,seconds,min_seconds,
  allocated_gb,reserved_gb,oom,experts,topk,shared_ffn

The model is PyTorch's own way to train: each block and the rest under fully_shard (FSDP2) on one rank, parameters and optimizer in fp32,
computation in bf16, reductions in fp32, flash attention, fused AdamW, gradients clipped. A step is every microbatch's forward and backward,
the clipping and the optimizer. `seconds` is the median of the steps, memory the peak of PyTorch's allocator (1 GB = 1e9 bytes).
Mixtures of experts sort the tokens by expert and multiply by all experts' weights in one grouped product; a fresh router spreads tokens
almost evenly.
Run: tests/gpu/steps.py [SECONDS [dense|mixtures]]
"""
import gc
import os
import sys
import time

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as functional
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.nn.attention import SDPBackend, sdpa_kernel

DEADLINE = time.monotonic() + float(sys.argv[1] if len(sys.argv) > 1 else 300)
DEVICE = torch.device("cuda")

# name: style, layers, hidden, heads, key-value heads, feed-forward size, vocabulary. "cut" has fewer layers than its model.
MODELS = {
    "gpt2-medium": ("gpt", 24, 1024, 16, 16, 4096, 50304),
    "gpt3-1.3b": ("gpt", 24, 2048, 16, 16, 8192, 50304),
    "gpt3-6.7b-cut": ("gpt", 6, 4096, 32, 32, 16384, 50304),
    "gpt3-175b-cut": ("gpt", 1, 12288, 96, 96, 49152, 50304),
    "llama3.2-1b": ("llama", 16, 2048, 32, 8, 8192, 128256),
    "llama3-8b-cut": ("llama", 6, 4096, 32, 8, 14336, 32000),
    "llama3-70b-cut": ("llama", 2, 8192, 64, 8, 28672, 32000),
    "qwen2.5-3b-cut": ("llama", 18, 2048, 16, 2, 11008, 151936),
    "mixtral-8x7b-cut": ("mixture", 2, 4096, 32, 8, 14336, 32000),
    "phi3.5-moe-cut": ("mixture", 2, 4096, 32, 8, 6400, 32064),
    "olmoe-cut": ("mixture", 6, 2048, 16, 16, 1024, 50304),
    "deepseek-moe-16b-cut": ("mixture", 4, 2048, 16, 16, 1408, 102400),
    "granite-1b-a400m": ("mixture", 24, 1024, 16, 8, 512, 49155),
}
# Experts, experts of a token, and the feed-forward size of the experts that all tokens share. The size above is that of one expert.
MIXTURES = {
    "mixtral-8x7b-cut": (8, 2, 0),
    "phi3.5-moe-cut": (16, 2, 0),
    "olmoe-cut": (64, 8, 0),
    "deepseek-moe-16b-cut": (64, 6, 2816),
    "granite-1b-a400m": (32, 8, 0),
}
# Rows of an expert in a grouped product of bf16 are filled up to a multiple of this, so that each begins at 16 bytes.
ALIGNED_ROWS = 8


class Attention(nn.Module):
    def __init__(self, hidden, heads, kv_heads):
        super().__init__()
        self.heads, self.kv_heads, self.size = heads, kv_heads, hidden // heads
        self.q = nn.Linear(hidden, heads * self.size, bias=False)
        self.k = nn.Linear(hidden, kv_heads * self.size, bias=False)
        self.v = nn.Linear(hidden, kv_heads * self.size, bias=False)
        self.o = nn.Linear(heads * self.size, hidden, bias=False)

    def forward(self, x, rotation):
        batch, sequence, _ = x.shape
        q = self.q(x).view(batch, sequence, self.heads, self.size)
        k = self.k(x).view(batch, sequence, self.kv_heads, self.size)
        v = self.v(x).view(batch, sequence, self.kv_heads, self.size)
        if rotation is not None:
            q, k = rotated(q, rotation), rotated(k, rotation)
        q, k, v = (part.transpose(1, 2) for part in (q, k, v))
        with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=self.kv_heads != self.heads)
        return self.o(y.transpose(1, 2).reshape(batch, sequence, -1))


def rotated(x, rotation):
    cosine, sine = rotation
    first, second = x.float().chunk(2, dim=-1)
    return torch.cat((first * cosine - second * sine, second * cosine + first * sine), dim=-1).type_as(x)


class FeedForward(nn.Module):
    def __init__(self, style, hidden, feed):
        super().__init__()
        self.up = nn.Linear(hidden, feed, bias=False)
        self.gate = None if style == "gpt" else nn.Linear(hidden, feed, bias=False)
        self.down = nn.Linear(feed, hidden, bias=False)

    def forward(self, x):
        return self.down(functional.gelu(self.up(x)) if self.gate is None else functional.silu(self.gate(x)) * self.up(x))


class Mixture(nn.Module):
    def __init__(self, hidden, feed, experts, chosen, shared):
        super().__init__()
        self.experts, self.chosen = experts, chosen
        self.router = nn.Linear(hidden, experts, bias=False)
        self.up = nn.Parameter(torch.empty(experts, hidden, feed))
        self.gate = nn.Parameter(torch.empty(experts, hidden, feed))
        self.down = nn.Parameter(torch.empty(experts, feed, hidden))
        self.shared = FeedForward("llama", hidden, shared) if shared else None

    def forward(self, x):
        tokens = x.flatten(0, 1)
        weights, experts = torch.topk(functional.softmax(self.router(tokens).float(), dim=-1), self.chosen, dim=-1)
        experts, order = torch.sort(experts.flatten(), stable=True)
        rows, count = order // self.chosen, order.numel()
        counts = torch.histc(experts.float(), bins=self.experts, min=0, max=self.experts).long()
        filled = (counts + ALIGNED_ROWS - 1) // ALIGNED_ROWS * ALIGNED_ROWS
        ends = filled.cumsum(0)
        # Where each token goes: behind its expert's earlier tokens. Rows between are of a last token, of zeros.
        places = torch.arange(count, device=x.device) + (ends - filled - counts.cumsum(0) + counts)[experts]
        source = torch.full((count + self.experts * ALIGNED_ROWS,), tokens.shape[0], device=x.device).scatter(0, places, rows)
        sent = torch.cat((tokens, tokens.new_zeros(1, tokens.shape[1]))).index_select(0, source)
        ends = ends.int()
        inner = functional.silu(torch._grouped_mm(sent, self.gate, offs=ends)) * torch._grouped_mm(sent, self.up, offs=ends)
        back = torch._grouped_mm(inner, self.down, offs=ends).index_select(0, places)
        back = (back.float() * weights.flatten()[order, None]).type_as(x)
        out = self.shared(tokens) if self.shared is not None else torch.zeros_like(tokens)
        return out.index_add(0, rows, back).view_as(x)


class Block(nn.Module):
    def __init__(self, style, hidden, heads, kv_heads, feed, mixture):
        super().__init__()
        norm = nn.LayerNorm if style == "gpt" else nn.RMSNorm
        self.first, self.second = norm(hidden), norm(hidden)
        self.attention = Attention(hidden, heads, kv_heads)
        self.feed = Mixture(hidden, feed, *mixture) if mixture else FeedForward(style, hidden, feed)

    def forward(self, x, rotation):
        x = x + self.attention(self.first(x), rotation)
        return x + self.feed(self.second(x))


class Decoder(nn.Module):
    def __init__(self, style, layers, hidden, heads, kv_heads, feed, vocabulary, sequence, mixture):
        super().__init__()
        self.size = hidden // heads
        self.embedding = nn.Embedding(vocabulary, hidden)
        self.positions = nn.Embedding(sequence, hidden) if style == "gpt" else None
        self.blocks = nn.ModuleList(Block(style, hidden, heads, kv_heads, feed, mixture) for _ in range(layers))
        self.norm = (nn.LayerNorm if style == "gpt" else nn.RMSNorm)(hidden)
        self.head = nn.Linear(hidden, vocabulary, bias=False)

    def forward(self, tokens):
        places = torch.arange(tokens.shape[1], device=tokens.device)
        x, rotation = self.embedding(tokens), None
        if self.positions is not None:
            x = x + self.positions(places)
        else:
            rates = 1.0 / 10000 ** (torch.arange(0, self.size, 2, device=tokens.device).float() / self.size)
            angles = torch.outer(places.float(), rates)[None, :, None, :]
            rotation = (angles.cos(), angles.sin())
        for block in self.blocks:
            x = block(x, rotation)
        return self.head(self.norm(x))


def loss_of(logits, labels):
    return functional.cross_entropy(logits.flatten(0, 1).float(), labels.flatten(0, 1))


def model_of(name, sequence, recompute, compiled):
    style, layers, hidden, heads, kv_heads, feed, vocabulary = MODELS[name]
    with torch.device("meta"):
        model = Decoder(style, layers, hidden, heads, kv_heads, feed, vocabulary, sequence, MIXTURES.get(name))
    for index in range(layers):
        if recompute:
            model.blocks[index] = checkpoint_wrapper(model.blocks[index])
        if compiled:
            model.blocks[index].compile(dynamic=False)
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    for block in model.blocks:
        fully_shard(block, mp_policy=policy)
    fully_shard(model, mp_policy=policy)
    model.to_empty(device=DEVICE)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.to_local().normal_(0, 0.02)
    return model


def measure(name, sequence, micro_batch, microbatches=1, recompute=False, compiled=False):
    torch.manual_seed(0)
    torch.cuda.reset_peak_memory_stats()
    model = model_of(name, sequence, recompute, compiled)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
    loss = torch.compile(loss_of, dynamic=False) if compiled else loss_of
    vocabulary = MODELS[name][6]
    tokens = torch.randint(vocabulary, (micro_batch, sequence + 1), device=DEVICE)

    def step():
        for _ in range(microbatches):
            (loss(model(tokens[:, :-1]), tokens[:, 1:]) / microbatches).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=True)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    for _ in range(3):
        step()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    step()
    torch.cuda.synchronize()
    count = max(3, min(10, int(3 / (time.perf_counter() - begin))))
    # Nothing waits for the GPU between the steps, as in training.
    marks = [torch.cuda.Event(enable_timing=True) for _ in range(count + 1)]
    marks[0].record()
    for mark in marks[1:]:
        step()
        mark.record()
    torch.cuda.synchronize()
    seconds = [first.elapsed_time(second) / 1000 for first, second in zip(marks, marks[1:])]
    seconds.sort()
    parameters = sum(parameter.numel() for parameter in model.parameters())
    return parameters, seconds[len(seconds) // 2], seconds[0]


# name, sequence, sequences in a microbatch, microbatches, recompute, compiled. Without compilation first: it takes a while for each shape.
RUNS = [("llama3-8b-cut", sequence, 8192 // sequence) for sequence in (512, 1024, 2048, 4096, 8192)]
RUNS += [("llama3-8b-cut", 16384, 1, 1, True), ("llama3-8b-cut", 32768, 1, 1, True), ("llama3-8b-cut", 16384, 1)]
RUNS += [("llama3-8b-cut", 4096, batch, 1, True) for batch in (1, 2, 4, 8)]
RUNS += [("llama3-8b-cut", 2048, 1, 8), ("llama3-8b-cut", 2048, 4, 4), ("llama3-8b-cut", 4096, 6)]
RUNS += [("llama3-70b-cut", 4096, 1), ("llama3-70b-cut", 4096, 2), ("llama3-70b-cut", 8192, 1), ("llama3-70b-cut", 2048, 4, 2), ("llama3-70b-cut", 4096, 2, 1, True)]
RUNS += [("gpt2-medium", 1024, batch) for batch in (1, 4, 16, 64)] + [("gpt2-medium", 1024, 16, 4), ("gpt2-medium", 512, 32)]
RUNS += [("gpt3-1.3b", 2048, 1), ("gpt3-1.3b", 2048, 4), ("gpt3-1.3b", 2048, 8, 1, True), ("gpt3-1.3b", 1024, 8)]
RUNS += [("gpt3-6.7b-cut", 2048, 4), ("gpt3-6.7b-cut", 2048, 8, 1, True), ("gpt3-175b-cut", 2048, 2), ("gpt3-175b-cut", 2048, 4, 1, True)]
RUNS += [("llama3.2-1b", 2048, 2), ("llama3.2-1b", 4096, 2), ("llama3.2-1b", 8192, 1, 1, True), ("llama3.2-1b", 8192, 2, 2, True)]
RUNS += [("qwen2.5-3b-cut", 4096, 1), ("qwen2.5-3b-cut", 4096, 2, 1, True), ("qwen2.5-3b-cut", 32768, 1, 1, True)]
RUNS += [("llama3-8b-cut", 4096, 2, 1, False, True), ("llama3-8b-cut", 4096, 4, 1, True, True), ("llama3-70b-cut", 4096, 2, 1, False, True),
         ("gpt3-1.3b", 2048, 4, 1, False, True), ("llama3.2-1b", 4096, 2, 1, False, True), ("llama3-8b-cut", 8192, 1, 1, False, True),
         ("llama3-8b-cut", 2048, 4, 4, False, True), ("gpt2-medium", 1024, 16, 1, False, True), ("llama3-8b-cut", 16384, 1, 1, True, True),
         ("gpt3-6.7b-cut", 2048, 4, 1, False, True), ("gpt3-175b-cut", 2048, 2, 1, False, True)]

MIXTURE_RUNS = [("mixtral-8x7b-cut", 4096, 1), ("mixtral-8x7b-cut", 4096, 2, 1, True), ("mixtral-8x7b-cut", 2048, 4, 1, True),
                ("mixtral-8x7b-cut", 4096, 4, 1, True), ("mixtral-8x7b-cut", 2048, 1, 4)]
MIXTURE_RUNS += [("phi3.5-moe-cut", 4096, 1), ("phi3.5-moe-cut", 4096, 2), ("phi3.5-moe-cut", 4096, 4, 1, True), ("phi3.5-moe-cut", 8192, 1, 1, True)]
MIXTURE_RUNS += [("olmoe-cut", 4096, 1), ("olmoe-cut", 4096, 2), ("olmoe-cut", 4096, 4, 1, True), ("olmoe-cut", 2048, 2, 4)]
MIXTURE_RUNS += [("deepseek-moe-16b-cut", 4096, 1), ("deepseek-moe-16b-cut", 4096, 2), ("deepseek-moe-16b-cut", 4096, 4, 1, True),
                 ("deepseek-moe-16b-cut", 2048, 2, 2)]
MIXTURE_RUNS += [("granite-1b-a400m", 2048, 1), ("granite-1b-a400m", 4096, 2), ("granite-1b-a400m", 4096, 4, 1, True)]
MIXTURE_RUNS += [("mixtral-8x7b-cut", 4096, 2, 1, True, True), ("phi3.5-moe-cut", 4096, 2, 1, False, True), ("olmoe-cut", 4096, 2, 1, False, True),
                 ("deepseek-moe-16b-cut", 4096, 2, 1, False, True), ("granite-1b-a400m", 4096, 2, 1, False, True)]


def main():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29511")
    dist.init_process_group("nccl", rank=0, world_size=1, device_id=torch.device("cuda", 0))
    print("# %s, torch %s, CUDA %s" % (torch.cuda.get_device_name(), torch.__version__, torch.version.cuda))
    print("name,style,layers,hidden,heads,kv_heads,ffn,vocab,params,sequence,micro_batch,microbatches,recompute,compiled,seconds,"
          "min_seconds,allocated_gb,reserved_gb,oom,experts,topk,shared_ffn", flush=True)
    for run in MIXTURE_RUNS if sys.argv[2:] == ["mixtures"] else RUNS:
        if time.monotonic() > DEADLINE:
            print("# time is up", flush=True)
            break
        name, sequence, micro_batch, microbatches, recompute, compiled = (*run, *(1, False, False)[len(run) - 3:])
        parameters, seconds, least, oom = 0, float("nan"), float("nan"), "no"
        try:
            parameters, seconds, least = measure(name, sequence, micro_batch, microbatches, recompute, compiled)
        except torch.OutOfMemoryError:
            oom = "yes"
        except Exception as error:  # the other rows are worth having
            print("# %s: %s" % (run, " ".join(str(error).split())[:200]), flush=True)
            oom = "failed"
        style, *shape = MODELS[name]
        print(",".join(str(cell) for cell in (name, style, *shape, parameters, sequence, micro_batch, microbatches,
              "full" if recompute else "none", "yes" if compiled else "no", "%.6g" % seconds, "%.6g" % least,
              "%.5g" % (torch.cuda.max_memory_allocated() / 1e9), "%.5g" % (torch.cuda.max_memory_reserved() / 1e9), oom,
              *MIXTURES.get(name, (0, 0, 0)))), flush=True)
        torch.compiler.reset()
        gc.collect()
        torch.cuda.empty_cache()
        if torch.cuda.memory_allocated() > 1e8:
            print("# %.3g GB were not freed" % (torch.cuda.memory_allocated() / 1e9), flush=True)
    dist.destroy_process_group()


main()
