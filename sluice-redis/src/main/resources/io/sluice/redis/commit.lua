-- commit: puts limits in force that stage.lua has got ready, all at one moment.
--
-- KEYS[1]  the configuration; see config.lua        KEYS[2]  what it is to become        KEYS[3]  where it goes to be deleted
-- ARGV     how often limits had changed when they were read ('' for never), whether time is virtual
-- reply    how often limits have changed by now; 0 if somebody else has changed them since: then nothing was done

-- include changed

local call = redis.call
-- What took too long to get ready is gone.
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
  -- To free thousands of texts takes a while, which another thread of Redis has.
  call('RENAME', KEYS[1], KEYS[3])
  call('UNLINK', KEYS[3])
end
if ARGV[2] == '1' then
  call('PEXPIRE', KEYS[2], 3600000)
end
call('RENAME', KEYS[2], KEYS[1])
changed(KEYS[1])
return call('HGET', KEYS[1], 'limits')
