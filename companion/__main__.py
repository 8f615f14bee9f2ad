"""``python -m companion`` is the command ``companion``, also where no script of that name is on the path."""

from companion.cli import main

main(prog_name="companion")
