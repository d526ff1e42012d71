"""The things of Heretic."""

HERETIC = """
[start solid]
1 16x56 player 1 start
2 16x56 player 2 start
3 16x56 player 3 start
4 16x56 player 4 start
[deathmatch solid]
11 16x56 deathmatch start
[teleport]
14 16x56 teleport destination
[monster solid]
5 16x36 gargoyle leader
6 40x72 iron lich
7 28x100 D'Sparil
9 28x100 maulotaur
15 16x68 disciple of D'Sparil
45 22x62 golem leader
46 22x62 golem leader ghost
64 24x78 undead warrior
65 24x78 undead warrior ghost
66 16x36 gargoyle
68 22x62 golem
69 22x62 golem ghost
70 32x74 weredragon
90 20x64 sabreclaw
92 22x70 ophidian
[spot]
43 16x20 pod generator
56 16x56 D'Sparil's teleport spot
[weapon]
53 20x16 dragon claw
2001 20x16 ethereal crossbow
2002 20x16 firemace
2003 20x16 phoenix rod
2004 20x16 hellstaff
2005 20x16 gauntlets of the necromancer
[ammo]
8 20x16 bag of holding
10 20x16 wand crystal
12 20x16 crystal geode
13 20x16 mace spheres
16 20x16 pile of mace spheres
18 20x16 ethereal arrows
19 20x16 quiver of ethereal arrows
20 20x16 lesser runes
21 20x16 greater runes
22 20x16 flame orb
23 20x16 inferno orb
54 20x16 claw orb
55 20x16 energy orb
[health]
32 20x16 mystic urn
81 20x16 crystal vial
82 20x16 quartz flask
[armor]
31 20x16 enchanted shield
85 20x16 silver shield
[powerup]
30 20x16 morph ovum
33 20x16 torch
34 20x16 time bomb of the ancients
35 20x16 map scroll
36 20x16 chaos device
75 20x16 shadowsphere
83 20x16 wings of wrath
84 20x16 ring of invulnerability
86 20x16 tome of power
[key]
73 20x16 green key
79 20x16 blue key
80 20x16 yellow key
[decoration solid]
27 12x54 serpent torch
29 16x34 small pillar
37 8x32 small stalagmite
38 12x64 large stalagmite
44 12x32 barrel
47 14x128 brown pillar
76 16x44 fire brazier
87 12x32 volcano
94 16x50 blue key statue
95 16x50 green key statue
96 16x50 yellow key statue
2035 16x54 pod
[decoration solid hangs]
39 8x36 small stalactite
40 12x68 large stalactite
51 8x104 hanging corpse
[decoration hangs]
17 20x70 hanging skull, 70
24 20x60 hanging skull, 60
25 20x45 hanging skull, 45
26 20x35 hanging skull, 35
28 20x60 chandelier
48 20x23 moss 1
49 20x27 moss 2
[decoration]
50 20x16 wall torch
[effect]
41 20x16 sound of a waterfall
42 20x16 sound of wind
52 20x16 teleport glitter, exit
74 20x16 teleport glitter
1200-1209 20x16 ambient sound
"""
