-- The concurrency limit: at most so many permits are held at a time. A hold lapses if its holder does not renew it.
--
-- terms  a  how long a hold lasts after its latest renewal
-- stored I4 number of entries, the entries. An entry has 15 bytes: 8 bytes id of the hold, I7 when it lapses (as write_end). Entries are sorted
--        by the time at which they lapse, so a new or renewed hold is appended, and lapsed entries are at the front. An id is
--        random, so it is found as plain text, without reading the other entries.
-- state  text    the stored entries              drop    the position behind those that have lapsed for good
--        from    on arrival: the position of the first entry that is held          live    how many are held from there
--        cut     positions of entries that were given back since, or nil           added, more  entries since, and their number
--
-- Giving back and entering only note what changes. The text is put together once, when the key is written.

local function concurrency()
  local m = {}
  local ENTRY_SIZE = 15
  local find, sub = string.find, string.sub

  function m.fresh(s)
    s.text, s.drop, s.from, s.live = '', 1, 1, 0
    s.cut, s.added, s.more = nil, nil, 0
  end

  function m.void(s)
    if s.cut then
      return s.live + s.more == 0
    end
    return s.drop > #s.text and s.more == 0
  end

  function m.read(s, text, pos)
    local count
    count, pos = read('>I4', text, pos)
    m.fresh(s)
    s.text = sub(text, pos, pos + count * ENTRY_SIZE - 1)
    return pos + count * ENTRY_SIZE
  end

  -- When an entry lapses, minus 2^53 (read_end), as all such times here.
  local function lapse(text, at)
    return (read_end(text, at + 8))
  end

  -- The position of the first entry that lapses after t, from `at` on.
  local function first_after(text, at, t)
    if at > #text or lapse(text, at) > t then
      return at
    end
    local low, high = 0, (#text + 1 - at) / ENTRY_SIZE
    while low + 1 < high do
      local middle = math.floor((low + high) / 2)
      if lapse(text, at + middle * ENTRY_SIZE) > t then
        high = middle
      else
        low = middle
      end
    end
    return at + high * ENTRY_SIZE
  end

  -- Puts the text together, without what has lapsed for good.
  local function flat(s)
    if s.drop == 1 and not s.cut and s.more == 0 then
      return
    end
    local parts, at = {}, s.drop
    if s.cut then
      local positions = {}
      for position in pairs(s.cut) do
        positions[#positions + 1] = position
      end
      table.sort(positions)
      for _, position in ipairs(positions) do
        if position >= at then
          parts[#parts + 1] = sub(s.text, at, position - 1)
          at = position + ENTRY_SIZE
        end
      end
    end
    parts[#parts + 1] = sub(s.text, at)
    local kept = concat(parts)
    if s.more > 0 then
      local first = lapse(s.added[1], 1)
      local place = #kept > 0 and lapse(kept, #kept + 1 - ENTRY_SIZE) > first and 1 or #kept + 1
      if place <= #kept then
        -- Older holds last longer, because the limit has changed since.
        parts = {}
        for i = 1, s.more do
          local next_place = first_after(kept, place, lapse(s.added[i], 1))
          parts[#parts + 1] = sub(kept, place, next_place - 1)
          parts[#parts + 1] = s.added[i]
          place = next_place
        end
        parts[#parts + 1] = sub(kept, place)
        kept = concat(parts)
      else
        kept = kept .. concat(s.added, '', 1, s.more)
      end
    end
    s.text, s.drop, s.cut, s.added, s.more = kept, 1, nil, nil, 0
  end

  function m.arrive(_, s, t)
    flat(s)
    s.t = t
    s.from = first_after(s.text, 1, t - EXACT)
    s.live = (#s.text + 1 - s.from) / ENTRY_SIZE
  end

  local function changed(s, t)
    s.last = t
    s.drop = s.from
  end

  function m.settle(_, s, t)
    changed(s, t)
  end

  function m.use(_, s)
    return s.live + s.more
  end

  -- When the i-th of the holds lapses.
  local function nth(s, i)
    if not s.cut and i <= s.live then
      return lapse(s.text, s.from + (i - 1) * ENTRY_SIZE)
    elseif i > s.live then
      return lapse(s.added[i - s.live], 1)
    end
    local at = s.from
    while true do
      if not s.cut[at] then
        i = i - 1
        if i == 0 then
          return lapse(s.text, at)
        end
      end
      at = at + ENTRY_SIZE
    end
  end

  function m.wait(k, s, n)
    local over = s.live + s.more + n - k.cap
    return over <= 0 and 0 or over > s.live + s.more and EXACT or nth(s, over) + (EXACT - s.t)
  end

  m.due = m.wait

  function m.unused(_, s)
    local latest = s.t - EXACT
    if s.live > 0 then
      local at = #s.text + 1 - ENTRY_SIZE
      while s.cut and s.cut[at] do
        at = at - ENTRY_SIZE
      end
      latest = lapse(s.text, at)
    end
    if s.more > 0 then
      latest = max(latest, lapse(s.added[s.more], 1))
    end
    return latest + (EXACT - s.t)
  end

  -- The position of a hold in the text; nil if it is not held.
  local function position(s, id)
    if s.more > 0 then
      for i = s.more, 1, -1 do
        if sub(s.added[i], 1, 8) == id then
          changed(s, s.t)
          m.arrive(nil, s, s.t)
          break
        end
      end
    end
    local at = find(s.text, id, s.from, true)
    while at and (at - 1) % ENTRY_SIZE ~= 0 do
      at = find(s.text, id, at + 1, true)
    end
    return at and not (s.cut and s.cut[at]) and at or nil
  end

  function m.holds(s, id)
    return position(s, id) ~= nil
  end

  function m.enter(k, s, id, t)
    changed(s, t)
    s.added = s.added or {}
    local ends = t - EXACT + k.a
    s.more = s.more + 1
    s.added[s.more] = id .. write_end(ends)
    if s.live > 0 and lapse(s.text, #s.text + 1 - ENTRY_SIZE) > ends then
      m.arrive(nil, s, t)
    end
  end

  -- So many holds of one request. The last byte of their ids counts them.
  function m.enter_all(k, s, id, count, t)
    local last = string.byte(id, 8)
    m.enter(k, s, id, t)
    for i = 1, count - 1 do
      m.enter(k, s, sub(id, 1, 7) .. string.char(fmod(last + i, 256)), t)
    end
  end

  -- Gives a hold back. Returns whether it was held.
  function m.leave(s, id, t)
    local at = position(s, id)
    if not at then
      return false
    end
    changed(s, t)
    s.cut = s.cut or {}
    s.cut[at] = true
    s.live = s.live - 1
    return true
  end

  -- Permits are not taken without a hold.
  function m.take() end

  function m.give() end

  function m.takable()
    return 0
  end

  -- Only another concurrency limit takes holds over.
  function m.carried()
    return 0
  end

  function m.adopt(k, s, other, old)
    if old.kind == k.kind then
      s.text = sub(other.text, other.from)
    end
    return true
  end

  function m.write(_, s)
    flat(s)
    return pack('>I4', #s.text / ENTRY_SIZE) .. s.text
  end

  return m
end
