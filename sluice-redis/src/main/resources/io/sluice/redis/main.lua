-- A request: B verb (Verb.java), I2 number of the key (from 1), I7 permits, I2 times, I7 virtual time if requests bring it;
-- then the arguments of the verb. A decision: see decision() in verbs.lua.
--
-- verb      further arguments, meaning                                 answer
-- CHECK     takes the permits, so many times                           I2 how many were allowed, I2 how many of these have a
--                                                                      whole decision, these decisions; for each other I7
--                                                                      delay, I7 reset after (its remaining is lower by the
--                                                                      permits); one decision for all that were denied
-- TRY       as CHECK, but takes nothing that needs a delay             as CHECK; WOULD_WAIT if there would be a delay
-- PEEK      takes nothing                                              a decision
-- UP_TO     takes what is free without a delay, at most the permits;   for each time: I7 how many permits were asked for
--           so many times                                              in the end, a decision on them, as TRY
-- RESERVE   I7 maximum wait                                            B outcome, I7 wait, I2 length, receipt
-- REFUND, PENALIZE, RESET                                              nothing
-- CANCEL    I2 length, receipt                                         nothing
-- UNDO      I7 how many, I2 length, receipt of all the permits: gives so many back to where they came from
--                                                                      nothing
-- ALL       decides charges together: all or none. The request has the first charge; `times` is their number. For each
--           charge but the first: I2 key, I7 permits. For each charge: I7 kept (it is judged as if it asked for so many
--           more permits), B the sum of: SHADOW (it never denies the others, and is taken with them if it is allowed),
--           TAKE_ALWAYS (it is taken whatever is decided), TAKE_FIRST (it is taken first, and judged as one for 0 permits),
--           TAKE_WITH (it is taken if the others allow the request, even into debt)
--                                                                      a decision for each charge
-- LOOK      as ALL, but takes nothing and starts no lockout            a decision for each charge
-- HOLD      as ALL, but starts no lockout                              a decision for each charge; if all are allowed, apart
--                                                                      from shadow charges, for each I2 length, receipt
--                                                                      (length 0 for a shadow charge that was denied)
-- DENY      as ALL, but takes only what is always taken                a decision for each charge
-- KEEP      as ALL, and keeps a record of what was taken, if all are allowed. After the charges: I2 number of the record in KEYS,
--           I7 for how long, 8 bytes of a digest                       a decision for each charge
-- RECORD    I2 number of the record in KEYS, I7 for how long, 8 bytes of a digest, then so many times I2 length, receipt: keeps a
--           record of what HOLD has taken; the permits are the estimate
--                                                                      nothing
-- SETTLE    the permits are what was really used, `times` is the number of charges. For each charge: I2 key (0: its limiter does
--           not exist any more), I7 kept. Then I2 number of the record in KEYS, 8 bytes of a digest, B how: SETTLE_ALL (all charges are
--           here), SETTLE_FIRST (others are on other slots), SETTLE_LAST (these are settled)
--                                                                      B outcome; if SETTLED, I7 the estimate, for each charge B 1 if
--                                                                      it had taken it, else 0, and a decision on 0 permits; if
--                                                                      SETTLING, I7 what was really used
-- CONFIRM   keeps what HOLD has taken                                  nothing
-- RELEASE   I2 length, receipt: gives back what HOLD has taken         nothing
-- PAUSE     the permits are the microseconds of the pause              nothing
-- PAUSED                                                               I7 how long the key is still paused
-- BRING     the permits are a number of limits in ARGV[4…]; they are the limits of the next requests on the key
--                                                                      nothing
-- ENTER     as CHECK, for requests that hold a permit of concurrency limits; for each time 8 bytes, the id of its hold
--                                                                      as CHECK
-- TRY_ENTER as ENTER, but takes nothing that needs a delay             as CHECK; WOULD_WAIT if there would be a delay
-- LEAVE     so many times 8 bytes, the id of a hold: gives it back      for each: B 1 if it was held, else 0
-- READMIT   so many times 8 bytes, the id of a hold: holds it again, whatever is left, if it is not held
--                                                                      for each: B 1 if it is new, else 0
-- RENEW     `times` is the number of holds. For each: I2 key (not for the first), 8 bytes id. Then B how: RENEW_ALL (all of them
--           last for their whole time again, if all are still held), RENEW_LOOK (nothing changes)
--                                                                      B 1 if all are held, else 0
-- HOLDER    8 bytes id, `times` is the number of charges of the next request, ALL, LOOK or HOLD; for each B how many permits of a
--           concurrency limit it holds if it is allowed. More than one have ids whose last byte is higher.
--                                                                      nothing
-- OWE       B number of limits, for each I7 permits; takes them even if they are not available
--                                                                      a decision on 0 permits, right after

