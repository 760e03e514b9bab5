"""Which operators a build holds. In: programs, lists, YAML. Out: a selection, its files, and the kernels it takes."""

from tenon.build.select.chains import chains, programs_of
from tenon.build.select.choose import check_names, chosen, kernel_count
from tenon.build.select.dtypes import DTYPE_HEADER, dtype_header
from tenon.build.select.files import read_selection, selection_files, selection_text, write_selection
from tenon.build.select.inputs import of_file
from tenon.build.select.merge import merge_yaml
from tenon.build.select.missing import check_model
from tenon.build.select.model import of_model, of_program
from tenon.build.select.prim import is_listed, prim_operators, prim_ops_header, prim_table
from tenon.build.select.registry import max_kernel_header
from tenon.build.select.selection import (
    Selected,
    Selection,
    of_dict,
    of_everything,
    of_list,
    of_yaml,
    split_names,
    union,
)

__all__ = [
    "DTYPE_HEADER",
    "Selected",
    "Selection",
    "chains",
    "check_model",
    "check_names",
    "chosen",
    "dtype_header",
    "is_listed",
    "kernel_count",
    "max_kernel_header",
    "merge_yaml",
    "of_dict",
    "of_everything",
    "of_file",
    "of_list",
    "of_model",
    "of_program",
    "of_yaml",
    "prim_operators",
    "prim_ops_header",
    "prim_table",
    "programs_of",
    "read_selection",
    "selection_files",
    "selection_text",
    "split_names",
    "union",
    "write_selection",
]
