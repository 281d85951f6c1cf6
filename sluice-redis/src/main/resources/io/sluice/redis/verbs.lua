-- Operations on a key: on all its limits together.

-- How many permits of a concurrency limit n permits are: one, or one for each charge if several charges of a request are on the
-- same key.
local function places(key, n)
  return min(n, key.places or 1)
end

-- Whether every limit allows n permits, while `kept` permits are kept for others. Each state keeps its verdict.
local function judge(key, n, now, kept)
  local all, wanted = true, kept and n + kept or n
  local limits, states = key.limits, key.states
  for i = 1, #limits do
    local k, s = limits[i], states[i]
    local m = k.m
    s.delay = 0
    if m then
      local t = arrive(k, s, now)
      if k.kind == CONCURRENCY then
        s.ok = places(key, n) + (kept or 0) <= k.cap - m.use(k, s) and lock_rest(s, t) == 0
      else
        s.ok = wanted <= k.cap - m.use(k, s) and lock_rest(s, t) == 0
      end
      if s.ok and k.kind == LEAKY then
        s.delay = m.delay(k, s)
      end
    else
      s.ok = k.kind == UNLIMITED and rest_until(s.pause, arrive(k, s, now)) == 0
    end
    all = all and s.ok
  end
  return all
end

-- `id` names the hold that concurrency limits get.
local function take(key, n, id)
  local limits, states = key.limits, key.states
  for i = 1, #limits do
    local k = limits[i]
    if k.m and n > 0 then
      local s = states[i]
      if k.kind ~= CONCURRENCY then
        k.m.take(k, s, n, s.at)
      elseif id then
        k.m.enter_all(k, s, id, places(key, n), s.at)
      end
      key.dirty = true
    end
  end
end

-- Whether n permits are denied only because another request holds permits and may still give them back.
local function only_held(k, s, n)
  return s.held and s.at < s.held_until
    and (k.kind == WARM_UP and s.held > 0 and n <= k.cap or n <= k.cap - k.m.use(k, s) + s.held)
end

-- Starts the lockout of the limits that denied, but not of those that denied only because permits are kept for others.
local function lock(key, n)
  for i, k in ipairs(key.limits) do
    local s = key.states[i]
    if n > 0 and not s.ok and k.lockout > 0 and lock_rest(s, s.at) == 0
        and n > k.cap - k.m.use(k, s) and not only_held(k, s, n) then
      k.m.settle(k, s, s.at)
      local doubled = escalated_rest(s, s.at) > 0 and s.doubled or 0
      s.lock = s.at - EXACT + k.lockout * 2 ^ doubled
      s.doubled = k.escalate and min(doubled + 1, k.escalate) or nil
      key.dirty = true
    end
  end
end

-- The decision on a key that was judged: B outcome, I7 remaining, I7 retry after, I7 delay, I7 reset after. `kept` permits are
-- kept for others. While the key is in debt, nothing remains: then IN_DEBT is added to the outcome, and the debt stands in the
-- place of the remaining permits. A warm-up owes time, not permits.
local function decision(key, n, kept)
  kept = kept or 0
  local ok, remaining, retry, delay, reset, debt = true, EXACT, 0, 0, 0, 0
  local limits, states = key.limits, key.states
  for i = 1, #limits do
    local k, s = limits[i], states[i]
    local m = k.m
    if m then
      local rest = lock_rest(s, s.at)
      local free = k.cap - m.use(k, s)
      remaining = min(remaining, rest > 0 and 0 or max(0, free - kept))
      if free < 0 and k.kind ~= WARM_UP then
        debt = max(debt, -free)
      end
      reset = max(reset, rest, m.unused(k, s), s.doubled and escalated_rest(s, s.at) or 0)
      if s.ok then
        delay = max(delay, s.delay)
      else
        ok = false
        local wanted = (k.kind == CONCURRENCY and places(key, n) or n) + kept
        retry = max(retry, wanted > k.cap and EXACT or max(rest, m.wait(k, s, wanted)))
      end
    elseif not s.ok then
      local rest = k.kind == UNLIMITED and rest_until(s.pause, s.at) or EXACT
      ok, remaining, retry = false, 0, max(retry, rest)
      reset = max(reset, k.kind == UNLIMITED and rest or 0)
    end
  end
  if debt > 0 then
    return pack('>BI7I7I7I7', (ok and ALLOWED or DENIED) + IN_DEBT, debt, retry, ok and delay or 0, reset)
  end
  return pack('>BI7I7I7I7', ok and ALLOWED or DENIED, remaining, retry, ok and delay or 0, reset)
end

local function needs_delay(key)
  for _, s in ipairs(key.states) do
    if s.delay > 0 then
      return true
    end
  end
  return false
end

-- The decision on a key that was judged as allowed, but only after a delay.
local function would_wait(key, n)
  return '\WOULD_WAIT' .. string.sub(decision(key, n), 2)
end

-- The whole permits that every limit allows now; EXACT if no limit counts.
local function free(key, now)
  local least = EXACT
  for i, k in ipairs(key.limits) do
    local s = key.states[i]
    local t = arrive(k, s, now)
    if k.kind == BLOCKED or lock_rest(s, t) > 0 then
      return 0
    elseif k.m then
      least = min(least, max(0, k.cap - k.m.use(k, s)))
    end
  end
  return least
end

-- Takes what is free without a delay, at most n permits. Not even one permit is a denial of one.
-- I7 how many were asked for, then the decision on so many.
local function take_up_to(key, n, now)
  local asked = min(n, max(1, free(key, now)))
  local answer
  if not judge(key, asked, now) then
    lock(key, asked)
    answer = decision(key, asked)
  elseif needs_delay(key) then
    answer = would_wait(key, asked)
  else
    take(key, asked)
    answer = decision(key, asked)
  end
  return pack('>I7', asked) .. answer
end

-- After one request was allowed: allows as many identical requests as possible, and returns the number of all. It need not
-- judge each of them again, which makes a hot key fast. Only for limiters with one limit.
local function take_more(key, n, times, without_delay, answers, at)
  local k, allowed = key.limits[1], 1
  local s, m = key.states[1], k.m
  if #key.limits > 1 or not m or n == 0 then
    return allowed
  end
  local leaky = k.kind == LEAKY
  while allowed < times do
    local free = k.cap - m.use(k, s)
    local delay = leaky and m.delay(k, s) or 0
    if n > free or (delay > 0 and without_delay) then
      break
    end
    m.take(k, s, n, s.at)
    allowed = allowed + 1
    answers[at + allowed] = pack('>I7I7', delay, max(m.unused(k, s), escalated_rest(s, s.at)))
  end
  return allowed
end
