SEQUENCE: int = 8192

def small():
    cfg = common()
    cfg.model.tensor_model_parallel_size = 1
    cfg.model.pipeline_model_parallel_size = 1
    cfg.train.global_batch_size = 128
    cfg.train.micro_batch_size = 2
    cfg.model.seq_length = SEQUENCE
    cfg.ddp.use_distributed_optimizer = True
    return cfg

def large():
    cfg = small()  # with more stages
    cfg.mixed_precision = get_mixed_precision_config("bf16_with_fp8_current_scaling_mixed")
    cfg.model.tensor_model_parallel_size = 4
    cfg.model.pipeline_model_parallel_size = 2
    cfg.model.virtual_pipeline_model_parallel_size = None
    cfg.model.sequence_parallel = True
    return cfg
