-- ready: notes for which edition of a publication a process is ready, and says whether all processes are.
--
-- KEYS[1]  the processes that follow the publication: a hash, by process the edition for which it is ready
-- KEYS[2]  the live processes; see heartbeat.lua        KEYS[3]  the configuration; see config.lua
-- ARGV     the id of the process, the edition
-- reply    the number of changes of limits, if all live processes that follow the publication are ready; else empty

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
call('HSET', KEYS[1], ARGV[1], ARGV[2])
call('PEXPIRE', KEYS[1], 3600000)
local all = call('HGETALL', KEYS[1])
local ready = call('HGET', KEYS[3], 'limits') or '0'
for i = 1, #all, 2 do
  if tonumber(all[i + 1]) < tonumber(ARGV[2]) then
    local until_when = call('ZSCORE', KEYS[2], all[i])
    if until_when and tonumber(until_when) > now then
      ready = ''
    else
      call('HDEL', KEYS[1], all[i])
    end
  end
end
return ready
