#include "script/value_transfer.h"

#include <gtest/gtest.h>

#include <lua.hpp>
#include <string>

#include "script/lua_state.h"

namespace carronade::script {
namespace {

class Transfer : public ::testing::Test {
 protected:
  // Copies the value of an expression to the other state as the global x; its fault or "".
  std::string copy(const std::string& expression) {
    EXPECT_TRUE(from_.run_text("value = " + expression, "test"));
    lua_getglobal(from_.get(), "value");
    const int before = lua_gettop(to_.get());
    const char* const fault = transfer(from_.get(), -1, to_.get());
    lua_pop(from_.get(), 1);
    EXPECT_EQ(lua_gettop(from_.get()), 0);
    EXPECT_EQ(lua_gettop(to_.get()), before + (fault == nullptr ? 1 : 0));
    if (fault != nullptr) return fault;
    lua_setglobal(to_.get(), "x");
    return "";
  }
  // Whether the condition holds over there.
  bool holds(const std::string& condition) {
    const auto ran = to_.run_text("assert(" + condition + ")", "test");
    return ran.has_value();
  }

  LuaState from_ = LuaState::create().value();
  LuaState to_ = LuaState::create().value();
};

TEST_F(Transfer, PlainValues) {
  EXPECT_EQ(copy("nil"), "");
  EXPECT_TRUE(holds("x == nil"));
  EXPECT_EQ(copy("true"), "");
  EXPECT_TRUE(holds("x == true"));
  EXPECT_EQ(copy("1.5"), "");
  EXPECT_TRUE(holds("x == 1.5"));
  EXPECT_EQ(copy("'a\\0b'"), "");
  EXPECT_TRUE(holds("x == 'a\\0b' and #x == 3"));
}

TEST_F(Transfer, NestedTables) {
  EXPECT_EQ(copy("{1, 2, {a = {b = 'c'}}, [true] = false}"), "");
  EXPECT_TRUE(holds("#x == 3 and x[3].a.b == 'c' and x[true] == false"));
}

TEST_F(Transfer, WhatCannotBeCopied) {
  EXPECT_EQ(copy("print"), "function");
  EXPECT_EQ(copy("{1, {2, io.stdout}}"), "userdata");
  EXPECT_EQ(copy("{[print] = 1}"), "function");
  EXPECT_EQ(copy("coroutine.create(print)"), "thread");
}

TEST_F(Transfer, CyclesEnd) {
  EXPECT_EQ(copy("(function() local t = {}; t.t = t; return t end)()"),
            "table (nested too deeply)");
}

TEST_F(Transfer, WithinOneState) {
  ASSERT_TRUE(from_.run_text("value = {1, {2}}", "test"));
  lua_State* const state = from_.get();
  lua_getglobal(state, "value");
  ASSERT_EQ(transfer(state, -1, state), nullptr);
  EXPECT_EQ(lua_gettop(state), 2);
  lua_setglobal(state, "copy");
  EXPECT_TRUE(from_.run_text("assert(copy ~= value and copy[2][1] == 2)", "test"));
}

}  // namespace
}  // namespace carronade::script
