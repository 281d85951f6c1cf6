-- stage: writes some of many new limits to a copy of the configuration, which commit.lua puts in force. One script for all
-- limits would block Redis for too long.
--
-- KEYS[1]  the configuration; see config.lua        KEYS[2]  its copy
-- ARGV[1]  the number of changes of limits when they were read ('' for none)
-- ARGV[2]  how many versions of a limiter are kept
-- ARGV[3]  the number of fields that do not change
-- ARGV[4…] those fields, and for each other limiter: its field, the beginning of its last line ('' if it has no text), how its
--          text changes, its new last line.
--          How: add (behind the last line), trim (add, and remove the oldest lines that are too many), replace (the last line)
-- reply    1, or 0 if limits have changed since, or a last line is another one

local call, find = redis.call, string.find

local function is_last(text, start)
  if start == '' or not text then
    return start == '' and not text
  end
  local at = find(text, '\n' .. start, -300, true) or find(text, '\n' .. start, 1, true)
  if at then
    return not find(text, '\n', at + 1, true)
  end
  return string.sub(text, 1, #start) == start and not find(text, '\n', 1, true)
end

if (call('HGET', KEYS[1], 'limits') or '') ~= ARGV[1] then
  call('DEL', KEYS[2])
  return '0'
end
local most, stay = tonumber(ARGV[2]), tonumber(ARGV[3])
local names = {unpack(ARGV, 4, 3 + stay)}
for i = 4 + stay, #ARGV, 4 do
  names[#names + 1] = ARGV[i]
end
local texts = call('HMGET', KEYS[1], unpack(names))
local fields = {}
for i = 1, #names do
  local text = texts[i]
  if i > stay then
    local at = 4 + stay + 4 * (i - stay - 1)
    local last, how, line = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
    if not is_last(text, last) then
      call('DEL', KEYS[2])
      return '0'
    end
    if how == 'replace' then
      text = (string.match(text, '^(.*\n)[^\n]*$') or '') .. line
    else
      text = text and text .. '\n' .. line or line
    end
    if how == 'trim' then
      local _, ends = string.gsub(text, '\n', '')
      for _ = most, ends do
        text = string.gsub(text, '^[^\n]*\n', '', 1)
      end
    end
  end
  fields[2 * i - 1] = names[i]
  fields[2 * i] = text
end
call('HSET', KEYS[2], unpack(fields))
call('PEXPIRE', KEYS[2], 10000)
return '1'
