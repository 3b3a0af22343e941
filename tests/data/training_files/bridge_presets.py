"""Shaped like the presets of Megatron-Bridge 0.4."""
from utils.utils import WorkloadBaseConfig

BASE_QWEN3_30B_A3B_CONFIG = WorkloadBaseConfig(expert_model_parallel_size=8, global_batch_size=512)

QWEN3_30B_A3B_PRETRAIN_CONFIG_H100_BF16_V1 = replace(
    BASE_QWEN3_30B_A3B_CONFIG,
    num_gpus=16,
    expert_model_parallel_size=16,
    moe_flex_dispatcher_backend="hybridep",
    moe_a2a_overlap=True,
    recompute_modules=["moe_act"],
)
QWEN3_30B_A3B_PRETRAIN_CONFIG_H100_FP8_CS_V1 = QWEN3_30B_A3B_PRETRAIN_CONFIG_H100_BF16_V1
_QWEN3_30B_A3B_SFT_CONFIG_H100 = replace(BASE_QWEN3_30B_A3B_CONFIG, recompute_num_layers=4, use_megatron_fsdp=True)
