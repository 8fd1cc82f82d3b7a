"""The libclang AST lowered to cudalint's IR: the only code that touches clang cursors."""
