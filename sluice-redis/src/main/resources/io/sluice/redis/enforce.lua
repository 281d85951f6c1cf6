-- enforce: puts a few limits in force at one moment; stage.lua and commit.lua do it for many.
--
-- KEYS[1]  the configuration; see config.lua
-- ARGV[1]  the virtual time in microseconds or ''
-- ARGV[2]  how many versions of a limiter are kept
-- ARGV[3…] for each limiter: its field, the version that the process knows (0 for none), the revision, the limit
-- reply    for each limiter its text after this script
--
-- A limit replaces another one, unless the other one has a higher revision.

-- include changed

local call = redis.call
local now = ARGV[1]
if now == '' then
  local time = call('TIME')
  now = string.format('%.0f', time[1] * 1000000 + time[2])
end
local most = tonumber(ARGV[2])

local any = false
local texts = {}
for i = 3, #ARGV, 4 do
  local field, known, revision, limit = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2]), ARGV[i + 3]
  local text = call('HGET', KEYS[1], field)
  local line = nil
  if text then
    local before, last = string.match(text, '^(.*\n)([^\n]*)$')
    before, last = before or '', last or text
    local version, since, stored, in_force = string.match(last, '^(%d+) (%d+) (%d+) (.*)$')
    version, stored = tonumber(version), tonumber(stored)
    if revision >= stored and in_force ~= limit then
      line = string.format('%.0f %s %.0f %s', math.max(version, known) + 1, now, revision, limit)
      text = text .. '\n'
      local _, lines = string.gsub(text, '\n', '')
      while lines >= most do
        text = string.gsub(text, '^[^\n]*\n', '', 1)
        lines = lines - 1
      end
    elseif revision > stored then
      line = string.format('%.0f %s %.0f %s', version, since, revision, in_force)
      text = before
    end
  else
    text = ''
    line = string.format('%.0f %s %.0f %s', known + 1, now, revision, limit)
  end
  if line then
    text = text .. line
    call('HSET', KEYS[1], field, text)
    any = true
  end
  texts[#texts + 1] = text
end
if any then
  changed(KEYS[1])
  if ARGV[1] ~= '' then
    call('PEXPIRE', KEYS[1], 3600000)
  end
end
return texts
