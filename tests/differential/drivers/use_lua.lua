local t = {} for i = 1, 50 do t[i] = {name = 'n' .. i, value = i * 1.5} end
table.sort(t, function(a, b) return a.value > b.value end)
local s = '' for _, e in ipairs(t) do s = s .. string.format('%s=%g;', e.name, e.value) end
local co = coroutine.wrap(function(a) for k in string.gmatch(a, '(%w+)=') do coroutine.yield(k) end end)
print(#s, co(s), pcall(error, {code = 7}), os.time() > 0, math.floor(3.7), select('#', 1, 2, 3))
setmetatable(t, {__index = function(_, k) return k end, __gc = print}) print(t.missing, load('return 1 + 1')())