local terms = {}
for i = 4, #ARGV do
  terms[i - 3] = read_terms(ARGV[i])
end

local reserves
local function reserving()
  if not reserves then
    -- include reserve
    reserves = reservations()
  end
  return reserves
end

local records, settles
local function settling()
  if not settles then
    -- include settle
    records = {}
    settles = settlements(records)
  end
  return settles
end

local holds
local function holding()
  if not holds then
    -- include holds
    holds = holders()
  end
  return holds
end

-- Reads all keys.
local keys, names = {}, {}
do
  local at, pos, which = 1, 1, nil
  for j = 1, #ARGV[2] / 2 do
    which, pos = read('>I2', ARGV[2], pos)
    local its = terms[which]
    keys[j] = { terms = its, number = which, limits = its.version > 0 and its.limits or {}, at = at }
    names[j] = KEYS[at]
    at = at + 1 + its.spills
  end
  local texts
  if #names == 1 then
    texts = { call('GET', names[1]) }
  else
    texts = call('MGET', unpack(names))
  end
  for j, key in ipairs(keys) do
    local text, its = texts[j], key.terms
    local states, foreign = {}, false
    if text then
      local format, count, version, from = read('>BBI4', text)
      if format == FORMAT_MORE then
        local more
        more, from = read('B', text, from)
        if more < 2 * WITH_HOLDS and fmod(more, 2 * OWN_LIMIT) >= OWN_LIMIT then
          local own_from = from
          key.limits = {}
          key.limits[1], from = read_own(text, own_from)
          key.own = string.sub(text, own_from, from - 1)
        elseif more >= 2 * WITH_HOLDS then
          format = 0
        end
      end
      if (format ~= FORMAT and format ~= FORMAT_MORE) or (key.own ~= nil) ~= (its.version == CALL_LIMIT_VERSION) then
        return pack('>BI7B', UNKNOWN_FORMAT, now, (read('B', text)))
      end
      for i = 1, count do
        states[i], from = read_block(text, from)
        local s = states[i]
        if s and s.spilled then
          -- A spill of forgotten limits is left to expire. A spill that Redis has evicted is lost.
          local spill = i <= its.spills and KEYS[key.at + i]
          if key.own and not spill then
            return pack('>BI7I2I4', NEEDS_HISTORY, now, key.number, 0)
          elseif spill and call('STRLEN', spill) >= s.skip * 14 + s.spilled * 14 then
            key.spilled = key.spilled or {}
            key.spilled[i] = spill
            s.spill = spill
          else
            module_of(s.kind).spill_lost(s)
          end
        end
        -- The configuration was lost, and was written again with other limits.
        foreign = foreign or (s and not key.own and version == its.version and (its.limits[i] or {}).kind ~= s.kind)
      end
      if foreign then
        its.steps = its.steps or { { limits = its.limits } }
        version = 0
      end
      key.stored = true
      if version ~= its.version then
        if version > its.version then
          return pack('>BI7I2I4', NEWER_VERSION, now, key.number, version)
        elseif not its.steps then
          return pack('>BI7I2I4', NEEDS_HISTORY, now, key.number, version)
        end
        key.old = { states = states, version = version }
        states = {}
      end
    end
    key.states = states
  end
