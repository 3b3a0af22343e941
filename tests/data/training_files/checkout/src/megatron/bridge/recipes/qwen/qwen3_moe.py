SEQUENCE: int = 4096


def qwen3_pretrain_config(**user_kwargs):
    recommended: dict = {"pipeline_model_parallel_size": 2, "micro_batch_size": 1}
    return _common(hf_path="Qwen/Qwen3-30B-A3B", **{**recommended, **user_kwargs}, **recommended)


def _common(
    hf_path: str,
    pipeline_model_parallel_size: int = 8,
    micro_batch_size: int = 4,
    global_batch_size: int = 128,
    seq_length: int = SEQUENCE,
):
    cfg = ConfigContainer(
        ddp=DistributedDataParallelConfig(use_distributed_optimizer=True, grad_reduce_in_fp32=True),
        train=TrainingConfig(global_batch_size=global_batch_size, micro_batch_size=micro_batch_size),
        mixed_precision="bf16_mixed",
    )
    cfg.model.tensor_model_parallel_size = 4
    cfg.model.pipeline_model_parallel_size = pipeline_model_parallel_size
    cfg.model.virtual_pipeline_model_parallel_size = 12
    cfg.model.recompute_granularity = "full"
    cfg.model.seq_length = seq_length
    return cfg
