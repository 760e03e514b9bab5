// Special functions that more than one file of kernels takes.
#pragma once

namespace tenon::native {

inline constexpr double kPi = 3.14159265358979323846;

double digamma(double x);
double log_gamma(double x);  // std::lgamma writes a global variable

}  // namespace tenon::native
