-- Each thread has a number, counts, and is asked for its counts at the end.
local all = {}

function setup(thread)
  all[#all + 1] = thread
  thread:set("number", #all)
end

function init()
  asked, heard = 0, 0
  print("thread " .. number .. " created")
end

function request()
  asked = asked + 1
  return wrk.request()
end

function response()
  heard = heard + 1
end

function done()
  for _, thread in ipairs(all) do
    print(("thread %d made %d requests and got %d responses"):format(
      thread:get("number"), thread:get("asked"), thread:get("heard")))
  end
end
