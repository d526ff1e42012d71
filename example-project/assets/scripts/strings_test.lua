-- Run by `lua assets/scripts/strings_test.lua`; in no archive.
function read_json() return { title = "Pip" } end
local strings = dofile("assets/scripts/strings.lua")

strings.load("text/en.json")
assert(strings.get("title") == "Pip")
assert(strings.get("nothing") == "<nothing>", "a missing text shows its key")
