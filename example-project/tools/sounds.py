"""Sounds and tunes, as a small game console would make them: square, triangle and noise, in integers only.

Integers, because sines are rounded differently by different C libraries, and these files are the same everywhere.
"""

import struct

RATE = 22050  # samples a second of an effect
TUNE_RATE = 11025  # and of a tune
FADE = 64  # samples over which a note ends, so that it doesn't click

# Hertz of the notes of the middle octave, in hundredths: C, C sharp, …, B.
_SCALE = (26163, 27718, 29366, 31113, 32963, 34923, 36999, 39200, 41530, 44000, 46616, 49388)
_NAMES = {"c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11}

Wave = list[int]  # samples around zero; 127 is as loud as it gets


def square(start: int, end: int, samples: int, loud: int, *, duty: int = 50) -> Wave:
    """A square wave that slides from one frequency to another (in hertz) and fades away."""
    wave, phase = [], 0
    for at in range(samples):
        phase = (phase + start * samples + (end - start) * at) % (RATE * samples)
        level = loud * (samples - at) // samples
        wave.append(level if phase * 100 < RATE * samples * duty else -level)
    return wave


def noise(samples: int, loud: int, hold: int) -> Wave:
    """Noise that fades away; the longer each value is held, the deeper it sounds."""
    wave, register, bit = [], 1, 1
    for at in range(samples):
        if at % hold == 0:
            feedback = (register ^ register >> 1) & 1
            register, bit = register >> 1 | feedback << 14, 1 - 2 * (register & 1)
        wave.append(bit * loud * (samples - at) // samples)
    return wave


def mixed(*waves: Wave) -> Wave:
    """All at once."""
    longest = max(map(len, waves))
    return [sum(wave[at] for wave in waves if at < len(wave)) for at in range(longest)]


def tune(voices: list[tuple[str, str, int]], beat: int) -> Wave:
    """Voices of (notes, kind, loudness) played together; a beat is that many samples.

    Notes are words: a letter, `#` if sharp, the octave, and `:` with beats if not one; `-` is a rest. `c4 e4:2 -`.
    """
    return mixed(*(_voice(notes.split(), kind, loud, beat) for notes, kind, loud in voices))


def _voice(notes: list[str], kind: str, loud: int, beat: int) -> Wave:
    wave: Wave = []
    for note in notes:
        name, _, beats = note.partition(":")
        samples = beat * int(beats or 1)
        wave += [0] * samples if name == "-" else _note(_hertz(name), samples, kind, loud)
    return wave


def _hertz(name: str) -> int:
    """The frequency of a note, in hundredths of a hertz."""
    step = _NAMES[name[0]] + ("#" in name)
    octave = int(name[-1])
    return _SCALE[step] << octave - 4 if octave >= 4 else _SCALE[step] >> 4 - octave


def _note(hertz: int, samples: int, kind: str, loud: int) -> Wave:
    wave, phase, whole = [], 0, TUNE_RATE * 100
    for at in range(samples):
        phase = (phase + hertz) % whole
        sounding = loud * 3 // 4 if kind == "triangle" else loud * (samples - at * 4 // 5) // samples
        level = min(sounding, loud * (samples - at) // FADE, loud * (at + 1) // 16)
        if kind == "triangle":
            wave.append(level * (abs(phase * 4 - whole * 2) - whole) // whole)
        elif kind == "bell":  # two triangles, an octave apart, that die away quickly
            level = level * (samples - at) // samples
            high = phase * 2 % whole
            both = 2 * abs(phase * 4 - whole * 2) + abs(high * 4 - whole * 2) - 3 * whole
            wave.append(level * both // (3 * whole))
        else:
            wave.append(level if phase * 4 < whole else -level // 3)
    return wave


def wav(wave: Wave, rate: int) -> bytes:
    """A WAV file: one channel of 8 bits, unsigned; louder than loud is cut off."""
    samples = bytes(128 + max(-127, min(127, sample)) for sample in wave)
    body = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, rate, rate, 1, 8)
    body += b"data" + struct.pack("<I", len(samples)) + samples + b"\0" * (len(samples) % 2)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def effects() -> dict[str, Wave]:
    """The effects by their path below assets/."""
    return {
        "sounds/coin": square(988, 988, 1600, 60, duty=25) + square(1319, 1319, 6000, 60, duty=25),
        "sounds/jump": square(220, 640, 3600, 56, duty=25),
        "sounds/land": mixed(noise(1400, 40, 9), square(110, 60, 1400, 50)),
        "sounds/hurt": mixed(square(440, 90, 5200, 50), noise(5200, 26, 4)),
        "sounds/croak": square(150, 95, 900, 70, duty=12) + [0] * 300 + square(170, 80, 1700, 70, duty=12),
        "sounds/splash": mixed(noise(7000, 54, 3), noise(3000, 40, 11)),
        "sounds/door": noise(1200, 46, 14) + [0] * 900 + mixed(noise(1500, 60, 22), square(90, 50, 1500, 40)),
        "sounds/lantern": mixed(noise(2600, 14, 2), square(523, 1046, 5200, 34, duty=25)),
        "sounds/win": [
            sample for hertz, size in _FANFARE for sample in square(hertz, hertz, size, 56, duty=25)
        ],
    }


_FANFARE = ((523, 1900), (659, 1900), (784, 1900), (1046, 3800), (784, 1900), (1046, 7600))

_MELODY = """
    g4 a4 c5:2 e5 d5 c5:2   a4 c5 d5:2 c5 a4 g4:2   a4 c5 d5 e5 g5:2 e5 d5
    c5 d5 e5 c5 a4 g4 a4:2   g4 a4 c5:2 e5 g5 a5:2   g5 e5 d5 c5 d5 e5 c5:2
"""
_CHORDS = "c4:2 g4:2 e4:2 g4:2   a3:2 e4:2 c4:2 e4:2   f3:2 c4:2 a3:2 c4:2 " * 2
_BASS = """
    c3:3 c3 g2:2 c3:2   a2:3 a2 e3:2 a2:2   f2:3 f2 c3:2 f2:2
    c3:3 c3 g2:2 c3:2   a2:3 a2 e3:2 a2:2   g2:3 g2 d3:2 g2:2
"""

_WALTZ = "e5:2 b4   g5:2 e5   f#5:2 d5   b4:3   c5:2 e5   g5:2 e5   d#5:2 f#5   b5:3"
_WALTZ_CHORDS = "- e4 g4   - e4 g4   - d4 f#4   - d4 f#4   - c4 e4   - c4 e4   - b3 d#4   - b3 d#4"
_WALTZ_BASS = "e3:3 e3:3 b2:3 b2:3 c3:3 c3:3 b2:3 b2:3"


def meadow() -> Wave:
    """Twelve seconds for the meadow, without an end."""
    voices = [(_MELODY, "square", 34), (_CHORDS, "bell", 30), (_BASS, "triangle", 52)]
    return tune(voices, beat=TUNE_RATE // 4)


def winter() -> Wave:
    """A slow waltz of bells, nine seconds long."""
    voices = [(_WALTZ, "bell", 54), (_WALTZ_CHORDS, "bell", 34), (_WALTZ_BASS, "triangle", 44)]
    return tune(voices, beat=TUNE_RATE * 3 // 8)


def files() -> dict[str, bytes]:
    """The base game's WAV files by their path below assets/."""
    made = {f"{path}.wav": wav(wave, RATE) for path, wave in effects().items()}
    return {**made, "music/meadow.wav": wav(meadow(), TUNE_RATE)}


def winter_files() -> dict[str, bytes]:
    """The winter's by their path below winter/."""
    return {"music/winter.wav": wav(winter(), TUNE_RATE)}
