-- decide: decides any number of requests on keys of one slot, in order, in one step.
--
-- KEYS     for each key: its state, then its spills (one for each limit, if its limits need them)
-- ARGV[1]  B   1 if the requests bring their own virtual time (tests and simulations), else 0
--          B   1 if quick.lua may decide the batch, 2 if quick_concurrency.lua may
--          I7  the deadline, in microseconds of this server's clock; 0 for none
--          I6  a random number, from which the lives of keys get their numbers
-- ARGV[2]  for each key: I2 the number of its limits in ARGV[4…], from 1
-- ARGV[3]  the requests, one after the other; see main.lua
-- ARGV[4…] the limits of one limiter; see terms.lua
--
-- Numbers are big-endian and unsigned; times and durations are microseconds.
--
-- reply    B status (Status.java), I7 the time; then, if the status is
--   DECIDED         the answers, one after the other; see main.lua
--   TOO_LATE        nothing: the deadline has passed
--   NEWER_VERSION   I2 number of limits, I4 version: a key was written under this newer version of these limits
--   NEEDS_HISTORY   I2 number of limits, I4 version: a key was written under this older version, and there is no history
--   UNKNOWN_FORMAT  B format: a key was written by a newer release
--   NEEDS_WINDOW    I7 time: a key needs the window of the calendar at this time, and the call did not bring it
--
-- Unless the status is DECIDED, the script has changed nothing. It reads all keys before it writes any, so it never does
-- half of anything. Every number stays below 2^53, where doubles are exact: whole permits and the fraction of a permit are
-- kept apart, and products are split. A time in the future may be above 2^53, so the script never computes it, but only how
-- much of a duration is left.

local pack, read = struct.pack, struct.unpack
local fmod, max, min = math.fmod, math.max, math.min
local call = redis.call
local concat = table.concat

-- Names in capitals are constants. Their numbers are put in their places when the fragments are joined: those of the enums
-- Verb, Status, Outcome, LimitKind and Format in Java, and those that a fragment defines as below. Included text runs only
-- when it is needed. Redis runs the whole script anew in every call, and each local that a function uses costs time.

-- 2^53, the end of exact whole numbers; in a reply it stands for "never" and for "no limit"
local EXACT = 9007199254740992
local HOUR_MS = 3600000
-- how long after a lockout its escalation is forgotten
local FORGET = 86400000000

-- The time of a window of the calendar that the call did not bring. Then nothing is written.
local wanted_window

local virtual, quick, not_after, nonce = read('>BBI7I6', ARGV[1])
virtual = virtual == 1

local time = call('TIME')
local now = time[1] * 1000000 + time[2]
if not_after > 0 and now > not_after then
  return pack('>BI7', TOO_LATE, now)
end
