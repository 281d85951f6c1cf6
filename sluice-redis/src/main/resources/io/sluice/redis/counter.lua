-- The sliding counter: the counts of the slots of a window. The slot that leaves the window counts in part.
--
-- terms  a  the length of a slot        b  the slots of a window

local function counter()
  local function slot(k, t)
    return (t - fmod(t, k.a)) / k.a
  end
  local function oldest(k, t)
    return slot(k, t) - k.b
  end
  local m = ring(slot, oldest)

  function m.use(k, s)
    local use = s.sum - s.below
    if s.mark and s.dead < m.size(s) then
      local mark, sum = m.entry(s, s.dead)
      if mark == oldest(k, s.t) then
        local count = sum - s.below
        local weighted, rest = mul_div(count, k.a - fmod(s.t, k.a), k.a)
        use = use - count + weighted + (rest > 0 and 1 or 0)
      end
    end
    return use
  end

  -- The estimate falls only while a slot leaves the window. So this searches, oldest first, the slot during whose leaving
  -- enough permits become free.
  function m.wait(k, s, n)
    local needed = s.sum + n - k.cap
    if needed <= s.base then
      return 0
    end
    local i = m.first_with_sum(s, needed)
    local mark, sum = m.entry(s, i)
    local before = s.base
    if i > 0 then
      local _, sum_before = m.entry(s, i - 1)
      before = sum_before
    end
    local into = k.a - mul_div(sum - needed, k.a, sum - before)
    return max(0, k.b * k.a + into - (s.t - mark * k.a))
  end

  m.due = m.wait

  function m.unused(k, s)
    return s.mark and max(0, (k.b + 1) * k.a - (s.t - s.mark * k.a)) or 0
  end

  -- The use of a receipt, which is one entry. A part of a permit is not given back.
  function m.still_used(k, s)
    local first = oldest(k, s.t)
    if not s.mark or s.mark < first then
      return 0
    elseif s.mark > first then
      return s.sum - s.base
    end
    local whole = mul_div(s.sum - s.base, k.a - fmod(s.t, k.a), k.a)
    return whole
  end

  function m.adopt(k, s, other, old)
    if old.kind ~= k.kind or old.a ~= k.a or old.b ~= k.b then
      return false
    end
    m.copy(s, other)
    return true
  end

  return m
end