end
for _, key in ipairs(keys) do
  if key.old then
    key.states = upgrade(key.old.states, key.old.version, key.terms, now)
    key.dirty = true
  end
  for i, k in ipairs(key.limits) do
    local s = key.states[i]
    if not s then
      s = fresh(k)
      key.states[i] = s
    end
    if key.terms.spills > 0 then
      if s.spilled and s.spill ~= KEYS[key.at + i] then
        k.m.gather(s)
      end
      s.spill = KEYS[key.at + i]
    end
  end
  if key.terms.version == CALL_LIMIT_VERSION then
    key.base, key.brings = { own = key.own, limits = key.limits, states = key.states }, key.terms
  end
end

-- Puts a key, whose limits come with requests, under the limit of its next request. The stored key changes its limit only
-- together with its use. So a conversion for a request that changes nothing is dropped.
local function bring(key)
  local base, its = key.base, key.brings
  key.brings = nil
  if key.dirty then
    base.own, base.limits, base.states = key.own, key.limits, key.states
    key.dirty, key.written = false, true
  end
  if not its.own or its.own == base.own then
    base.limits = its.own and its.limits or base.limits
    key.own, key.limits, key.states = base.own, base.limits, base.states
  else
    local k, s = its.limits[1], base.states[1]
    key.own, key.limits = its.own, its.limits
    key.states = { s and converted(base.limits[1], s, k, now) or fresh(k) }
  end
end

