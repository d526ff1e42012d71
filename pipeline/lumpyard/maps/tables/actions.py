"""What an action of Hexen's kind does (lines and things of Hexen's format, UDMF but in Doom's namespaces).

A row: number, name, and what its arguments are, a letter each: t tag of sectors, i thing id, l line id, k lock,
p polyobject, s script, m map, - anything else. Tag 0 in a `t` is the sector behind the line.

Source: Hexen's own list of actions; the ZDoom wiki, "Action specials".
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.tables.games import ZDOOM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_HEXEN = """
1 Polyobj_StartLine pp---       2 Polyobj_RotateLeft p----      3 Polyobj_RotateRight p----
4 Polyobj_Move p----            5 Polyobj_ExplicitLine p----    6 Polyobj_MoveTimes8 p----
7 Polyobj_DoorSwing p----       8 Polyobj_DoorSlide p----       10 Door_Close t----
11 Door_Open t----              12 Door_Raise t----             13 Door_LockedRaise t--k-
20 Floor_LowerByValue t----     21 Floor_LowerToLowest t----    22 Floor_LowerToNearest t----
23 Floor_RaiseByValue t----     24 Floor_RaiseToHighest t----   25 Floor_RaiseToNearest t----
26 Stairs_BuildDown t----       27 Stairs_BuildUp t----         28 Floor_RaiseAndCrush t----
29 Pillar_Build t----           30 Pillar_Open t----            31 Stairs_BuildDownSync t----
32 Stairs_BuildUpSync t----     35 Floor_RaiseByValueTimes8 t----
36 Floor_LowerByValueTimes8 t----                               40 Ceiling_LowerByValue t----
41 Ceiling_RaiseByValue t----   42 Ceiling_CrushAndRaise t----  43 Ceiling_LowerAndCrush t----
44 Ceiling_CrushStop t----      45 Ceiling_CrushRaiseAndStay t----
46 Floor_CrushStop t----        60 Plat_PerpetualRaise t----    61 Plat_Stop t----
62 Plat_DownWaitUpStay t----    63 Plat_DownByValue t----       64 Plat_UpWaitDownStay t----
65 Plat_UpByValue t----         66 Floor_LowerInstant t----     67 Floor_RaiseInstant t----
68 Floor_MoveToValueTimes8 t----                                69 Ceiling_MoveToValueTimes8 t----
70 Teleport it---               71 Teleport_NoFog i-t--         72 ThrustThing -----
73 DamageThing -----            74 Teleport_NewMap m----        75 Teleport_EndGame -----
80 ACS_Execute sm---            81 ACS_Suspend sm---            82 ACS_Terminate sm---
83 ACS_LockedExecute sm--k      90 Polyobj_OR_RotateLeft p----  91 Polyobj_OR_RotateRight p----
92 Polyobj_OR_Move p----        93 Polyobj_OR_MoveTimes8 p----  94 Pillar_BuildAndCrush t----
95 FloorAndCeiling_LowerByValue t----                           96 FloorAndCeiling_RaiseByValue t----
100 Scroll_Texture_Left -----   101 Scroll_Texture_Right -----  102 Scroll_Texture_Up -----
103 Scroll_Texture_Down -----   109 Light_ForceLightning -----  110 Light_RaiseByValue t----
111 Light_LowerByValue t----    112 Light_ChangeToValue t----   113 Light_Fade t----
114 Light_Glow t----            115 Light_Flicker t----         116 Light_Strobe t----
120 Radius_Quake -----          121 Line_SetIdentification l---- 129 UsePuzzleItem -s---
130 Thing_Activate i----        131 Thing_Deactivate i----      132 Thing_Remove i----
133 Thing_Destroy i----         134 Thing_Projectile i----      135 Thing_Spawn i----
136 Thing_ProjectileGravity i----                               137 Thing_SpawnNoFog i----
138 Floor_Waggle t----          140 Sector_ChangeSound t----
"""

_ZDOOM = """
9 Line_Horizon -----            14 Door_Animated t--k-          15 Autosave -----
16 Transfer_WallLight l----     17 Thing_Raise i----            18 StartConversation i----
19 Thing_Stop i----             33 ForceField -----             34 ClearForceField t----
37 Floor_MoveToValue t----      38 Ceiling_Waggle t----         39 Teleport_ZombieChanger it---
47 Ceiling_MoveToValue t----    48 Sector_Attach3dMidtex -t---  49 GlassBreak -----
50 ExtraFloor_LightOnly t----   51 Sector_SetLink -t---         52 Scroll_Wall l----
53 Line_SetTextureOffset l----  54 Sector_ChangeFlags t----     55 Line_SetBlocking l----
56 Line_SetTextureScale l----   57 Sector_SetPortal t----       58 Sector_CopyScroller t----
59 Polyobj_OR_MoveToSpot p----  76 TeleportOther ii---          77 TeleportGroup -ii--
78 TeleportInSector tii--       79 Thing_SetConversation i----  84 ACS_ExecuteWithResult s----
85 ACS_LockedExecuteDoor sm--k  86 Polyobj_MoveToSpot p----     87 Polyobj_Stop p----
88 Polyobj_MoveTo p----         89 Polyobj_OR_MoveTo p----      97 Ceiling_LowerAndCrushDist t----
98 Sector_SetTranslucent t----  99 Floor_RaiseAndCrushDoom t----
104 Ceiling_CrushAndRaiseSilentDist t----                       105 Door_WaitRaise t----
106 Door_WaitClose t----        107 Line_SetPortalTarget ll---  117 Light_Stop t----
118 Plane_Copy tttt-            119 Thing_Damage i----          125 Thing_Move i----
127 Thing_SetSpecial i----      128 ThrustThingZ -----          139 Thing_SpawnFacing i----
150 Line_SetHealth -----        151 Sector_SetHealth t----      154 Teleport_NoStop it---
156 Line_SetPortal l----        157 SetGlobalFogParameter ----- 158 FS_Execute -----
159 Sector_SetPlaneReflection t----                             160 Sector_Set3DFloor t----
161 Sector_SetContents -----    168 Ceiling_CrushAndRaiseDist t----
169 Generic_Crusher2 t----      170 Sector_SetCeilingScale2 t---- 171 Sector_SetFloorScale2 t----
172 Plat_UpNearestWaitDownStay t----                            173 NoiseAlert -----
174 SendToCommunicator -----    175 Thing_ProjectileIntercept i---- 176 Thing_ChangeTID i----
177 Thing_Hate i----            178 Thing_ProjectileAimed i---- 179 ChangeSkill -----
180 Thing_SetTranslation i----  181 Plane_Align -----           182 Line_Mirror -----
183 Line_AlignCeiling l----     184 Line_AlignFloor l----       185 Sector_SetRotation t----
186 Sector_SetCeilingPanning t---- 187 Sector_SetFloorPanning t---- 188 Sector_SetCeilingScale t----
189 Sector_SetFloorScale t----  190 Static_Init t----           191 SetPlayerProperty -----
192 Ceiling_LowerToHighestFloor t----                           193 Ceiling_LowerInstant t----
194 Ceiling_RaiseInstant t----  195 Ceiling_CrushRaiseAndStayA t----
196 Ceiling_CrushAndRaiseA t----                                197 Ceiling_CrushAndRaiseSilentA t----
198 Ceiling_RaiseByValueTimes8 t----                            199 Ceiling_LowerByValueTimes8 t----
200 Generic_Floor t----         201 Generic_Ceiling t----       202 Generic_Door t---k
203 Generic_Lift t----          204 Generic_Stairs t----        205 Generic_Crusher t----
206 Plat_DownWaitUpStayLip t---- 207 Plat_PerpetualRaiseLip t---- 208 TranslucentLine l----
209 Transfer_Heights t----      210 Transfer_FloorLight t----   211 Transfer_CeilingLight t----
212 Sector_SetColor t----       213 Sector_SetFade t----        214 Sector_SetDamage t----
215 Teleport_Line -l---         216 Sector_SetGravity t----     217 Stairs_BuildUpDoom t----
218 Sector_SetWind t----        219 Sector_SetFriction t----    220 Sector_SetCurrent t----
221 Scroll_Texture_Both l----   222 Scroll_Texture_Model l----  223 Scroll_Floor t----
224 Scroll_Ceiling t----        225 Scroll_Texture_Offsets -----
226 ACS_ExecuteAlways sm---     227 PointPush_SetForce ti---    228 Plat_RaiseAndStayTx0 t----
229 Thing_SetGoal i----         230 Plat_UpByValueStayTx t----  231 Plat_ToggleCeiling t----
232 Light_StrobeDoom t----      233 Light_MinNeighbor t----     234 Light_MaxNeighbor t----
235 Floor_TransferTrigger t---- 236 Floor_TransferNumeric t---- 237 ChangeCamera i----
238 Floor_RaiseToLowestCeiling t----                            239 Floor_RaiseByValueTxTy t----
240 Floor_RaiseByTexture t----  241 Floor_LowerToLowestTxTy t---- 242 Floor_LowerToHighest t----
243 Exit_Normal -----           244 Exit_Secret -----           245 Elevator_RaiseToNearest t----
246 Elevator_MoveToFloor t----  247 Elevator_LowerToNearest t---- 248 HealThing -----
249 Door_CloseWaitOpen t----    250 Floor_Donut t----           251 FloorAndCeiling_LowerRaise t----
252 Ceiling_RaiseToNearest t---- 253 Ceiling_LowerToLowest t---- 254 Ceiling_LowerToFloor t----
255 Ceiling_CrushRaiseAndStaySilA t----                         256 Floor_LowerToHighestEE t----
257 Floor_RaiseToLowest t----   258 Floor_LowerToLowestCeiling t---- 259 Floor_RaiseToCeiling t----
260 Floor_ToCeilingInstant t---- 261 Floor_LowerByTexture t---- 262 Ceiling_RaiseToHighest t----
263 Ceiling_ToHighestInstant t---- 264 Ceiling_LowerToNearest t---- 265 Ceiling_RaiseToLowest t----
266 Ceiling_RaiseToHighestFloor t---- 267 Ceiling_ToFloorInstant t---- 268 Ceiling_RaiseByTexture t----
269 Ceiling_LowerByTexture t---- 270 Stairs_BuildDownDoom t---- 271 Stairs_BuildUpDoomSync t----
272 Stairs_BuildDownDoomSync t---- 273 Stairs_BuildUpDoomCrush t---- 274 Door_AnimatedClose t----
275 Floor_Stop t----            276 Ceiling_Stop t----          277 Sector_SetFloorGlow t----
278 Sector_SetCeilingGlow t---- 279 Floor_MoveToValueAndCrush t---- 280 Ceiling_MoveToValueAndCrush t----
281 Line_SetAutomapFlags l----  282 Line_SetAutomapStyle l----  283 Polyobj_StopSound p----
"""

_KINDS = (  # by the start of the name; the first that fits
    ("Door_", "door"), ("Generic_Door", "door"), ("Floor", "floor"), ("Generic_Floor", "floor"),
    ("Plat_", "platform"), ("Generic_Lift", "platform"), ("Ceiling_Crush", "crusher"), ("Ceiling_", "ceiling"),
    ("Generic_Ceiling", "ceiling"), ("Generic_Crusher", "crusher"), ("Stairs_", "stairs"),
    ("Generic_Stairs", "stairs"), ("Elevator_", "elevator"), ("Light_", "light"), ("Exit_Normal", "exit"),
    ("Exit_Secret", "secret"), ("Teleport_NewMap", "exit"), ("Teleport_EndGame", "exit"),
    ("Teleport_Line", "line-teleport"), ("Teleport", "teleport"), ("ACS_", "script"), ("Scroll_", "scroll"),
    ("Polyobj_", "polyobject"), ("TranslucentLine", "translucent"),
)  # fmt: skip
_ALONE = frozenset({"TeleportGroup", "TeleportOther", "TeleportInSector", "Teleport_ZombieChanger"})


class Action(NamedTuple):
    """One row of the table."""

    number: int
    name: str
    kind: str  # as of `line_types`, or "other"
    args: str  # five letters


@cache
def actions(target: str) -> Mapping[int, Action]:
    """All actions that a target knows, by number."""
    texts = (_HEXEN, _ZDOOM) if target == ZDOOM else (_HEXEN,)
    return {action.number: action for text in texts for action in _parse(text)}


def _parse(text: str) -> Iterator[Action]:
    words = text.split()
    for number, name, args in zip(words[::3], words[1::3], words[2::3], strict=True):
        yield Action(int(number), name, _kind(name), args)


def _kind(name: str) -> str:
    if name in _ALONE:
        return "other"
    return next((kind for start, kind in _KINDS if name.startswith(start)), "other")
