-- config: replaces what is known of a limiter, if nobody else has.
--
-- KEYS[1]  the configuration: a hash, a field for each limiter, and epoch and limits, which count the changes
-- ARGV     field, the text it must have now ('' for none), the text it gets, in which @ is replaced by the time,
--          the time in microseconds if it is virtual, else ''
-- reply    the text it has afterwards: another than asked for if somebody else was faster

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
