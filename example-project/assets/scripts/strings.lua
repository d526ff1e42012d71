-- The text table of one language. What it lacks is shown by its key, so that nobody misses it.
local strings = { table = {} }

function strings.load(name)
  strings.table = read_json(name)
end

function strings.get(key)
  return strings.table[key] or ("<" .. key .. ">")
end

return strings
