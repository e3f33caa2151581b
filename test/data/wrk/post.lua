-- A form, the same each time.
wrk.body = "foo=bar&baz=quux"
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
