"""Makes the pictures and sounds of the example game: `python tools/make_assets.py [FOLDER]`.

They are in git as well, so nobody needs to run this. It shows where they come from: the standard library, integers and
text, so that the same bytes come out everywhere.
"""

import sys
from pathlib import Path

import font
import scenes
import sounds
import sprites
import tiles
from pixels import png


def files() -> dict[str, bytes]:
    """Every file that is made, by its path below the project."""
    base = {**sprites.pictures(), **tiles.pictures(), **scenes.pictures()}
    cold = {**tiles.winter_pictures(), **scenes.winter_pictures()}
    return {
        **{f"assets/textures/{path}.png": png(picture) for path, picture in base.items()},
        **{f"assets/{path}.png": png(picture) for path, picture in font.pictures().items()},
        **{f"assets/{path}": data for path, data in sounds.files().items()},
        **{f"winter/textures/{path}.png": png(picture) for path, picture in cold.items()},
        **{f"winter/{path}": data for path, data in sounds.winter_files().items()},
    }


def main() -> None:
    """Write them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1]
    for path, data in files().items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    print(f"{len(files())} files in {folder}")


if __name__ == "__main__":
    main()
