-- stage: gets a piece of many limits ready, which commit.lua puts in force: one script for all of them would keep everybody waiting.
--
-- KEYS[1]  the configuration; see config.lua        KEYS[2]  what it is to become: a copy of it, made with the first piece
-- ARGV     how often limits had changed when they were read ('' for never), the time in microseconds ('' for now),
--          1 for the first piece, and for each limiter its field and the text it gets, in which @ is replaced by the time
-- reply    the time, for the next piece; '' if limits have changed since

local call = redis.call
if (call('HGET', KEYS[1], 'limits') or '') ~= ARGV[1] then
  call('DEL', KEYS[2])
  return ''
end
local now = ARGV[2]
if now == '' then
  local time = call('TIME')
  now = string.format('%.0f', time[1] * 1000000 + time[2])
end
if ARGV[3] == '1' then
  call('COPY', KEYS[1], KEYS[2])
end
local fields = {}
for i = 4, #ARGV, 2 do
  fields[#fields + 1] = ARGV[i]
  fields[#fields + 1] = string.gsub(ARGV[i + 1], '@', now)
end
call('HSET', KEYS[2], unpack(fields))
call('PEXPIRE', KEYS[2], 10000)
return now
