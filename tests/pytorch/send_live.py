"""Two ranks of one process record made-up work and send it to `bscope collect`. What the probe asks of PyTorch is
stood in for, so that the test needs none.

    send_live.py PORT TOKEN_FILE FOLDER
"""

import os
import sys
import types

torch = types.ModuleType("torch")
torch.__version__ = "none"
torch.cuda = types.SimpleNamespace(is_available=lambda: False)
torch.distributed = types.ModuleType("torch.distributed")
torch.distributed.is_available = lambda: False
sys.modules.update({"torch": torch, "torch.distributed": torch.distributed})
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "integrations", "pytorch"))
sys.dont_write_bytecode = True
import bubblescope_probe  # noqa: E402

port, token_file, folder = sys.argv[1:]
probes = [bubblescope_probe.Probe(folder, rank, 2, live=f"127.0.0.1:{port}", token_file=token_file) for rank in (0, 1)]
try:
    bubblescope_probe.Probe(folder + "2", 1, 2, live=f"127.0.0.1:{port}", token_file=token_file)
except ConnectionError as refusal:
    print(refusal)
for _ in range(3):
    for op, ranks in (("F", (0, 1)), ("B", (1, 0))):
        for microbatch in range(4):
            for rank in ranks:
                with probes[rank].range(op, rank, microbatch):
                    sum(range(1000))
    for probe in probes:
        probe.step()
for probe in probes:
    probe.close()
