"""The commands: arguments, printing, exit status (docs/command-line.md).

`main` is the way in, `running` picks the command's module out of `commands` and turns errors into a status. A command
is a module of its name, such as `ls` or `store_info`; it has `EXAMPLES`, `configure(parser)` and `run(args, io)`. The
other modules are what several commands share, or the parts of large ones, such as `map_drawing`.
"""
