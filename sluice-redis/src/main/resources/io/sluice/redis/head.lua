-- decide: any number of requests on any number of keys of one slot, in order, in one step.
--
-- KEYS     for each key asked about: where its state is, then its spills (one for each limit, if its terms say so)
-- ARGV[1]  B   1 if the requests bring their own time (tests and simulation), else 0
--          B   1 if this may go the quick way; see quick.lua
--          I7  microseconds by this server's clock after which nothing may be decided any more; 0 for no such time
--          I6  a random number, from which the lives of keys are numbered
-- ARGV[2]  for each key asked about: I2 the number of its terms, from 1
-- ARGV[3]  the requests, one after the other; see main.lua
-- ARGV[4…] terms: the limits of one limiter; see terms.lua
--
-- Numbers are big-endian and unsigned; times and durations are microseconds.
--
-- reply    B status, I7 the time; then, if the status is
--   0  decided: the answers, one after the other; see main.lua
--   1  too late, nothing was done
--   2  I2 terms, I4 version: a key was written under a newer version of these terms; nothing was done
--   3  I2 terms, I4 version: a key was written under an older version and these terms have no history; nothing was done
--   4  B format: a key was written by a newer release; nothing was done
--
-- All is read before anything is written, so nothing is ever half done. Every number stays below 2^53, where doubles are
-- exact: whole permits and the fraction of one are kept apart, products are split, and a time to come, which
-- may lie beyond, is never computed: only how much of a duration is left.

local pack, read = struct.pack, struct.unpack
local fmod, max, min = math.fmod, math.max, math.min
local call = redis.call
local concat = table.concat

-- Numbers that are named like this are put in their places when the fragments are joined, and text that is included is
-- only run when it is needed: Redis runs the whole script anew in every call, and each local that a function uses costs.
-- 2^53, where whole numbers end; in a reply: never, or no limit
local EXACT = 9007199254740992
local HOUR_MS = 3600000

local virtual, quick, not_after, nonce = read('>BBI7I6', ARGV[1])
virtual = virtual == 1

local time = call('TIME')
local now = time[1] * 1000000 + time[2]
if not_after > 0 and now > not_after then
  return pack('>BI7', TOO_LATE, now)
end
