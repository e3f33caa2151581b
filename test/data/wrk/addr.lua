-- Each thread takes one of the addresses that can be reached.
local reachable

function setup(thread)
  if not reachable then
    reachable = {}
    for _, address in ipairs(wrk.lookup(wrk.host, wrk.port or wrk.scheme)) do
      if wrk.connect(address) then reachable[#reachable + 1] = address end
    end
  end
  thread.addr = reachable[math.random(#reachable)]
end

function init()
  print("thread addr: " .. tostring(wrk.thread.addr))
end
