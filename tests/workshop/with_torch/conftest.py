"""These tests train tiny nets. They are collected where the extra ``training`` is installed, which the gate is without.

pip install 'alea-companion[training]' && python -m pytest tests/workshop/with_torch
"""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") and find_spec("onnx") else ["test_*.py"]
