-- The stored state of a key: B format, B count, I4 version of its limits, then a block for each limit. In FORMAT_MORE, after the
-- version follows B, the sum of: WITH_PAUSE (a block has a pause, which older releases cannot read); OWN_LIMIT (the key's own
-- limit, which came with a request, follows as in terms.lua; then the version is CALL_LIMIT_VERSION); NEWER_BLOCK (a block has
-- flag 64 or one of the kinds CALENDAR and WARM_UP, which the first releases cannot read); WITH_HOLDS (a block has the kind
-- CONCURRENCY, which came later still).
--
-- block  B flags (0: fresh, nothing follows), B kind, I7 the time of the latest change, the state of the algorithm;
--        flag 2: I7 when the lockout ends; flag 4: I6 life, I4 give-backs so far; flag 8: B count, then for each
--        I4 its number, I7 time, and the use that was left then, as a state of the algorithm; flag 16: I7 permits that
--        are held until all charges of a request are decided, I7 until when at most; flag 32: I7 when the pause ends;
--        flag 64: B how many times the next lockout is doubled (then there is flag 2 too)
--
-- A limit that counts nothing (unlimited, blocked) has a block only while its key is paused.
--
-- A lockout or a pause may end after 2^53. So s.lock and s.pause are the time of the end minus 2^53 (read_end).
--
-- A key that was forgotten and is used again has another life. A life begins with the first reservation.

local function rest_until(ends, t)
  return ends and ends > t - EXACT and ends + (EXACT - t) or 0
end

-- How long the escalation of a lockout is still remembered.
local function escalated_rest(s, t)
  return (s.doubled or 0) > 0 and rest_until(s.lock + FORGET, t) or 0
end

local function fresh(k)
  local s = { last = 0 }
  if k.m then
    k.m.fresh(s)
  end
  return s
end

local function read_block(text, pos)
  local flags, kind
  flags, pos = read('B', text, pos)
  if flags == 0 then
    return nil, pos
  end
  local s = {}
  kind, s.last, pos = read('>BI7', text, pos)
  s.kind = kind
  local m = module_of(kind)
  if m then
    pos = m.read(s, text, pos)
  end
  if flags > 1 then
    if flags % 4 >= 2 then
      s.lock, pos = read_end(text, pos)
    end
    if flags % 8 >= 4 then
      s.life, s.seq, pos = read('>I6I4', text, pos)
    end
    if flags % 16 >= 8 then
      local count
      s.notes = {}
      count, pos = read('B', text, pos)
      for i = 1, count do
        local note = {}
        note.seq, note.last, pos = read('>I4I7', text, pos)
        pos = m.read(note, text, pos)
        s.notes[i] = note
      end
    end
    if flags % 32 >= 16 then
      s.held, s.held_until, pos = read('>I7I7', text, pos)
    end
    if flags % 64 >= 32 then
      s.pause, pos = read_end(text, pos)
    end
    if flags >= 64 then
      s.doubled, pos = read('B', text, pos)
    end
  end
  return s, pos
end

local function write_block(k, s, expire_at)
  local escalated = escalated_rest(s, s.last) > 0
  local locked = escalated or rest_until(s.lock, s.last) > 0
  local notes = s.notes and #s.notes > 0
  local holds = (s.held or 0) > 0
  local paused = rest_until(s.pause, s.last) > 0
  local flags = 1 + (locked and 2 or 0) + (s.life and 4 or 0) + (notes and 8 or 0) + (holds and 16 or 0)
      + (paused and 32 or 0) + (escalated and 64 or 0)
  local block = pack('>BBI7', flags, k.kind, s.last) .. (k.m and k.m.write(k, s, expire_at) or '')
  if flags == 1 then
    return block
  end
  local parts = { block }
  if locked then
    parts[#parts + 1] = write_end(s.lock)
  end
  if s.life then
    parts[#parts + 1] = pack('>I6I4', s.life, s.seq)
  end
  if notes then
    parts[#parts + 1] = pack('B', #s.notes)
    for _, note in ipairs(s.notes) do
      parts[#parts + 1] = pack('>I4I7', note.seq, note.last) .. k.m.write(k, note)
    end
  end
  if holds then
    parts[#parts + 1] = pack('>I7I7', s.held, s.held_until)
  end
  if paused then
    parts[#parts + 1] = write_end(s.pause)
  end
  if escalated then
    parts[#parts + 1] = pack('B', s.doubled)
  end
  return concat(parts)
end

-- How long a lockout or a pause still denies all requests.
local function lock_rest(s, t)
  local rest = rest_until(s.lock, t)
  return s.pause and max(rest, rest_until(s.pause, t)) or rest
end

-- Brings a state to the present. Time never goes back within a key.
local function arrive(k, s, now)
  local t = now > s.last and now or s.last
  if s.at ~= t then
    if k.m then
      k.m.arrive(k, s, t)
    end
    s.at = t
  end
  return t
end

local function is_void(k, s)
  return (not k.m or k.m.void(s)) and lock_rest(s, s.last) == 0 and escalated_rest(s, s.last) == 0
end

local converts, convert_block

local function load_conversion()
  if not converts then
    -- include convert
    converts, convert_block = conversion()
  end
end

-- Converts blocks of an older version of the limits to the version in force.
local function upgrade(...)
  load_conversion()
  return converts(...)
end

-- Converts a block of one limit to another limit, as of now: that of a key, or that of a receipt of n permits. Returns a fresh
-- block if there is nothing to keep.
local function converted(old, s, k, now, n)
  load_conversion()
  local c = convert_block(old, s, k, now, n)
  return c and not is_void(k, c) and c or fresh(k)
end
