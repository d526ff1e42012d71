-- Starts the game, and hands each frame to the world or to the menu.
local world = require "scripts/world"
local strings = require "scripts/strings"

local screen = "title"

function start(language)
  strings.load("text/" .. language .. ".json")
  music("music/meadow.wav", { loop = true })
end

function update(seconds)
  if screen == "title" then
    if pressed("jump") then
      sound("sounds/croak.wav")
      world.load("levels/01-meadow.level")
      screen = "world"
    end
  else
    world.update(seconds)
  end
end

function draw()
  if screen == "title" then
    picture("textures/backgrounds/meadow.png", 0, 0)
    print_centered(strings.get("title"), 48)
    print_centered(strings.get("press_jump"), 96)
  else
    world.draw()
  end
end
