-- What is kept of a key: B format, B count, I4 version of its terms, then for each limit a block. Of format 2, the version is
-- followed by B what more there is: 1 (not used yet): I7 a time until which the key is paused; 2: the key's own limit,
-- which came with a request, as in terms.lua; then the version is 0.
--
-- block  B flags (0: fresh, nothing follows), B kind, I7 the time of the latest change, what the algorithm writes;
--        flag 2: I7 when the lockout ends; flag 4: I6 life, I4 give-backs so far; flag 8: B count, then for each
--        I4 its number, I7 time, and what was left then, as the algorithm writes it; flag 16: I7 permits that are only
--        held until all charges of a request are decided, I7 until when at the latest
--
-- The life tells a key from what it was before it was forgotten; it begins with the first reservation.

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
  pos = m.read(s, text, pos)
  if flags > 1 then
    if flags % 4 >= 2 then
      s.lock, pos = read('>I7', text, pos)
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
    if flags >= 16 then
      s.held, s.held_until, pos = read('>I7I7', text, pos)
    end
  end
  return s, pos
end

local function write_block(k, s, expire_at)
  local locked = s.lock and s.lock > s.last
  local notes = s.notes and #s.notes > 0
  local holds = (s.held or 0) > 0
  local flags = 1 + (locked and 2 or 0) + (s.life and 4 or 0) + (notes and 8 or 0) + (holds and 16 or 0)
  local block = pack('>BBI7', flags, k.kind, s.last) .. k.m.write(k, s, expire_at)
  if flags == 1 then
    return block
  end
  local parts = { block }
  if locked then
    parts[#parts + 1] = pack('>I7', s.lock)
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
  return concat(parts)
end

local function lock_rest(s, t)
  return s.lock and s.lock > t and s.lock - t or 0
end

-- Time never goes back within a key.
local function arrive(k, s, now)
  local t = now > s.last and now or s.last
  if s.at ~= t then
    k.m.arrive(k, s, t)
    s.at = t
  end
  return t
end

local function is_void(k, s)
  return not k.m or (k.m.void(s) and lock_rest(s, s.last) == 0)
end

local converts, convert_block

local function load_conversion()
  if not converts then
    -- include convert
    converts, convert_block = conversion()
  end
end

-- The blocks of an older version of the terms as blocks of the version in force.
local function upgrade(...)
  load_conversion()
  return converts(...)
end

-- A block of one limit as a block of another, as of now; a fresh one if there is nothing to keep.
local function converted(old, s, k, now)
  load_conversion()
  local c = convert_block(old, s, k, now)
  return c and not is_void(k, c) and c or fresh(k)
end
