-- A task for the little REST server of the tests.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = [[{"task": "write", "done": false}]]
