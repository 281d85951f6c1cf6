-- tails: reads the newest lines of the texts of limiters. Texts have a line for each earlier change, and thousands of whole texts
-- are megabytes.
--
-- KEYS[1]  the configuration; see config.lua
-- ARGV     for each limiter: its field, the beginning of the line of the version that the process knows ('' for none)
-- reply    the number of changes of limits, and for each limiter the lines of its text from the known version on; the whole text
--          if it does not have that version

-- The known version is mostly the last one or the one before.
local NEAR_THE_END = -300

local find = string.find
local fields = {'limits'}
for i = 1, #ARGV, 2 do
  fields[#fields + 1] = ARGV[i]
end
local texts = redis.call('HMGET', KEYS[1], unpack(fields))
for i = 2, #fields do
  local text, known = texts[i], ARGV[2 * (i - 1)]
  if text and known ~= '' then
    local start = '\n' .. known
    local at = find(text, start, NEAR_THE_END, true) or find(text, start, 1, true)
    if at then
      texts[i] = string.sub(text, at + 1)
    end
  end
end
return texts
