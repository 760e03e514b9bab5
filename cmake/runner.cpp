// A program needs a source, and that of a runner is in tenon::runner.
