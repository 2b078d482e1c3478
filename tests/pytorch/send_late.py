"""A rank records while there is no collector, says which port it tries, and waits for a line: by then there is one.

    send_late.py TOKEN_FILE FOLDER
"""

import socket
import sys
import time
import warnings

import stand_ins  # noqa: F401
import bubblescope_probe

token_file, folder = sys.argv[1:]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
warnings.simplefilter("always")
warned = []
warnings.showwarning = lambda message, *_: warned.append(str(message))
bubblescope_probe._RETRY_S = 0.05
probe = bubblescope_probe.Probe(folder, 0, 1, live=f"127.0.0.1:{port}", token_file=token_file)


def step():
    for op in "FB":
        with probe.range(op, 0, 0):
            sum(range(1000))
    probe.step()


step()
time.sleep(0.5)  # some tries
print(*warned, port, "recorded", sep="\n", flush=True)
sys.stdin.readline()
step()
probe.close()
