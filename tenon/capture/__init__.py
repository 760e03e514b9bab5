"""Stage 1 of 7. In: an nn.Module or an ExportedProgram. Out: the IR, as captured or in the ATen dialect."""

from tenon.capture.aten import to_aten
from tenon.capture.convert import convert_exported_program
from tenon.capture.decompose import decompose
from tenon.capture.export import export_module
from tenon.capture.source import region_sources
from tenon.capture.symbols import dim_names

__all__ = ["convert_exported_program", "decompose", "dim_names", "export_module", "region_sources", "to_aten"]
