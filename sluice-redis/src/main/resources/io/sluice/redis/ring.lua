-- The entries of log and counter. An entry has a mark (a time, or the number of a slot) and a count. Marks ascend.
--
-- An entry is stored as its mark and the sum of all counts up to it. So the sum of any range is one difference, and entries
-- are found by binary search. The newest entry is stored apart, because only that one changes. The older entries are one
-- text, with 14 bytes for each. A short text is part of the state. A long one is in a key of its own, the spill, of which the
-- script reads and writes only the necessary parts.
--
-- state  mark, sum   the newest entry; mark is nil if there is none
--        older       the number of older entries that still count        base  the sum before the oldest
--        text, skip  the older entries in memory, and how many at the front have expired
--        spilled     the number of older entries in the spill, or nil; then text has the entries after them, skip counts
--                    in the spill, and oldest is the mark of the oldest
--        dead, below on arrival: how many of all entries have expired, and their sum
--
-- mark_of(k, t) is the mark of permits that are used at t, first_of(k, t) the lowest mark that still counts.

local function ring(mark_of, first_of)
  local m = {}
  local ENTRY = 14
  local PAGE = 64

  function m.fresh(s)
    s.mark, s.sum, s.older, s.base, s.text, s.skip, s.spilled = nil, 0, 0, 0, '', 0, nil
  end

  function m.void(s)
    return not s.mark
  end

  function m.read(s, text, pos)
    local kind
    kind, s.mark, s.sum, s.base, s.older, pos = read('>BI7I7I7I4', text, pos)
    if kind == 2 then
      s.skip, s.oldest, pos = read('>I4I7', text, pos)
      s.spilled, s.text = s.older, ''
      return pos
    end
    local size = s.older * ENTRY
    s.text, s.skip, s.spilled = string.sub(text, pos, pos + size - 1), 0, nil
    if kind == 0 then
      s.mark = nil
    end
    return pos + size
  end

  -- The i-th older entry, from 0.
  local function older(s, i)
    if not s.spilled then
      return read('>I7I7', s.text, (s.skip + i) * ENTRY + 1)
    elseif i >= s.spilled then
      return read('>I7I7', s.text, (i - s.spilled) * ENTRY + 1)
    end
    local at = s.skip + i
    local page = (at - fmod(at, PAGE)) / PAGE
    if s.page ~= page then
      s.page = page
      s.paged = call('GETRANGE', s.spill, page * PAGE * ENTRY, (page + 1) * PAGE * ENTRY - 1)
    end
    return read('>I7I7', s.paged, (at - page * PAGE) * ENTRY + 1)
  end

  -- The i-th of all entries, from 0.
  function m.entry(s, i)
    if i == s.older then
      return s.mark, s.sum
    end
    return older(s, i)
  end

  function m.size(s)
    return s.mark and s.older + 1 or 0
  end

  -- The number of the first entry whose mark (which = 1) or sum (which = 2) reaches a value, from an entry that does not.
  local function first_reaching(s, which, value, from)
    local low, step = from, 1
    local size = m.size(s)
    local function reaches(i)
      local mark, sum = m.entry(s, i)
      return (which == 1 and mark or sum) >= value
    end
    while low + step < size and not reaches(low + step) do
      low = low + step
      step = step * 2
    end
    local high = min(low + step, size)
    while low + 1 < high do
      local middle = math.floor((low + high) / 2)
      if reaches(middle) then
        high = middle
      else
        low = middle
      end
    end
    return high
  end

  function m.first_with_sum(s, value)
    local _, sum = m.entry(s, 0)
    return sum >= value and 0 or first_reaching(s, 2, value, 0)
  end

  function m.arrive(k, s, t)
    s.t = t
    s.dead, s.below = 0, s.base
    if s.mark then
      local first = first_of(k, t)
      local oldest = (s.spilled or 0) > 0 and s.oldest or m.entry(s, 0)
      if oldest < first then
        s.dead = first_reaching(s, 1, first, 0)
        local _, sum = m.entry(s, s.dead - 1)
        s.below = sum
      end
    end
  end

  -- Drops expired entries.
  function m.settle(_, s, t)
    s.last = t
    if s.dead == 0 then
      return
    elseif s.dead == m.size(s) then
      m.fresh(s)
    else
      s.older, s.base = s.older - s.dead, s.below
      if s.spilled and s.dead >= s.spilled then
        s.text = string.sub(s.text, (s.dead - s.spilled) * ENTRY + 1)
        s.spilled, s.skip = nil, 0
      else
        s.skip = s.skip + s.dead
        if s.spilled then
          s.spilled = s.spilled - s.dead
          s.oldest = older(s, 0)
        end
      end
    end
    s.dead, s.below = 0, s.base
  end

  -- By what it holds, not by the estimate of a counter: its sum must stay exact.
  function m.takable(k, s, n)
    return max(0, min(n, k.most - (s.sum - s.below)))
  end

  function m.take(k, s, n, t)
    m.settle(k, s, t)
    local mark = mark_of(k, t)
    if s.mark and s.mark ~= mark then
      s.text = s.text .. pack('>I7I7', s.mark, s.sum)
      s.older = s.older + 1
    end
    s.mark, s.sum = mark, s.sum + n
  end

  -- Drops the newest entry: the newest of the older entries takes its place.
  local function pop(s)
    s.older = s.older - 1
    s.mark, s.sum = older(s, s.older)
    if s.spilled and s.older < s.spilled then
      s.spilled = s.older
    else
      s.text = string.sub(s.text, 1, -ENTRY - 1)
    end
  end

  function m.give(k, s, n, t)
    m.settle(k, s, t)
    if not s.mark then
      return
    end
    local left = s.sum - n
    if left <= s.base then
      m.fresh(s)
      s.dead, s.below = 0, 0
      return
    end
    while s.older > 0 do
      local _, before = older(s, s.older - 1)
      if before < left then
        break
      end
      pop(s)
    end
    s.sum = left
  end

  local gathered

  -- Gives back to the entry of a receipt. Returns false if there is none.
  function m.undo(k, s, receipt, n, t)
    local mark = receipt.mark
    if not mark or not s.mark or mark < first_of(k, t) or mark > s.mark then
      return false
    end
    local i = m.size(s) - 1
    if mark < s.mark then
      i = m.entry(s, 0) >= mark and 0 or first_reaching(s, 1, mark, 0)
    end
    local found, sum = m.entry(s, i)
    if found ~= mark then
      return false
    end
    local before = s.base
    if i > 0 then
      local _, sum_before = m.entry(s, i - 1)
      before = sum_before
    end
    local back = min(n, sum - before)
    -- The sums of this entry and of all newer ones fall. The entry leaves if nothing is left of it.
    local leaves = back == sum - before
    if i < s.older then
      local text = gathered(s)
      local parts = { string.sub(text, 1, i * ENTRY) }
      for j = leaves and i + 1 or i, s.older - 1 do
        local later, later_sum = read('>I7I7', text, j * ENTRY + 1)
        parts[#parts + 1] = pack('>I7I7', later, later_sum - back)
      end
      s.text, s.skip, s.spilled = concat(parts), 0, nil
      s.older, s.sum = leaves and s.older - 1 or s.older, s.sum - back
    elseif not leaves then
      s.sum = s.sum - back
    elseif s.older > 0 then
      pop(s)
    else
      m.fresh(s)
    end
    m.arrive(k, s, t)
    m.settle(k, s, t)
    return true
  end

  -- All older entries that count, as one text.
  function gathered(s)
    if not s.spilled then
      return string.sub(s.text, s.skip * ENTRY + 1)
    elseif s.spilled == 0 then
      return s.text
    end
    return call('GETRANGE', s.spill, s.skip * ENTRY, (s.skip + s.spilled) * ENTRY - 1) .. s.text
  end

  -- The same entries with sums that start at 0 again, so that they never grow too large.
  local function rebased(s, text)
    local entries = {}
    for i = 0, s.older - 1 do
      local mark, sum = read('>I7I7', text, i * ENTRY + 1)
      entries[#entries + 1] = pack('>I7I7', mark, sum - s.base)
    end
    s.sum, s.base = s.sum - s.base, 0
    return concat(entries)
  end

  function m.write(_, s, expire_at)
    local keeps_spill = s.older > INLINE and s.spilled and s.skip <= s.older and s.sum < EXACT / 4
    if not keeps_spill then
      local text = gathered(s)
      if s.sum >= EXACT / 4 then
        text = rebased(s, text)
      end
      s.text, s.skip, s.spilled = text, 0, nil
      if s.older <= INLINE or not expire_at then
        return pack('>BI7I7I7I4', s.mark and 1 or 0, s.mark or 0, s.sum, s.base, s.older) .. text
      end
      s.oldest = read('>I7I7', text)
      s.text, s.spilled = '', s.older
      call('SET', s.spill, text, virtual and 'PX' or 'PXAT', virtual and HOUR_MS or expire_at)
    else
      if s.text ~= '' then
        call('SETRANGE', s.spill, (s.skip + s.spilled) * ENTRY, s.text)
      end
      call(virtual and 'PEXPIRE' or 'PEXPIREAT', s.spill, virtual and HOUR_MS or expire_at)
    end
    return pack('>BI7I7I7I4I4I7', 2, s.mark, s.sum, s.base, s.older, s.skip, s.oldest)
  end

  -- The spill was evicted. The use of the older entries counts as used with the newest entry.
  function m.spill_lost(s)
    s.older, s.text, s.skip, s.spilled = 0, '', 0, nil
  end

  -- Reads all entries of a spill, before they are written elsewhere.
  function m.gather(s)
    s.text, s.skip, s.spilled = gathered(s), 0, nil
  end

  -- Copies the entries of another state, which has the same kind of marks and has arrived.
  function m.copy(s, other)
    m.gather(other)
    s.mark, s.sum, s.older, s.base = other.mark, other.sum, other.older, other.base
    s.text, s.skip, s.spilled = other.text, 0, nil
    s.dead, s.below = other.dead, other.below
    m.settle(nil, s, other.t)
  end

  return m
end
