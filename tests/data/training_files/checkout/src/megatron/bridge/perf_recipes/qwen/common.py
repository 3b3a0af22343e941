from megatron.bridge.recipes.qwen.qwen3_moe import qwen3_pretrain_config as base_config
from megatron.bridge.training.mixed_precision import bf16_mixed, bf16_with_mxfp8_mixed


def _benchmark_common(cfg):
    cfg.ddp.grad_reduce_in_fp32 = False


def _with_global_batch_size(cfg, global_batch_size: int):
    cfg.train.global_batch_size = global_batch_size
    return cfg


def _perf_precision(compute_dtype: str):
    if compute_dtype == "bf16":
        cfg = bf16_mixed()
    elif compute_dtype == "fp8_mx":
        cfg = bf16_with_mxfp8_mixed()
    else:
        raise ValueError(f"unknown: {compute_dtype}")
    cfg.grad_reduce_in_fp32 = False
    return cfg
