-- publish: publishes a new edition of a text that all processes share.
--
-- KEYS[1]  the configuration; see config.lua
-- KEYS[2]  the publication: a hash with a field for each edition that is kept, and current, which is the latest one;
--          each is: number, newline, microseconds, newline, text
-- ARGV     the text, the number of the edition that it replaces (0 for none), the virtual time in microseconds or '', how many
--          editions are kept; to write a lost edition again, also its number and its microseconds
-- reply    the latest edition after this script: not the new text if another process was faster

local call = redis.call
local current = call('HGET', KEYS[2], 'current')
local latest = current and tonumber(string.match(current, '^%d+')) or 0
local number, now = latest + 1, ARGV[3]
if #ARGV > 4 then
  number, now = tonumber(ARGV[5]), ARGV[6]
  if latest >= number then
    return current
  end
elseif latest ~= tonumber(ARGV[2]) then
  return current or ''
end
if now == '' then
  local time = call('TIME')
  now = string.format('%.0f', time[1] * 1000000 + time[2])
end
local edition = string.format('%.0f\n%s\n', number, now) .. ARGV[1]
-- First the command that the ACL may forbid: if it fails, nothing was changed.
call('HDEL', KEYS[2], string.format('%.0f', number - tonumber(ARGV[4])))
call('HSET', KEYS[2], 'current', edition, string.format('%.0f', number), edition)
if call('HINCRBY', KEYS[1], 'epoch', 1) == 1 then
  call('HSET', KEYS[1], 'epoch', call('TIME')[1] .. '000000')
end
if ARGV[3] ~= '' then
  call('PEXPIRE', KEYS[1], 3600000)
  call('PEXPIRE', KEYS[2], 3600000)
end
return edition
