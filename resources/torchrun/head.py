#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs plans of P² Explorer with torch.distributed, one process per device.

Checks every element of each result against integers, times every step, and prints the runs as one JSON
({"format": "p2-runs"}) for p2 calibrate and the Runs page of p2-explorer. Needs Python 3.8 and torch 1.13 or later.

  this machine alone   python3 THIS.py --spawn
  torchrun             torchrun --nproc_per_node GPUS THIS.py
  Slurm                srun --ntasks-per-node GPUS --gpus-per-node GPUS python3 THIS.py -o runs.json
  ssh, on every node   torchrun --nnodes N --node_rank I --master_addr HOST --nproc_per_node GPUS THIS.py
  without torchrun     python3 THIS.py --spawn --nnodes N --node_rank I --master_addr HOST

Rank numbers are the plan's device numbers, node by node. Exit status: 0 done, 1 wrong elements or a failed run, 2 input
that cannot be run. No result is right unless it says "wrong_elements": 0.
"""
import argparse
import contextlib
import datetime
import functools
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time


class Refused(Exception):
    """Input that cannot be run: one sentence with the reason and the remedy."""


def say(text):
    print("p2-torchrun: " + text, file=sys.stderr, flush=True)
