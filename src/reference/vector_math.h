// Transcendental functions without branches and library calls, so that compilers vectorize loops
// over them. NaN gives NaN.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace quantc::reference {

/// 2^exponent for -126 <= exponent <= 127.
inline float power_of_two(std::int32_t exponent) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << 23U);
}

/// exp(x) within 2e-7 of its value: x = n * ln(2) + r with |r| <= ln(2) / 2, and the Taylor series
/// of exp(r) to r^7. Infinity above 88.73, subnormal numbers and 0 below -87.33.
inline float exponential(float x) {
  constexpr float kRound = 0x1.8p23F;       // a sum with it is an integer, found in its low bits
  constexpr float kLn2High = 0.693359375F;  // of 9 bits, so that n * kLn2High is exact
  constexpr auto kLn2Low = static_cast<float>(std::numbers::ln2 - 0.693359375);
  const float bounded = std::min(std::max(x, -105.0F), 90.0F);
  const float rounded = bounded * std::numbers::log2e_v<float> + kRound;
  const float n = rounded - kRound;
  const float r = (bounded - n * kLn2High) - n * kLn2Low;
  float series = 1.0F / 5040;
  series = series * r + 1.0F / 720;
  series = series * r + 1.0F / 120;
  series = series * r + 1.0F / 24;
  series = series * r + 1.0F / 6;
  series = series * r + 0.5F;
  series = series * r + 1.0F;
  series = series * r + 1.0F;
  const auto exponent = static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(rounded) -
                                                  std::bit_cast<std::uint32_t>(kRound));
  const std::int32_t half = exponent / 2;  // 2^exponent itself need not be a normal number
  return series * power_of_two(half) * power_of_two(exponent - half);
}

inline float sigmoid(float x) { return 1.0F / (1.0F + exponential(-x)); }

/// The normal distribution's (1 + erf(x / sqrt(2))) / 2 within 1e-7: Abramowitz and Stegun,
/// Handbook of Mathematical Functions, formula 7.1.26.
inline float normal_cdf(float x) {
  const float z = std::abs(x) * (std::numbers::sqrt2_v<float> / 2);
  const float t = 1.0F / (1.0F + 0.3275911F * z);
  float series = 1.061405429F;
  series = series * t - 1.453152027F;
  series = series * t + 1.421413741F;
  series = series * t - 0.284496736F;
  series = series * t + 0.254829592F;
  const float tail = 0.5F * series * t * exponential(-z * z);
  return x < 0 ? tail : 1.0F - tail;
}

}  // namespace quantc::reference
