-- stage: writes some of many new limits to a copy of the configuration, which commit.lua puts in force. One script for all
-- limits would block Redis for too long.
--
-- KEYS[1]  the configuration; see config.lua        KEYS[2]  its copy
-- ARGV     the number of changes of limits when they were read ('' for none), the number of fields that do not change, those
--          fields, and for each other limiter its field and its new text
-- reply    1, or 0 if limits have changed since

local call = redis.call
if (call('HGET', KEYS[1], 'limits') or '') ~= ARGV[1] then
  call('DEL', KEYS[2])
  return '0'
end
local stay = tonumber(ARGV[2])
local fields = {unpack(ARGV, 3 + stay)}
if stay > 0 then
  local texts = call('HMGET', KEYS[1], unpack(ARGV, 3, 2 + stay))
  for i = 1, stay do
    fields[#fields + 1] = ARGV[2 + i]
    fields[#fields + 1] = texts[i]
  end
end
call('HSET', KEYS[2], unpack(fields))
call('PEXPIRE', KEYS[2], 10000)
return '1'
