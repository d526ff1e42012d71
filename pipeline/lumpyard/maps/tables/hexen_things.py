"""The things of Hexen."""

HEXEN = """
[start solid]
1 16x64 player 1 start
2 16x64 player 2 start
3 16x64 player 3 start
4 16x64 player 4 start
9100 16x64 player 5 start
9101 16x64 player 6 start
9102 16x64 player 7 start
9103 16x64 player 8 start
[deathmatch solid]
11 16x64 deathmatch start
[teleport]
14 16x56 teleport destination
[monster solid]
31 32x64 green chaos serpent
34 20x55 reiver
107 20x64 centaur
114 22x65 dark bishop
115 20x64 slaughtaur
120 32x70 stalker leader
121 32x70 stalker
254 20x65 death wyvern
8020 22x75 wendigo
8080 32x64 brown chaos serpent
10030 25x68 ettin
10060 20x68 afrit
10080 40x110 heresiarch
10100 16x64 Zedek
10101 16x64 Traductus
10102 16x64 Menelkir
10200 65x115 Korax
[monster]
10011 20x68 buried reiver
[weapon]
10 20x16 serpent staff
53 20x16 frost shards
123 20x16 hammer of retribution
8009 20x16 firestorm
8010 20x16 timon's axe
8040 20x16 arc of death
12-13 20x16 quietus part
16 20x16 quietus part
18-20 20x16 wraithverge part
21-23 20x16 bloodscourge part
[ammo]
122 8x8 blue mana
124 8x8 green mana
8003 8x8 krater of might
8004 8x8 combined mana
[health]
32 20x16 mystic urn
81 20x16 crystal vial
82 20x16 quartz flask
10120 20x16 mystic ambit incant
[armor]
8005 20x16 mesh armor
8006 20x16 falcon shield
8007 20x16 platinum helm
8008 20x16 amulet of warding
8041 20x16 dragonskin bracers
[powerup]
30 20x16 porkalator
33 20x16 torch
36 20x16 chaos device
83 20x16 wings of wrath
84 20x16 icon of the defender
86 20x16 dark servant
8000 20x16 flechette
8002 20x16 boots of speed
10040 20x16 banishment device
10110 20x16 disc of repulsion
9002 20x16 Yorick's skull
9003-9006 20x16 puzzle gem
9007-9008 20x16 puzzle book
9009-9010 20x16 puzzle gem
9014 20x16 flame mask
9015-9017 20x16 glaive seal, holy relic, sigil of the magus
9018-9021 20x16 clock gear
[key]
8030 8x20 steel key
8031 8x20 cave key
8032 8x20 axe key
8033 8x20 fire key
8034 8x20 emerald key
8035 8x20 dungeon key
8036 8x20 silver key
8037 8x20 rusted key
8038 8x20 horn key
8039 8x20 swamp key
8200 8x20 castle key
[decoration solid]
5 10x62 winged statue
24 10x96 dead tree
25 15x128 tree
26 10x150 swamp tree, tall
27 10x120 swamp tree, short
28 12x20 burnt stump
29 12x20 bare stump
39-41 5x20 large mushroom
48 8x138 stalagmite pillar
49 8x48 large stalagmite
50 6x40 medium stalagmite
51 8x36 small stalagmite
61 10x92 impaled corpse
63-69 10x46 tombstone
72-73 14x108 tall gargoyle
74 14x62 short gargoyle
76 14x62 short gargoyle
78-79 15x180 large tree
80 22x100 gnarled tree
87 22x100 gnarled tree
93 8x66 large ice stalagmite
94 5x50 medium ice stalagmite
95 5x32 small ice stalagmite
96 5x8 tiny ice stalagmite
103 12x54 vase pillar
104-106 10x32 pottery
110 15x35 sitting corpse
116-117 10x64 twined torch
8042-8043 20x80 fire bull
8044-8048 14x108 tall gargoyle
8049-8052 14x62 short gargoyle
8060 5x10 brass brazier
8061 6x35 brass torch
8062 15x180 destructible tree
8064 16x72 suit of armor
8065 56x120 bell
8067 12x60 iron maiden
8068 11x130 evergreen tree
8069-8070 12x26 cauldron
8100 15x32 barrel
8101 8x24 shrub
8102 16x40 shrub
8103 8x72 bucket
8104 6x20 poison mushroom
9011 10x62 winged statue without a skull
9012 10x40 gem pedestal
[decoration solid hangs]
52 8x66 large stalactite
56 6x50 medium stalactite
57 8x40 small stalactite
71 6x75 hanging corpse
89 8x66 large ice stalactite
90 5x50 medium ice stalactite
91 4x32 small ice stalactite
92 4x8 tiny ice stalactite
108-109 11x95 lynched corpse
[decoration hangs]
17 20x60 chandelier
58 20x20 moss 1
59 20x24 moss 2
60 20x16 swamp vine
8063 20x60 chandelier, unlit
8071-8077 4x32 chain or its end
[decoration]
6-7 20x16 rock
9 20x16 rock
15 20x16 rock
37-38 20x16 swamp stump
42 20x16 small mushroom
44-47 20x16 small mushroom
54-55 20x16 wall torch
62 20x16 sleeping corpse
77 20x16 tattered banner
88 20x16 log
97-99 20x16 rock
100-102 20x16 rubble
111 20x16 pool of blood
119 20x16 candle
8066 20x16 blue candle
8500-8509 20x16 things on a table
10500-10503 15x30 flame
[effect]
112 20x16 flies
113 20x16 leaf spawner
118 32x2 bridge
140 20x16 teleport smoke
1400-1411 20x16 sound sequence
10000-10003 20x16 fog
10090-10091 20x16 spike
10225 20x16 bat spawner
[spot]
3000-3002 16x16 polyobject's anchor or start
9001 20x16 map spot
9013 20x16 map spot with gravity
"""
