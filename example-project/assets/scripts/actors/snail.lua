-- A snail goes to and fro. It is no danger from above.
local Snail = {}
Snail.__index = Snail

function Snail.new(x, y)
  return setmetatable({ x = x, y = y, vx = -8 }, Snail)
end

function Snail:update(seconds, world)
  if at_edge(self) or at_wall(self) then self.vx = -self.vx end
  move(self, seconds)
  local pip = touching_player(self)
  if pip and pip.vy <= 0 then pip:hurt() end
end

function Snail:draw()
  draw_animation("snail", self.x, self.y, { mirrored = self.vx < 0 })
end

return Snail
