def bf16_mixed():
    return MixedPrecisionConfig(bf16=True, grad_reduce_in_fp32=True)


def bf16_with_mxfp8_mixed():
    cfg = bf16_mixed()
    cfg.fp8 = "e4m3"
    return cfg
