#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the kernels of a transformer on one GPU, for the constants of core/training. Prints one CSV row per kernel:

  kind,type,a,b,c,count,flop,bytes,seconds,min_seconds

product     rows a, depth b, columns c               attention, attention_backward (flash, cudnn)   sequence a, heads b, head size c
copy, layernorm, gelu, add, adam   elements a         launch                          kernels a in a row, without work

`bytes` is the least memory traffic of the kernel, `seconds` the median of its repetitions. Run: tests/gpu/kernels.py [SECONDS]
"""
import sys
import time

import torch
import torch.nn.functional as functional
from torch.nn.attention import SDPBackend, sdpa_kernel

DEVICE = torch.device("cuda")
# Hidden size, feed-forward size, key and value width: GPT-3 1.3B to 175B, Llama 3 8B to 405B, Qwen 2.5 32B, DeepSeek V3's experts.
LAYERS = [("gpt3-1.3b", 2048, 8192, 2048), ("gpt3-6.7b", 4096, 16384, 4096), ("gpt3-175b", 12288, 49152, 12288),
          ("llama3-8b", 4096, 14336, 1024), ("llama3-70b", 8192, 28672, 1024), ("llama3-405b", 16384, 53248, 1024),
          ("qwen2.5-32b", 5120, 27648, 1024), ("deepseek-expert", 7168, 2048, 7168)]
TENSOR_DEGREES = (1, 2, 4, 8)
TOKENS = (1024, 2048, 4096, 8192, 16384)
DEADLINE = time.monotonic() + float(sys.argv[1] if len(sys.argv) > 1 else 120)


def row(*cells):
    print(",".join("%.9g" % cell if isinstance(cell, float) else str(cell) for cell in cells), flush=True)


def times_of(work, target=0.02, most=30):
    """Median and smallest seconds of one call, over batches that hide the launch behind the work before it."""
    work()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    work()
    torch.cuda.synchronize()
    once = max(time.perf_counter() - begin, 1e-6)
    calls = max(1, min(200, int(0.004 / once)))
    seconds = []
    for _ in range(max(3, min(most, int(target / (once * calls)) + 1))):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(200000)  # the queue fills while the GPU waits
        start.record()
        for _ in range(calls):
            work()
        end.record()
        torch.cuda.synchronize()
        seconds.append(start.elapsed_time(end) / 1000 / calls)
    seconds.sort()
    return seconds[len(seconds) // 2], seconds[0]




def shapes():
    """(rows, depth, columns) of forward products of a layer, sharded over tensor degrees, each once."""
    found = []
    for _, hidden, feed, narrow in LAYERS:
        for degree in TENSOR_DEGREES:
            for depth, columns in ((hidden, (hidden + 2 * narrow) // degree), (hidden // degree, hidden),
                                   (hidden, feed // degree), (feed // degree, hidden)):
                for tokens in TOKENS:
                    found.append((tokens, depth, columns))
    found = sorted(set(found), key=lambda shape: (hash_of(shape), shape))
    return found


def hash_of(shape):
    """A fixed order without rhyme, so that a table cut short by time still covers all sizes."""
    return (shape[0] * 2654435761 + shape[1] * 40503 + shape[2] * 9973) % 65521


def products(most_seconds):
    until = time.monotonic() + most_seconds
    for rows, depth, columns in shapes() + [(8192, 8192, 8192), (4096, 4096, 4096), (4095, 4096, 4096), (4096, 4100, 4096), (4096, 4096, 4104)]:
        if time.monotonic() > until:
            break
        left_one = torch.randn(rows, depth, device=DEVICE, dtype=torch.bfloat16)
        right = torch.randn(columns, depth, device=DEVICE, dtype=torch.bfloat16).t()
        seconds = times_of(lambda: left_one @ right)
        flop = 2.0 * rows * depth * columns
        row("product", "bf16", rows, depth, columns, 1, flop, 2.0 * (rows * depth + depth * columns + rows * columns), *seconds)
        if rows % 16 or depth % 16 or columns % 16 or not hasattr(torch, "float8_e4m3fn"):
            continue
        narrow_left, narrow_right = left_one.to(torch.float8_e4m3fn), right.t().contiguous().to(torch.float8_e4m3fn).t()
        scale = torch.ones((), device=DEVICE)
        try:
            seconds = times_of(lambda: torch._scaled_mm(narrow_left, narrow_right, scale_a=scale, scale_b=scale, out_dtype=torch.bfloat16))
        except (RuntimeError, TypeError) as problem:
            print("fp8: %s" % str(problem).splitlines()[0], file=sys.stderr)
            continue
        row("product", "fp8", rows, depth, columns, 1, flop, 1.0 * (rows * depth + depth * columns) + 2.0 * rows * columns, *seconds)


def attention(most_seconds):
    """Causal flash attention, of which half the square counts; a backward pass has 2.5 times the products of a forward one."""
    until = time.monotonic() + most_seconds
    for sequence in (1024, 2048, 4096, 8192, 16384, 32768):
        for heads, size, batch in ((8, 128, 1), (16, 128, 1), (32, 128, 1), (64, 128, 1), (16, 64, 4), (32, 128, 4)):
            if time.monotonic() > until or sequence * heads * batch > 2**21:
                continue
            query, key, value = (torch.randn(batch, heads, sequence, size, device=DEVICE, dtype=torch.bfloat16, requires_grad=True) for _ in range(3))
            flop = 2.0 * 2 * batch * heads * sequence * sequence * size / 2
            traffic = 2.0 * 4 * batch * heads * sequence * size
            for name in ("FLASH_ATTENTION", "CUDNN_ATTENTION"):
                try:
                    with sdpa_kernel(getattr(SDPBackend, name)):
                        with torch.no_grad():
                            seconds = times_of(lambda: functional.scaled_dot_product_attention(query, key, value, is_causal=True))
                        out = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
                    gradient = torch.randn_like(out)
                    back = times_of(lambda: torch.autograd.grad(out, (query, key, value), gradient, retain_graph=True))
                except RuntimeError as problem:
                    print("%s: %s" % (name, str(problem).splitlines()[0]), file=sys.stderr)
                    continue
                kind = "flash" if name == "FLASH_ATTENTION" else "cudnn"
                row("attention", kind, sequence, heads * batch, size, batch, flop, traffic, *seconds)
                row("attention_backward", kind, sequence, heads * batch, size, batch, 2.5 * flop, 2.0 * traffic, *back)


def passes():
    for elements in (2**20, 2**22, 2**24, 2**26, 2**28):
        x = torch.randn(elements, device=DEVICE, dtype=torch.bfloat16)
        y = torch.empty_like(x)
        row("copy", "bf16", elements, 0, 0, 1, 0.0, 4.0 * elements, *times_of(lambda: y.copy_(x)))
        row("add", "bf16", elements, 0, 0, 1, 0.0, 6.0 * elements, *times_of(lambda: torch.add(x, y, out=y)))
        row("gelu", "bf16", elements, 0, 0, 1, 0.0, 4.0 * elements, *times_of(lambda: functional.gelu(x)))
        hidden = x.view(-1, 4096)
        weight = torch.ones(4096, device=DEVICE, dtype=torch.bfloat16)
        row("layernorm", "bf16", elements, 4096, 0, 1, 0.0, 4.0 * elements, *times_of(lambda: functional.layer_norm(hidden, (4096,), weight)))
    for elements in (2**22, 2**25, 2**27):
        parameter = torch.nn.Parameter(torch.randn(elements, device=DEVICE))
        parameter.grad = torch.randn_like(parameter)
        adam = torch.optim.AdamW([parameter], fused=True)
        row("adam", "float32", elements, 0, 0, 1, 0.0, 28.0 * elements, *times_of(adam.step))


def launches():
    """Seconds of the host and of the GPU for one kernel that does nothing worth measuring."""
    x = torch.zeros(1, device=DEVICE)
    for _ in range(100):
        x.add_(1)
    torch.cuda.synchronize()
    for count in (100, 1000, 10000):
        begin = time.perf_counter()
        for _ in range(count):
            x.add_(1)
        torch.cuda.synchronize()
        seconds = (time.perf_counter() - begin) / count
        row("launch", "float32", count, 0, 0, 1, 0.0, 0.0, seconds, seconds)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(1000):
            x.add_(1)
    seconds = [each / 1000 for each in times_of(graph.replay)]
    row("launch_in_graph", "float32", 1000, 0, 0, 1, 0.0, 0.0, *seconds)


def main():
    properties = torch.cuda.get_device_properties(0)
    print("# %s, %d multiprocessors, torch %s, CUDA %s" % (properties.name, properties.multi_processor_count, torch.__version__, torch.version.cuda))
    print("kind,type,a,b,c,count,flop,bytes,seconds,min_seconds")
    total = DEADLINE - time.monotonic()
    passes()
    attention(0.2 * total)
    products(DEADLINE - time.monotonic() - 3)
    launches()


if __name__ == "__main__":
    main()
