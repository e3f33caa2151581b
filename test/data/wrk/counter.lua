-- Another path and another header for each request.
local made = 0

function request()
  local text
  wrk.headers["X-Counter"] = made
  text = wrk.format(nil, "/" .. made)
  made = made + 1
  return text
end
