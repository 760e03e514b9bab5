"""A workspace of BUCK files to build in, and pieces of what is written there."""

import subprocess

import numpy
import pytest
import torch

import tenon
from tenon.build.buck.build import build_targets
from tenon.build.drive.symbols import defined_functions
from tenon.build.select import read_selection
from tenon.errors import Invalid, Unsupported

LOAD = 'load("//executorch/codegen:codegen.bzl", "et_operator_library", "executorch_generated_lib")\n'
INCLUDES = """
#include <executorch/runtime/kernel/kernel_includes.h>
using executorch::aten::Scalar;
using executorch::aten::Tensor;
"""
SOMETHING = """
  (void)executorch::runtime::resize_tensor(out, a.sizes());
  for (int64_t i = 0; i < a.numel(); ++i)
    out.mutable_data_ptr<float>()[i] = a.const_data_ptr<float>()[i] + alpha.to<float>() * b.const_data_ptr<float>()[i];
"""
BINARY = 'cxx_binary(name = "runner", deps = [":{}", "//executorch/runtime/executor:program"])\n'
INPUTS = torch.randn(2, 3), torch.rand(2, 3) + 1


class Space:
    def __init__(self, folder):
        self.root = folder / "root"
        self.out = folder / "out"
        self.root.mkdir()
        (self.root / ".buckconfig").touch()

    def write(self, files):
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def export(self, name, function, *inputs):
        class Model(torch.nn.Module):
            def forward(self, *args):
                return function(*args)

        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        tenon.export(Model(), inputs).save(path)
        return path

    def build(self, *targets, folder=""):
        return [path.relative_to(self.out).as_posix() for path in build_targets(targets, self.root / folder, self.out)]

    def fault(self, *targets):
        with pytest.raises((Invalid, Unsupported)) as caught:
            self.build(*targets)
        return str(caught.value)

    def run(self, binary, model, *inputs):
        for number, tensor in enumerate(inputs):
            numpy.save(self.root / f"{number}.npy", tensor.numpy())
        given = [word for i in range(len(inputs)) for word in ("--input", self.root / f"{i}.npy")]
        subprocess.run([self.out / binary, model, *given, "--output", self.out], check=True, capture_output=True)
        return torch.from_numpy(numpy.load(self.out / "output_0.npy"))

    def functions(self, name):
        return {function.name for function in defined_functions(self.out / name)}

    def selected(self, name):
        return read_selection(self.out / name)
