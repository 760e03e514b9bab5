"""MODEL.py:FACTORY: a model from the user's file, which may raise anything."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from tenon.errors import Invalid, TenonError, near
from tenon.ir.graph import at


def load_factory(text: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of capture from MODEL.py:FACTORY: (model, args, kwargs) and dynamic_shapes."""
    file, colon, name = text.rpartition(":")
    if not colon or not name.isidentifier():
        raise Invalid(f"{text!r}: a model is named as MODEL.py:FACTORY, where FACTORY() gives (model, args).")
    module = _load_module(Path(file))
    factory = getattr(module, name, None)
    if not callable(factory):
        known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise Invalid(f"{file} has no function {name}.{near(name, known)}")
    made = _run_user_code(factory, f"{name}() in {file}")
    if not isinstance(made, tuple) or not 2 <= len(made) <= 4:
        raise Invalid(
            f"{name}() in {file} must give (model, args[, kwargs[, dynamic_shapes]]), not a {type(made).__name__}."
        )
    model, args, kwargs, dynamic_shapes = (*made, None, None)[:4]
    return (model, args, kwargs), {"dynamic_shapes": dynamic_shapes}


def _load_module(file: Path) -> ModuleType:
    if not file.is_file():
        raise Invalid(f"{file}: there is no such file.")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise Invalid(f"{file}: is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module  # dataclasses and pytrees look their classes up here
    sys.path.insert(0, str(file.parent.resolve()))
    loader = spec.loader
    _run_user_code(lambda: loader.exec_module(module), str(file))
    return module


def _run_user_code(run: Any, who: str) -> Any:
    try:
        return run()
    except TenonError:
        raise
    except Exception as error:  # the user's file may raise anything
        from tenon.capture.source import source_of_error

        place = at(source_of_error(error.__traceback__))
        raise Invalid(f"{who} raised {type(error).__name__}{place}: {error}") from error
