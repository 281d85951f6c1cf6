-- commit: puts the limits in force that stage.lua has written, at one moment.
--
-- KEYS[1]  the configuration; see config.lua        KEYS[2]  its copy        KEYS[3]  a name for the old configuration
-- ARGV     the number of changes of limits when they were read ('' for none), 1 if time is virtual, when the limits come into
--          force, a digest of what changes
-- reply    the number of changes of limits, or 0 if another process has changed limits since; then nothing was changed

-- include changed

local call = redis.call
-- A copy that took too long has expired.
if (call('HGET', KEYS[1], 'limits') or '') ~= ARGV[1] or call('PERSIST', KEYS[2]) == 0 then
  call('DEL', KEYS[2])
  return '0'
end
local epoch = call('HGET', KEYS[1], 'epoch')
if epoch then
  call('HSET', KEYS[2], 'epoch', epoch)
  if ARGV[1] ~= '' then
    call('HSET', KEYS[2], 'limits', ARGV[1])
  end
  -- Freeing thousands of texts takes a while, so a background thread of Redis does it.
  call('RENAME', KEYS[1], KEYS[3])
  call('UNLINK', KEYS[3])
end
if ARGV[2] == '1' then
  call('PEXPIRE', KEYS[2], 3600000)
end
call('RENAME', KEYS[2], KEYS[1])
changed(KEYS[1])
local count = call('HGET', KEYS[1], 'limits')
-- A process that would have made the same changes need not read them.
call('HSET', KEYS[1], 'enforced', table.concat({ARGV[1], count, ARGV[3], ARGV[4]}, ' '))
return count
