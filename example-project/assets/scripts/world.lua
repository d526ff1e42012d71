-- One level: its tiles, its things, and whether Pip has lit all lanterns.
local actors = {
  P = require "scripts/actors/pip",
  s = require "scripts/actors/snail",
  b = require "scripts/actors/bat",
}

local world = { things = {}, lanterns = 0 }

function world.load(name)
  local level = read_level(name)
  world.level, world.things, world.lanterns = level, {}, 0
  for _, thing in ipairs(level.things) do
    local actor = actors[thing.kind]
    if actor then table.insert(world.things, actor.new(thing.x * 16, thing.y * 16)) end
    if thing.kind == "L" then world.lanterns = world.lanterns + 1 end
  end
end

function world.update(seconds)
  for _, thing in ipairs(world.things) do thing:update(seconds, world) end
end

function world.light_lantern()
  world.lanterns = world.lanterns - 1
  sound("sounds/lantern.wav")
  if world.lanterns == 0 then
    sound("sounds/win.wav")
    world.load(world.level.next)
  end
end

function world.draw()
  draw_tiles(world.level)
  for _, thing in ipairs(world.things) do thing:draw() end
end

return world
