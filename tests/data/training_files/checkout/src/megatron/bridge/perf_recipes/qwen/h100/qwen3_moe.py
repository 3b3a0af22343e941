"""Shaped like a performance recipe of Megatron-Bridge 0.6: most of it is in other files."""
from megatron.bridge.perf_recipes.qwen.common import (
    CommOverlapConfig,
    ConfigContainer,
    _benchmark_common,  # gradients in bf16
    _perf_precision,
    _with_global_batch_size,
    base_config as shared_config,
)
from elsewhere import not_a_recipe


def qwen3_bf16_config() -> ConfigContainer:
    """One in bf16: cfg.model.tensor_model_parallel_size = 8 is text."""
    cfg = shared_config()
    cfg.mixed_precision = _perf_precision("bf16")
    cfg.model.recompute_granularity = None
    cfg.model.tensor_model_parallel_size = 2
    cfg.model.virtual_pipeline_model_parallel_size = None
    cfg.model.expert_model_parallel_size = 8
    if cfg.model.tensor_model_parallel_size > 2:
        cfg.model.context_parallel_size = 2
    elif cfg.model.tensor_model_parallel_size == 2 and not cfg.model.recompute_granularity:
        cfg.model.sequence_parallel = True
    else:
        cfg.model.context_parallel_size = 4
    _benchmark_common(cfg)
    return cfg


def qwen3_fp8_config() -> ConfigContainer:
    return _with_global_batch_size(_perf_precision_of(qwen3_bf16_config(), "fp8_mx"), global_batch_size=256)


def _perf_precision_of(cfg, precision="bf16"):
    cfg.mixed_precision = _perf_precision(precision)
    cfg.model.recompute_granularity = "selective"
    cfg.model.recompute_modules = []
    return cfg
