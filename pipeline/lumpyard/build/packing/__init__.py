"""From planned lumps to an archive under its temporary name, written by all workers and read back."""
