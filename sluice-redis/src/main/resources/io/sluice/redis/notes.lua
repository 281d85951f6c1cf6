-- notes: writes notes on a page, which all processes share for a while.
--
-- KEYS[1]  the page: a hash with a field for each note
-- ARGV     the milliseconds for which the page is kept, then for each note its name and its text
-- reply    nothing

for i = 2, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return ''
