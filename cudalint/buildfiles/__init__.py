"""What the files of the build say literally: options of the CUDA compiler, each with its place."""
