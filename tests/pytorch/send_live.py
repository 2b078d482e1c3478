"""Two ranks of one process record made-up work and send it to `bscope collect`; a third says a rank that is there.

    send_live.py PORT TOKEN_FILE FOLDER
"""

import sys
import time
import warnings

import stand_ins  # noqa: F401
import bubblescope_probe

port, token_file, folder = sys.argv[1:]
refusals = []
warnings.showwarning = lambda message, *_: refusals.append(str(message))
probes = [bubblescope_probe.Probe(folder, rank, 2, live=f"127.0.0.1:{port}", token_file=token_file) for rank in (0, 1)]
for _ in range(3):
    for op, ranks in (("F", (0, 1)), ("B", (1, 0))):
        for microbatch in range(4):
            for rank in ranks:
                with probes[rank].range(op, rank, microbatch):
                    sum(range(1000))
    for probe in probes:
        probe.step()
while not all(probe._lines.live._sent for probe in probes):
    time.sleep(0.01)
refused = bubblescope_probe.Probe(folder + "2", 1, 2, live=f"127.0.0.1:{port}", token_file=token_file)
while not refusals:
    time.sleep(0.01)
print(*refusals)
refused.close()
for probe in probes:
    probe.close()
