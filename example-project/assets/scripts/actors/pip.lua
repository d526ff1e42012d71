-- Pip, the frog. Numbers are in tables/physics.json, pictures in tables/animations.json.
local physics = read_json("tables/physics.json")
local animation = require_animation("pip")

local Pip = {}
Pip.__index = Pip

function Pip.new(x, y)
  return setmetatable({ x = x, y = y, vx = 0, vy = 0, hearts = 3, grace = 0 }, Pip)
end

function Pip:update(seconds, world)
  local wish = (held("right") and 1 or 0) - (held("left") and 1 or 0)
  self.vx = approach(self.vx, wish * physics.run_speed, physics.run_gain * seconds)
  self.vy = math.min(self.vy + physics.gravity * seconds, physics.fall_speed)

  -- Coyote time: a jump counts for a moment after the edge.
  self.grace = on_ground(self) and physics.coyote_seconds or self.grace - seconds
  if pressed("jump") and self.grace > 0 then
    self.vy, self.grace = -physics.jump_speed, 0
    sound("sounds/jump.wav")
  end

  move(self, seconds)
  if touches(self, "lantern") then world.light_lantern() end
end

function Pip:hurt()
  self.hearts = self.hearts - 1
  self.vy = -physics.jump_speed / 2
  sound("sounds/hurt.wav")
end

function Pip:draw()
  local pose = on_ground(self) and (self.vx ~= 0 and "hop" or "idle") or (self.vy < 0 and "leap" or "fall")
  draw_frame(animation[pose], self.x, self.y, { mirrored = self.vx < 0 })
end

return Pip
