#include "thread_driver.h"

#include <system_error>
#include <utility>

#include "carronade/result_codec.h"

namespace carronade::node {

Expected<ThreadDriver*> ThreadDriver::start(napi_env env, Run& run, RunListener& listener,
                                            ThreadClient& client) {
  auto* driver = new ThreadDriver(env, run, client);
  napi_value name = nullptr;
  napi_create_string_utf8(env, "carronade", NAPI_AUTO_LENGTH, &name);
  const napi_status status = napi_create_threadsafe_function(
      env, nullptr, nullptr, name, 0, 1, driver, on_finalize, driver, on_call, &driver->bell_);
  if (status != napi_ok) {
    delete driver;
    return unexpected("Node gave no thread-safe function: is the environment being torn down?");
  }
  listener.on_news([driver] { driver->ring(); });
  if (auto started = driver->start_thread(); !started) {
    driver->client_ = nullptr;
    napi_release_threadsafe_function(driver->bell_, napi_tsfn_release);  // frees the driver, later
    return unexpected(started.error());
  }
  // Younger than the function's own hook, and so called before it.
  napi_add_env_cleanup_hook(env, on_env_end, driver);
  return driver;
}

Expected<void> ThreadDriver::start_thread() {
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error& error) {
    return unexpected(std::string("start a thread for the run: ") + error.what() + " (ulimit -u)");
  }
  return {};
}

void ThreadDriver::work() {
  state_ = encode_result(run_.execute());
  ended_.store(true, std::memory_order_release);
  ring();
  napi_release_threadsafe_function(bell_, napi_tsfn_release);
}

void ThreadDriver::ring() { napi_call_threadsafe_function(bell_, nullptr, napi_tsfn_nonblocking); }

void ThreadDriver::on_call(napi_env env, napi_value /*function*/, void* self, void* /*data*/) {
  if (env != nullptr) static_cast<ThreadDriver*>(self)->on_ring();
}

void ThreadDriver::on_ring() {
  if (client_ == nullptr) return;
  const bool ended = ended_.load(std::memory_order_acquire);
  client_->on_errors();
  if (!ended) return;
  thread_.join();
  napi_remove_env_cleanup_hook(env_, on_env_end, this);
  std::exchange(client_, nullptr)->on_ended(std::move(state_));
}

void ThreadDriver::halt() {
  if (client_ == nullptr) return;
  client_ = nullptr;
  run_.stop();
  thread_.join();
}

void ThreadDriver::on_env_end(void* self) { static_cast<ThreadDriver*>(self)->halt(); }

void ThreadDriver::on_finalize(napi_env /*env*/, void* self, void* /*hint*/) {
  delete static_cast<ThreadDriver*>(self);
}

}  // namespace carronade::node
