"""Weights out of a safetensors file: a length, a JSON header, then the numbers as they are in memory."""

import json
import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FLOAT = "F32"


def read_floats(file: Path) -> dict[str, NDArray[np.float32]]:
    """The file's 32-bit float tensors by name, mapped into memory, not copied. Raises ValueError for another file."""
    data = np.memmap(file, dtype=np.uint8, mode="r")
    (length,) = struct.unpack("<Q", data[:8].tobytes())
    if 8 + length > data.size:
        raise ValueError(f"{file.name} is no safetensors file")
    header = json.loads(data[8 : 8 + length].tobytes())
    return {
        name: _tensor(data[8 + length :], *entry["data_offsets"]).reshape(entry["shape"])
        for name, entry in header.items()
        if entry.get("dtype") == FLOAT
    }


def _tensor(numbers: NDArray[np.uint8], start: int, end: int) -> NDArray[np.float32]:
    return numbers[start:end].view(np.dtype("<f4"))
