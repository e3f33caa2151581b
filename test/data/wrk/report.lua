-- Percentiles as lines for a program, after the report.
function done(summary, latency, requests)
  print(string.rep("-", 30))
  for _, percent in ipairs { 50, 90, 99, 99.999 } do
    print(string.format("%g%%,%d", percent, latency:percentile(percent)))
  end
end
