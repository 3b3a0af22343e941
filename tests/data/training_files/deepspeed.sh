STAGE=1
MICRO=2
BATCH=$(( $MICRO * 16 ))
cat <<EOT > ds.json
{
  "train_batch_size": $BATCH,
  "train_micro_batch_size_per_gpu": $MICRO,
  "zero_optimization": {"stage": $STAGE},
  "bf16": {"enabled": true}
}
EOT
ds_args="--deepspeed --zero-stage=$STAGE"
ds_args=" --deepspeed-activation-checkpointing ${ds_args}"
run="deepspeed --num_nodes 2 --num_gpus 8 pretrain_gpt.py --tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 --seq-length 2048 $ds_args &> log"
eval ${run}
