"""Stage 6 of 7. In: rows of YAML, and programs. Out: C++ that binds kernels to operators, and libraries built of it."""
