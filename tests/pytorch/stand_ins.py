"""What the probe asks of PyTorch and of Megatron-LM, stood in for, so that a test needs neither. Import it before
bubblescope_probe, which it makes importable."""

import os
import sys
import threading
import types

DATA = threading.local()  # of the rank that a thread is: rank, group, grad, pp, size, chunk, tp, dp

torch = types.ModuleType("torch")
torch.__version__ = "none"
torch.cuda = types.SimpleNamespace(is_available=lambda: False)
torch.is_grad_enabled = lambda: getattr(DATA, "grad", True)
torch.distributed = types.ModuleType("torch.distributed")
torch.distributed.is_available = lambda: False
torch.distributed.get_process_group_ranks = lambda group: list(group)

parallel_state = types.ModuleType("megatron.core.parallel_state")
parallel_state.get_pipeline_model_parallel_group = lambda: DATA.group
parallel_state.get_pipeline_model_parallel_rank = lambda: DATA.group.index(DATA.rank)
parallel_state.get_virtual_pipeline_model_parallel_world_size = lambda: None
parallel_state.get_virtual_pipeline_model_parallel_rank = lambda: None
parallel_state.get_tensor_model_parallel_rank = lambda: DATA.tp
parallel_state.get_data_parallel_rank = lambda: DATA.dp

schedules = types.ModuleType("megatron.core.pipeline_parallel.schedules")
schedules.forward_step = lambda work, vp_stage=None: work()
schedules.backward_step = lambda work: work()

megatron, core, pipeline_parallel = (types.ModuleType(name) for name in (
    "megatron", "megatron.core", "megatron.core.pipeline_parallel"))
core.parallel_state, pipeline_parallel.schedules = parallel_state, schedules

sys.modules.update({"torch": torch, "torch.distributed": torch.distributed, "megatron": megatron, "megatron.core": core,
                    "megatron.core.pipeline_parallel": pipeline_parallel})
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "integrations", "pytorch"))
sys.dont_write_bytecode = True
