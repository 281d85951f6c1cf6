-- config: replaces the text of a limiter, if no other process has changed it.
--
-- KEYS[1]  the configuration: a hash with a field for each limiter (HistoryText.java), and the counts of changes: epoch,
--          limits; enforced: the last change of many limits (commit.lua)
-- ARGV     the field, its present text ('' for none), its new text, in which @ stands for the time, the virtual time in
--          microseconds or ''
-- reply    the text after this script: not the new text if another process was faster

-- include changed

local found = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if found ~= ARGV[2] then
  return found
end
local now = ARGV[4]
if now == '' then
  local time = redis.call('TIME')
  now = string.format('%.0f', time[1] * 1000000 + time[2])
end
local text = string.gsub(ARGV[3], '@', now)
redis.call('HSET', KEYS[1], ARGV[1], text)
changed(KEYS[1])
if ARGV[4] ~= '' then
  redis.call('PEXPIRE', KEYS[1], 3600000)
end
return text
