// What the page of `vegeta plot` carries: vegeta_plot_page.css and vegeta_plot_page.js, made a
// source file by CMake.
#pragma once

#include <string_view>

namespace carronade::dialects::vegeta {

std::string_view plot_css();
std::string_view plot_script();

}  // namespace carronade::dialects::vegeta
