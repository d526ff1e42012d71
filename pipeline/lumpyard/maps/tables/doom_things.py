"""The things of Doom and Doom II."""

DOOM = """
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
7 128x100 spider mastermind
9 20x56 shotgun guy
16 40x110 cyberdemon
58 30x56 spectre
3001 20x56 imp
3002 30x56 demon
3003 24x64 baron of hell
3004 20x56 zombieman
3005 31x56 cacodemon
3006 16x56 lost soul
[monster solid doom2]
64 20x56 arch-vile
65 20x56 heavy weapon dude
66 20x56 revenant
67 48x64 mancubus
68 64x64 arachnotron
69 24x64 hell knight
71 31x56 pain elemental
84 20x56 Wolfenstein SS
88 16x16 boss brain
[monster solid hangs doom2]
72 16x72 commander Keen
[spot doom2]
87 20x32 boss's spawn spot
89 20x32 boss's spawn shooter
[weapon]
2001 20x16 shotgun
2002 20x16 chaingun
2003 20x16 rocket launcher
2004 20x16 plasma rifle
2005 20x16 chainsaw
2006 20x16 BFG9000
[weapon doom2]
82 20x16 super shotgun
[ammo]
8 20x16 backpack
17 20x16 cell pack
2007 20x16 clip
2008 20x16 4 shells
2010 20x16 rocket
2046 20x16 box of rockets
2047 20x16 cell
2048 20x16 box of bullets
2049 20x16 box of shells
[health]
2011 20x16 stimpack
2012 20x16 medikit
2013 20x16 soulsphere
2014 20x16 health bonus
[health doom2]
83 20x16 megasphere
[armor]
2015 20x16 armor bonus
2018 20x16 green armor
2019 20x16 blue armor
[powerup]
2022 20x16 invulnerability
2023 20x16 berserk
2024 20x16 partial invisibility
2025 20x16 radiation suit
2026 20x16 computer map
2045 20x16 light goggles
[key]
5 20x16 blue keycard
6 20x16 yellow keycard
13 20x16 red keycard
38 20x16 red skull key
39 20x16 yellow skull key
40 20x16 blue skull key
[decoration]
10 20x16 bloody mess
12 20x16 bloody mess 2
15 20x16 dead player
18 20x16 dead zombieman
19 20x16 dead shotgun guy
20 20x16 dead imp
21 20x16 dead demon
22 20x16 dead cacodemon
23 20x16 dead lost soul
24 20x16 pool of blood and flesh
34 20x16 candle
[decoration solid]
25 16x16 impaled human
26 16x16 twitching impaled human
27 16x16 skull on a pole
28 16x16 five skulls
29 16x16 pile of skulls and candles
30 16x16 tall green pillar
31 16x16 short green pillar
32 16x16 tall red pillar
33 16x16 short red pillar
35 16x16 candelabra
36 16x16 pillar with a beating heart
37 16x16 pillar with a skull
41 16x16 evil eye
42 16x16 floating skull
43 16x16 burnt tree
44 16x16 tall blue firestick
45 16x16 tall green firestick
46 16x16 tall red firestick
47 16x16 brown stump
48 16x16 tall techno column
54 32x16 large brown tree
55 16x16 short blue firestick
56 16x16 short green firestick
57 16x16 short red firestick
2028 16x16 floor lamp
2035 10x42 barrel
[decoration solid doom2]
70 16x16 burning barrel
85 16x16 tall techno floor lamp
86 16x16 short techno floor lamp
[decoration solid hangs]
49 16x68 hanging victim, twitching
50 16x84 hanging victim, arms out
51 16x84 hanging victim, one-legged
52 16x68 hanging pair of legs
53 16x52 hanging leg
[decoration solid hangs doom2]
73 16x88 hanging victim, guts removed
74 16x88 hanging victim, guts and brain removed
75 16x64 hanging torso, looking down
76 16x64 hanging torso, open skull
77 16x64 hanging torso, looking up
78 16x64 hanging torso, brain removed
[decoration hangs]
59 20x84 hanging victim, arms out
60 20x68 hanging pair of legs
61 20x52 hanging victim, one-legged
62 20x52 hanging leg
63 20x68 hanging victim, twitching
[decoration doom2]
79 20x16 pool of blood
80 20x16 pool of blood 2
81 20x16 pool of brains
"""
