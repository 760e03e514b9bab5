"""Stage 7 of 7. In: a graph (later: a program) and its inputs. Out: what the model would have returned."""

from tenon.run.compare import Comparison, compare
from tenon.run.executor import Executor, execute_ir
from tenon.run.oracle import Module
from tenon.run.weights import bind_weights, load_weights

__all__ = ["Comparison", "Executor", "Module", "bind_weights", "compare", "execute_ir", "load_weights"]
