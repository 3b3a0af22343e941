#!/bin/bash
#SBATCH --nodes=16
#SBATCH --ntasks-per-node=8
TP=${TP:-8}
PP=4
SIZE=${1:-70B}
GBS=$(( 32 * 32 ))
if [ "$SIZE" == "8B" ]; then
  LAYERS=32; HIDDEN=4096; FFN=14336; HEADS=32
elif [[ "$SIZE" == "70B" && -n "$TP" ]]; then
  LAYERS=80; HIDDEN=8192; FFN=28672; HEADS=64
else
  echo "no such size"; exit 1
fi
case $SIZE in
  8B|70B) GROUPS_OF_QUERIES=8 ;;
  *) GROUPS_OF_QUERIES=1 ;;
esac
MODEL_ARGS=(
  --num-layers $LAYERS          # decoder
  --hidden-size $HIDDEN
  --ffn-hidden-size ${FFN}
  --num-attention-heads $HEADS
  --group-query-attention --num-query-groups $GROUPS_OF_QUERIES
  --seq-length 8192 --max-position-embeddings 8192
  --position-embedding-type rope --rotary-base 500000 --swiglu
  --untie-embeddings-and-output-weights --disable-bias-linear
  --vocab-size 128256
)
PARALLEL="--tensor-model-parallel-size ${TP} \
  --pipeline-model-parallel-size $PP \
  --num-layers-per-virtual-pipeline-stage 4"
PARALLEL+=" --sequence-parallel"
EXTRA=()
if [ "$SIZE" = "70B" ]; then
  EXTRA+=("--recompute-granularity selective" "--use-distributed-optimizer")
fi
srun torchrun --nproc_per_node 8 --nnodes 16 --master_addr "$MASTER_ADDR" pretrain_gpt.py \
  ${MODEL_ARGS[@]} $PARALLEL ${EXTRA[@]} --micro-batch-size 1 --global-batch-size $GBS \
  --bf16 --lr 1.5e-4 --overlap-grad-reduce --overlap-param-gather --tp-com-overlap --data-path "$DATA" 2>&1 | tee out.log