-- Decides.
local answers = { pack('>BI7', DECIDED, now) }
local function answer(text)
  answers[#answers + 1] = text
end

local requests, pos = ARGV[3], 1
-- the id of the holds that the next request gets, and how many each of its charges gets
local holder, counts
while pos <= #requests do
  local verb, which, n, times, first_at
  verb, which, n, times, pos = read('>BI2I7I2', requests, pos)
  local key = keys[which]
  if virtual then
    now, pos = read('>I7', requests, pos)
  end
  if verb == BRING then
    key.brings = terms[n]
  elseif key.brings then
    bring(key)
  end
  if verb <= TRY then
    local allowed, full, last = 0, 0, nil
    first_at = #answers + 1
    answers[first_at] = ''
    for i = 1, times do
      if not judge(key, n, now) then
        lock(key, n)
        last = decision(key, n)
        break
      elseif verb == TRY and needs_delay(key) then
        last = would_wait(key, n)
        break
      end
      take(key, n)
      allowed = allowed + 1
      full = full + 1
      answers[first_at + allowed] = decision(key, n)
      if i == 1 and times > 1 then
        allowed = take_more(key, n, times, verb == TRY, answers, first_at)
        if allowed == times then
          break
        end
      end
    end
    answers[first_at] = pack('>I2I2', allowed, full)
    if last then
      answers[first_at + allowed + 1] = last
    end
  elseif verb == PEEK then
    judge(key, n, now)
    answer(decision(key, n))
  elseif verb == UP_TO then
    for _ = 1, times do
      answer(take_up_to(key, n, now))
    end
  elseif verb == ENTER or verb == TRY_ENTER then
    local allowed, denied = 0, nil
    first_at = #answers + 1
    answers[first_at] = ''
    for i = 1, times do
      if not denied then
        if not judge(key, n, now) then
          lock(key, n)
          denied = decision(key, n)
        elseif verb == TRY_ENTER and needs_delay(key) then
          denied = would_wait(key, n)
        else
          take(key, n, string.sub(requests, pos, pos + 7))
          allowed = allowed + 1
          answers[first_at + allowed] = decision(key, n)
        end
      end
      pos = pos + 8
    end
    answers[first_at] = pack('>I2I2', allowed, allowed)
    if denied then
      answer(denied)
    end
  elseif verb == LEAVE or verb == READMIT then
    for i = 1, times do
      answer(holding().each(verb, key, string.sub(requests, pos, pos + 7), now))
      pos = pos + 8
    end
  elseif verb == RENEW then
    local charges, ids = { key }, {}
    for i = 1, times do
      if i > 1 then
        which, pos = read('>I2', requests, pos)
        charges[i] = keys[which]
        if charges[i].brings then
          bring(charges[i])
        end
      end
      ids[i] = string.sub(requests, pos, pos + 7)
      pos = pos + 8
    end
    answer(holding().renew(charges, ids, string.byte(requests, pos), now))
    pos = pos + 1
  elseif verb == HOLDER then
    holder, pos = read('c8', requests, pos)
    counts = {}
    for i = 1, times do
      counts[i], pos = read('B', requests, pos)
    end
  elseif verb == RESERVE then
    local at_most
    at_most, pos = read('>I7', requests, pos)
    answer(reserving().reserve(key, n, at_most, now))
  elseif verb == REFUND then
    reserving().refund(key, n, now)
  elseif verb == PENALIZE then
    reserving().penalize(key, n, now)
  elseif verb == OWE then
    local count, amounts = nil, {}
    count, pos = read('B', requests, pos)
    for i = 1, count do
      amounts[i], pos = read('>I7', requests, pos)
    end
    reserving().owe(key, amounts, now)
    judge(key, 0, now)
    answer(decision(key, 0))
  elseif verb == RESET then
    reserving().reset(key)
  elseif verb == PAUSE then
    reserving().pause(key, n, now)
  elseif verb == PAUSED then
    answer(pack('>I7', reserving().paused(key, now)))
  elseif verb == CONFIRM then
    reserving().confirm(key, n)
  elseif verb == CANCEL or verb == RELEASE then
    local length
    length, pos = read('>I2', requests, pos)
    local version, its = read('>I4', requests, pos), key.terms
    if version > its.version or (version < its.version and not its.steps) then
      return pack('>BI7I2I4', version > its.version and NEWER_VERSION or NEEDS_HISTORY, now, key.number, version)
    end
    reserving().cancel(key, n, string.sub(requests, pos, pos + length - 1), now)
    pos = pos + length
    if verb == RELEASE then
      reserving().confirm(key, n)
    end
  elseif verb == UNDO then
    local part, length
    part, length, pos = read('>I7I2', requests, pos)
    local version, its = read('>I4', requests, pos), key.terms
    if version > its.version or (version < its.version and not its.steps) then
      return pack('>BI7I2I4', version > its.version and NEWER_VERSION or NEEDS_HISTORY, now, key.number, version)
    end
    reserving().cancel(key, n, string.sub(requests, pos, pos + length - 1), now, part)
    pos = pos + length
  elseif verb == RECORD then
    local at, ttl, digest, receipts = nil, nil, nil, {}
    at, ttl, digest, pos = read('>I2I7c8', requests, pos)
    for i = 1, times do
      local length
      length, pos = read('>I2', requests, pos)
      receipts[i] = string.sub(requests, pos, pos + length - 1)
      pos = pos + length
    end
    settling().keep(KEYS[at], ttl, digest, n, receipts, now)
  elseif verb == SETTLE then
    local charges, kept, at, digest, how = {}, {}, nil, nil, nil
    for i = 1, times do
      which, kept[i], pos = read('>I2I7', requests, pos)
      charges[i] = keys[which] or false
      if charges[i] and charges[i].brings then
        bring(charges[i])
      end
    end
    at, digest, how, pos = read('>I2c8B', requests, pos)
    local settled, problem = settling().settle(charges, kept, n, KEYS[at], digest, how, now)
    if problem then
      return problem
    end
    answer(settled)
  elseif verb ~= BRING then
    local charges, permits, kept, ok, all, flags = { key }, { n }, {}, {}, true, nil
    local always, with = {}, {}
    for i = 1, times do
      if i > 1 then
        which, permits[i], pos = read('>I2I7', requests, pos)
        charges[i] = keys[which]
        if charges[i].brings then
          bring(charges[i])
        end
      end
      kept[i], flags, pos = read('>I7B', requests, pos)
      always[i] = fmod(flags, TAKE_FIRST) >= TAKE_ALWAYS
      with[i] = flags >= TAKE_WITH
      if fmod(flags, TAKE_WITH) >= TAKE_FIRST then
        if verb ~= LOOK then
          reserving().penalize(charges[i], permits[i], now)
        end
        permits[i] = 0
      end
      charges[i].places = holder and counts[i] or 1
      ok[i] = judge(charges[i], permits[i], now, kept[i])
      all = all and (ok[i] or fmod(flags, TAKE_ALWAYS) == SHADOW)
    end
    local receipts = {}
    for i, charged in ipairs(charges) do
      if not ok[i] then
        if verb == ALL or verb == DENY or verb == KEEP then
          lock(charged, permits[i])
        end
        receipts[i] = ''
      end
      if always[i] and (verb == ALL or verb == DENY) then
        reserving().penalize(charged, permits[i], now)
      elseif all and verb == HOLD and (ok[i] or with[i]) then
        receipts[i] = reserving().hold(charged, permits[i], holder)
      elseif all and verb == KEEP and (ok[i] or with[i]) then
        receipts[i] = reserving().keep(charged, permits[i])
      elseif all and verb == ALL and ok[i] then
        take(charged, permits[i], holder)
      end
    end
    holder = nil
    for i, charged in ipairs(charges) do
      answer(decision(charged, permits[i], kept[i]))
      charged.places = nil
    end
    if verb == KEEP then
      local at, ttl, digest
      at, ttl, digest, pos = read('>I2I7c8', requests, pos)
      if all then
        settling().keep(KEYS[at], ttl, digest, n, receipts, now)
      end
    end
    if verb ~= HOLD or not all then
      receipts = {}
    end
    for _, receipt in ipairs(receipts) do
      answer(pack('>I2', #receipt) .. receipt)
    end
  end
end

if wanted_window then
  return pack('>BI7I7', NEEDS_WINDOW, now, wanted_window)
end

-- Writes what changed.
for j, key in ipairs(keys) do
  if key.written and not key.dirty then
    local base = key.base
    key.own, key.limits, key.states, key.dirty = base.own, base.limits, base.states, true
  end
  if key.dirty then
    local void, fresh_at, paused, newer, held = true, 0, false, false, false
    for i, k in ipairs(key.limits) do
      local s = key.states[i]
      if not is_void(k, s) then
        void = false
        local t = arrive(k, s, s.at or s.last)
        fresh_at = max(fresh_at, t + max(k.m and k.m.unused(k, s) or 0, lock_rest(s, t), escalated_rest(s, t)))
        paused = paused or rest_until(s.pause, s.last) > 0
        newer = newer or (k.kind >= CALENDAR and k.kind ~= CONCURRENCY) or s.doubled
        held = held or k.kind == CONCURRENCY
      end
    end
    if void then
      if key.stored then
        call('DEL', names[j])
      end
    else
      local expire_at = div_up(fresh_at, 1000)
      local parts
      if key.own or paused or newer or held then
        local more = (key.own and OWN_LIMIT or 0) + (paused and WITH_PAUSE or 0) + (newer and NEWER_BLOCK or 0)
          + (held and WITH_HOLDS or 0)
        parts = { pack('>BBI4B', FORMAT_MORE, #key.limits, key.terms.version, more) .. (key.own or '') }
      else
        parts = { pack('>BBI4', FORMAT, #key.limits, key.terms.version) }
      end
      for i, k in ipairs(key.limits) do
        local s = key.states[i]
        s.spill = key.terms.spills > 0 and KEYS[key.at + i] or nil
        parts[i + 1] = is_void(k, s) and '\0' or write_block(k, s, expire_at)
      end
      call('SET', names[j], concat(parts), virtual and 'PX' or 'PXAT', virtual and HOUR_MS or expire_at)
    end
    for i, spill in pairs(key.spilled or {}) do
      local s = key.states[i]
      if void or not (s and s.spilled) then
        call('DEL', spill)
      end
    end
  end
end
if settles then
  settles.write()
end
return concat(answers)
