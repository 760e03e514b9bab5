"""A selection and kernels to binaries: compile, link, explain what is missing, and say what each operator costs."""
