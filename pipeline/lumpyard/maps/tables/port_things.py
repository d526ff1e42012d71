"""Things that editors and ports have added to any game."""

EDITORS = """
[effect]
32000 16x16 camera of an editor's view
"""

BOOM = """
[effect]
5001 16x16 point pusher
5002 16x16 point puller
"""

MBF = """
[monster solid]
888 12x28 helper dog
"""

ZDOOM = """
[start solid]
4001 16x56 player 5 start
4002 16x56 player 6 start
4003 16x56 player 7 start
4004 16x56 player 8 start
[teleport]
9043-9044 16x56 teleport destination at a height
[effect]
118 32x4 bridge
1400-1411 16x16 sound sequence
1500-1501 16x16 slope of a floor or ceiling
1502-1503 16x16 light
1504-1505 16x16 height of a vertex
5004 16x16 map spot for scripts
5006 16x16 sky camera
5061 32x4 bridge, 32
5064 16x8 bridge, 16
5065 8x8 bridge, 8
9024 16x16 patrol point
9025 16x16 security camera
9026-9033 16x16 sparks and fountains of particles
9037 16x16 skull of the beta version
9038-9039 16x16 colour or fade of a sector
9040 16x16 map marker
9041 16x16 sector flags
9045-9048 16x16 water, secret, patrol and sound settings
9070-9078 16x16 cameras, paths and stacked sectors
9080-9083 16x16 sky viewpoints and silencer
9200 16x16 decal
9300-9303 16x16 polyobject
9500-9503 16x16 slope
9510-9511 16x16 copy of a plane
9600-9605 16x16 sector action
9800-9804 16x16 light
9810-9814 16x16 light, additive
9820-9825 16x16 light, subtractive
9830-9834 16x16 light, attenuated
9840-9844 16x16 spotlight
9850-9854 16x16 spotlight, additive
9860-9864 16x16 spotlight, subtractive
9870-9874 16x16 spotlight, attenuated
9876 16x16 light of lightmaps
9881 16x16 spotlight of lightmaps
9890 16x16 settings of lightmaps
9982-9983 16x16 sector action
9988 16x16 sprite
9989 16x16 sector action
9990-9991 32x4 bridge
9992-9999 16x16 sector action
14001-14067 16x16 ambient sound
14101-14165 16x16 music changer
[spot]
9001 20x16 map spot
9013 20x16 map spot with gravity
"""

ZDOOM_DOOM = """
[weapon]
5010 20x16 pistol
[decoration solid]
5050 16x48 stalagmite
[monster solid]
9050 64x64 stealth arachnotron
9051 20x56 stealth arch-vile
9052 24x64 stealth baron of hell
9053 31x56 stealth cacodemon
9054 20x56 stealth heavy weapon dude
9055 30x56 stealth demon
9056 24x64 stealth hell knight
9057 20x56 stealth imp
9058 48x64 stealth mancubus
9059 20x56 stealth revenant
9060 20x56 stealth shotgun guy
9061 20x56 stealth zombieman
9100-9111 16x56 marine
"""
