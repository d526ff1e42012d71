-- A bat sleeps until Pip is near, then swoops along a parabola.
local Bat = {}
Bat.__index = Bat

function Bat.new(x, y)
  return setmetatable({ x = x, y = y, home = y, time = nil }, Bat)
end

function Bat:update(seconds, world)
  if not self.time and distance_to_player(self) < 72 then self.time = 0 end
  if not self.time then return end
  self.time = self.time + seconds
  self.x = self.x - 60 * seconds
  self.y = self.home + 96 * self.time * (1.6 - self.time)
  local pip = touching_player(self)
  if pip then pip:hurt() end
end

function Bat:draw()
  draw_animation("bat", self.x, self.y)
end

return Bat
