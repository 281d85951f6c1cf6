-- Terms: the limits of one limiter in force, and their earlier versions if the script needs them (VersionedLimits.java).
--
-- I4 version, B number of spills of each key, I2 number of versions (0: the version in force, without history); the limits of
-- the oldest version: B count, limits; then for each newer version: I7 since when, B count, for each limit B its predecessor
-- (0 for none, else the number of the older limit, plus SAME_LIMIT if both are the same limit), and the limit itself.
--
-- CALL_LIMIT_VERSION: the limit comes with the requests and is stored with the key. Then there is no history, and one limit, or
-- none if the request is about the limit that is stored with the key. After the limit follows the beginning of the stored
-- state of such a key (see state.lua), up to the end of its own limit: B kind, then a, b, capacity and lockout, each as B number
-- of bytes, and the bytes.
--
-- limit  B kind (LimitKind.java), I7 a, I7 b (see the algorithms), I7 capacity (for WARM_UP: the units stored when it is cold),
--        I7 lockout or 0, I7 the most permits that may be in use, including debt. A lockout that escalates is ESCALATING plus 16
--        times its milliseconds plus the number of times that it can double. After a limit of kind CALENDAR: I2 number of windows,
--        for each I7 begin, I7 end.

local modules = {}

local function module_of(kind)
  local m = modules[kind]
  if not m then
    if kind == GREEDY or kind == LEAKY then
      -- include bucket
      m = bucket()
      modules[GREEDY], modules[LEAKY] = m, m
    elseif kind == INTERVAL then
      -- include interval
      m = interval()
    elseif kind == ALIGNED or kind == FROM_FIRST then
      -- include window
      m = window()
      modules[ALIGNED], modules[FROM_FIRST] = m, m
    elseif kind == LOG then
      -- include ring
      -- include log
      m = log()
    elseif kind == COUNTER then
      -- include ring
      -- include counter
      m = counter()
    elseif kind == CALENDAR then
      -- include calendar
      m = calendar()
    elseif kind == WARM_UP then
      -- include warm_up
      m = warm_up()
    elseif kind == CONCURRENCY then
      -- include concurrency
      m = concurrency()
    else
      return nil
    end
    modules[kind] = m
  end
  return m
end

-- 2^51; a lockout without escalation is shorter
local ESCALATING = 2251799813685248

-- Computes what the numbers of a limit stand for.
local function complete(k)
  k.m = module_of(k.kind)
  if k.lockout >= ESCALATING then
    local coded = k.lockout - ESCALATING
    k.escalate = fmod(coded, 16)
    k.lockout = (coded - k.escalate) / 16 * 1000
  end
  if k.kind == WARM_UP then
    k.full, k.parts = k.cap, 2 * k.b * k.cap
    k.cap = max(1, (k.full - fmod(k.full, k.a)) / k.a)
  end
end

local function read_limit(text, pos)
  local k = {}
  k.kind, k.a, k.b, k.cap, k.lockout, k.most, pos = read('>BI7I7I7I7I7', text, pos)
  complete(k)
  if k.kind == CALENDAR then
    local count
    count, pos = read('>I2', text, pos)
    k.windows = {}
    for i = 1, 2 * count do
      k.windows[i], pos = read('>I7', text, pos)
    end
  end
  return k, pos
end

local function read_short(text, pos)
  local size = string.byte(text, pos)
  if size == 0 then
    return 0, pos + 1
  end
  return read('>I' .. size, text, pos + 1)
end

-- A key's own limit. The most permits that may be in use are not stored with it.
local function read_own(text, pos)
  local k = { kind = string.byte(text, pos) }
  k.a, pos = read_short(text, pos + 1)
  k.b, pos = read_short(text, pos)
  k.cap, pos = read_short(text, pos)
  k.lockout, pos = read_short(text, pos)
  complete(k)
  return k, pos
end

local function read_terms(text)
  local version, spills, steps, count, pos = read('>I4BI2B', text)
  local limits = {}
  for i = 1, count do
    limits[i], pos = read_limit(text, pos)
  end
  local terms = { version = version, spills = spills, limits = limits }
  if version == CALL_LIMIT_VERSION and count == 1 then
    terms.own = string.sub(text, pos + 7)
  end
  if steps > 0 then
    terms.steps = { { limits = limits } }
    for i = 2, steps do
      local step = { limits = {}, from = {} }
      step.since, count, pos = read('>I7B', text, pos)
      for j = 1, count do
        step.from[j], pos = read('B', text, pos)
        step.limits[j], pos = read_limit(text, pos)
      end
      terms.steps[i] = step
      terms.limits = step.limits
    end
  end
  return terms
end
