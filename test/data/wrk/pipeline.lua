-- Three requests in one text.
local batch

function init()
  local parts = {}
  for number, query in ipairs { "foo", "bar", "baz" } do
    parts[number] = wrk.format(nil, "/?" .. query)
  end
  batch = table.concat(parts)
end

function request()
  return batch
end
