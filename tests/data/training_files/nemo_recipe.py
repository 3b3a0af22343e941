"""A recipe: trainer(tensor_parallelism=64) in this text is none."""
import nemo_run as run

def trainer(
    tensor_parallelism: int = 2,
    pipeline_parallelism: int = 1,
    context_parallelism: int = 2,
    sequence_parallelism: bool = True,
    num_nodes: int = 4,
    num_gpus_per_node: int = 8,
):
    return run.Config(
        Trainer,
        strategy=run.Config(
            MegatronStrategy,
            tensor_model_parallel_size=tensor_parallelism,
            pipeline_model_parallel_size=pipeline_parallelism,
            context_parallel_size=context_parallelism,
            sequence_parallel=sequence_parallelism,
        ),
    )

def pretrain_recipe(num_nodes: int = 4, num_gpus_per_node: int = 8):
    recipe = run.Partial(
        trainer=trainer(num_nodes=num_nodes, tensor_parallelism=4),
        data=run.Config(Mock, seq_length=8192, global_batch_size=128, micro_batch_size=1),
    )
    return recipe
