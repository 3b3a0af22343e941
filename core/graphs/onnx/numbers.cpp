// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace p2::inline graphs {
namespace {

using onnx::TensorProto;

template <class Number>
std::optional<std::vector<double>> unpacked(const std::string& raw, std::size_t count) {
  if (raw.size() != count * sizeof(Number)) return std::nullopt;
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    Number number{};
    std::memcpy(&number, raw.data() + i * sizeof(Number), sizeof(Number));
    values[i] = static_cast<double>(number);
  }
  return values;
}

template <class Field>
std::optional<std::vector<double>> listed(const Field& field, std::size_t count) {
  if (static_cast<std::size_t>(field.size()) != count) return std::nullopt;
  std::vector<double> values(count);
  std::transform(field.begin(), field.end(), values.begin(), [](auto number) { return static_cast<double>(number); });
  return values;
}

template <class Number, class Field>
std::optional<std::vector<double>> read(const TensorProto& tensor, const Field& field, std::size_t count) {
  return tensor.has_raw_data() ? unpacked<Number>(tensor.raw_data(), count) : listed(field, count);
}

std::optional<std::vector<double>> valuesOf(const TensorProto& tensor, std::size_t count) {
  switch (tensor.data_type()) {
    case TensorProto::FLOAT:
      return read<float>(tensor, tensor.float_data(), count);
    case TensorProto::DOUBLE:
      return read<double>(tensor, tensor.double_data(), count);
    case TensorProto::INT64:
      return read<std::int64_t>(tensor, tensor.int64_data(), count);
    case TensorProto::INT32:
      return read<std::int32_t>(tensor, tensor.int32_data(), count);
    case TensorProto::INT16:
      return read<std::int16_t>(tensor, tensor.int32_data(), count);
    case TensorProto::INT8:
      return read<std::int8_t>(tensor, tensor.int32_data(), count);
    case TensorProto::UINT8:
    case TensorProto::BOOL:
      return read<std::uint8_t>(tensor, tensor.int32_data(), count);
    case TensorProto::UINT16:
      return read<std::uint16_t>(tensor, tensor.int32_data(), count);
    case TensorProto::UINT32:
      return read<std::uint32_t>(tensor, tensor.uint64_data(), count);
    case TensorProto::UINT64:
      return read<std::uint64_t>(tensor, tensor.uint64_data(), count);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::int64_t> smallCount(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || size > kMostNumbers) return std::nullopt;
    count *= size;
    if (count > kMostNumbers) return std::nullopt;
  }
  return count;
}

bool isWholeType(std::int32_t type) {
  constexpr std::int32_t kWhole[] = {TensorProto::INT64,  TensorProto::INT32,  TensorProto::INT16,
                                     TensorProto::INT8,   TensorProto::UINT8,  TensorProto::UINT16,
                                     TensorProto::UINT32, TensorProto::UINT64, TensorProto::BOOL};
  return std::find(std::begin(kWhole), std::end(kWhole), type) != std::end(kWhole);
}

bool isFloatingType(std::int32_t type) {
  constexpr std::int32_t kFloating[] = {TensorProto::FLOAT, TensorProto::DOUBLE, TensorProto::FLOAT16,
                                        TensorProto::BFLOAT16};
  // Of later versions than the library's: four formats of 8 bits.
  return std::find(std::begin(kFloating), std::end(kFloating), type) != std::end(kFloating) ||
         (type >= 17 && type <= 20);
}

std::int64_t wholeFrom(double number) {
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  if (std::isnan(number)) return 0;
  if (number >= kEnd) return std::numeric_limits<std::int64_t>::max();
  if (number < -kEnd) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(number);
}

Shape wholesFrom(const OnnxNumbers& numbers) {
  Shape wholes(numbers.values.size());
  std::transform(numbers.values.begin(), numbers.values.end(), wholes.begin(), wholeFrom);
  return wholes;
}

OnnxNumbers listOf(const Shape& numbers) {
  OnnxNumbers list{TensorProto::INT64, {static_cast<std::int64_t>(numbers.size())}, {}};
  for (const std::int64_t number : numbers) list.values.push_back(static_cast<double>(number));
  return list;
}

std::optional<OnnxNumbers> numbersFrom(const TensorProto& tensor) {
  const Shape shape(tensor.dims().begin(), tensor.dims().end());
  const auto count = smallCount(shape);
  if (!count || tensor.data_location() == TensorProto::EXTERNAL) return std::nullopt;
  auto values = valuesOf(tensor, static_cast<std::size_t>(*count));
  if (!values) return std::nullopt;
  return OnnxNumbers{tensor.data_type(), shape, std::move(*values)};
}

TensorProto tensorFrom(const OnnxNumbers& numbers) {
  TensorProto tensor;
  tensor.set_data_type(numbers.type);
  tensor.mutable_dims()->Add(numbers.shape.begin(), numbers.shape.end());
  for (const double value : numbers.values) {
    switch (numbers.type) {
      case TensorProto::FLOAT:
        tensor.add_float_data(static_cast<float>(value));
        break;
      case TensorProto::DOUBLE:
        tensor.add_double_data(value);
        break;
      case TensorProto::INT64:
        tensor.add_int64_data(wholeFrom(value));
        break;
      case TensorProto::UINT32:
      case TensorProto::UINT64:
        tensor.add_uint64_data(static_cast<std::uint64_t>(wholeFrom(std::max(value, 0.0))));
        break;
      default:
        tensor.add_int32_data(static_cast<std::int32_t>(std::clamp<std::int64_t>(
            wholeFrom(value), std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max())));
    }
  }
  return tensor;
}

}  // namespace p2::inline graphs
