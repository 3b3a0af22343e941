// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/messages.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace p2 {
namespace {

using Json = nlohmann::ordered_json;

/// Thrown inside messageFrom() only; the sentence of its error.
struct Malformed {
  std::string sentence;
};

const Json& member(const Json& in, const char* key) {
  const auto found = in.find(key);
  if (found == in.end()) throw Malformed{std::string("\"") + key + "\" is missing"};
  return *found;
}

[[noreturn]] void refuse(const char* key, const char* need) {
  throw Malformed{std::string("\"") + key + "\" must be " + need};
}

std::string text(const Json& in, const char* key) {
  const Json& value = member(in, key);
  if (!value.is_string()) refuse(key, "a text");
  return value.get<std::string>();
}

double number(const Json& in, const char* key) {
  const Json& value = member(in, key);
  if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0) {
    refuse(key, "a number of 0 or more");
  }
  return value.get<double>();
}

std::int64_t whole(const Json& in, const char* key, std::int64_t most = INT32_MAX) {
  const Json& value = member(in, key);
  if (!value.is_number_integer() || value < 0 || value > most) refuse(key, "a whole number in range");
  return value.get<std::int64_t>();
}

int count(const Json& in, const char* key) { return static_cast<int>(whole(in, key)); }

bool truth(const Json& in, const char* key) {
  const Json& value = member(in, key);
  if (!value.is_boolean()) refuse(key, "true or false");
  return value.get<bool>();
}

const Json& list(const Json& in, const char* key) {
  const Json& value = member(in, key);
  if (!value.is_array()) refuse(key, "a list");
  return value;
}

std::vector<std::string> texts(const Json& in, const char* key) {
  std::vector<std::string> values;
  for (const Json& value : list(in, key)) {
    if (!value.is_string()) refuse(key, "a list of texts");
    values.push_back(value.get<std::string>());
  }
  return values;
}

const Json& object(const Json& value, const char* key) {
  if (!value.is_object()) refuse(key, "an object");
  return value;
}

Json json(const Spread& spread) { return {{"min", spread.min}, {"median", spread.median}, {"max", spread.max}}; }

Spread spread(const Json& in, const char* key) {
  const Json& value = object(member(in, key), key);
  return {number(value, "min"), number(value, "median"), number(value, "max")};
}

Json json(const Launch& launch) {
  Json environment = Json::object();
  for (const auto& [name, value] : launch.environment) environment[name] = value;
  return {{"launcher", launch.launcher}, {"hostfile", launch.hostfile}, {"slots", launch.mostRanks},
          {"by_node", launch.byNode},    {"environment", environment},  {"arguments", launch.arguments}};
}

Launch launch(const Json& in) {
  Launch result{text(in, "launcher"),  text(in, "hostfile"), count(in, "slots"), truth(in, "by_node"), {},
                texts(in, "arguments")};
  for (const auto& [name, value] : object(member(in, "environment"), "environment").items()) {
    if (!value.is_string()) refuse("environment", "an object of texts");
    result.environment.emplace_back(name, value.get<std::string>());
  }
  return result;
}

Json json(const RunResult& result) {
  Json steps = Json::array();
  for (const StepRun& step : result.steps) {
    steps.push_back({{"collective", step.collective},
                     {"members", step.members},
                     {"bytes", step.bytes},
                     {"seconds", json(step.seconds)},
                     {"algorithm_bandwidth", step.algorithmBandwidth},
                     {"bus_bandwidth", step.busBandwidth}});
  }
  return {{"backend", result.backend},       {"library", result.library},
          {"version", result.version},       {"plan_hash", result.planHash},
          {"hosts", result.hosts},           {"bytes", result.bytes},
          {"repeat", result.repeat},         {"wrong_elements", result.wrongElements},
          {"seconds", json(result.seconds)}, {"steps", std::move(steps)}};
}

RunResult result(const Json& in) {
  RunResult value{text(in, "backend"),   text(in, "library"),
                  text(in, "version"),   text(in, "plan_hash"),
                  texts(in, "hosts"),    number(in, "bytes"),
                  count(in, "repeat"),   whole(in, "wrong_elements", INT64_MAX),
                  spread(in, "seconds"), {}};
  for (const Json& step : list(in, "steps")) {
    object(step, "steps");
    value.steps.push_back({text(step, "collective"), whole(step, "members", INT64_MAX), number(step, "bytes"),
                           spread(step, "seconds"), number(step, "algorithm_bandwidth"),
                           number(step, "bus_bandwidth")});
  }
  return value;
}

struct Writer {
  Json operator()(const Hello& m) const {
    return {{"type", "hello"}, {"protocol", m.protocol}, {"version", m.version}, {"host", m.host}};
  }
  Json operator()(const Capabilities& m) const {
    Json backends = Json::array();
    for (const BackendState& backend : m.backends) {
      backends.push_back({{"name", backend.name}, {"library", backend.library}, {"why", backend.why}});
    }
    return {{"type", "capabilities"},
            {"backends", std::move(backends)},
            {"launchers", m.launchers},
            {"devices", m.devices},
            {"cores", m.cores}};
  }
  Json operator()(const RunRequest& m) const {
    return {{"type", "run"},           {"id", m.id},         {"plan", m.plan},     {"backend", m.backend},
            {"bytes", m.bytes},        {"repeat", m.repeat}, {"warmup", m.warmup}, {"time_limit", m.timeLimit},
            {"launch", json(m.launch)}};
  }
  Json operator()(const RunProgress& m) const {
    return {{"type", "progress"},           {"id", m.id},     {"phase", m.phase}, {"repetition", m.repetition},
            {"repetitions", m.repetitions}, {"step", m.step}, {"steps", m.steps}};
  }
  Json operator()(const RunFinished& m) const { return {{"type", "result"}, {"id", m.id}, {"result", json(m.result)}}; }
  Json operator()(const RunFailed& m) const {
    return {{"type", "error"}, {"id", m.id}, {"message", m.message}, {"cancelled", m.cancelled}};
  }
  Json operator()(const RunLog& m) const { return {{"type", "log"}, {"id", m.id}, {"text", m.text}}; }
  Json operator()(const CancelRun& m) const { return {{"type", "cancel"}, {"id", m.id}}; }
  Json operator()(const Alive&) const { return {{"type", "alive"}}; }
};

Message readCapabilities(const Json& in) {
  Capabilities value{{}, texts(in, "launchers"), texts(in, "devices"), count(in, "cores")};
  for (const Json& backend : list(in, "backends")) {
    object(backend, "backends");
    value.backends.push_back({text(backend, "name"), text(backend, "library"), text(backend, "why")});
  }
  return value;
}

Message readRun(const Json& in) {
  return RunRequest{count(in, "id"),          text(in, "plan"),
                    text(in, "backend"),      number(in, "bytes"),
                    count(in, "repeat"),      count(in, "warmup"),
                    number(in, "time_limit"), launch(object(member(in, "launch"), "launch"))};
}

Message readProgress(const Json& in) {
  return RunProgress{count(in, "id"),          text(in, "phase"), count(in, "repetition"),
                     count(in, "repetitions"), count(in, "step"), count(in, "steps")};
}

struct Reader {
  const char* type;
  Message (*read)(const Json&);
};

constexpr Reader kReaders[] = {
    {"hello",
     [](const Json& in) -> Message {
       return Hello{count(in, "protocol"), text(in, "version"), text(in, "host")};
     }},
    {"capabilities", readCapabilities},
    {"run", readRun},
    {"progress", readProgress},
    {"result",
     [](const Json& in) -> Message {
       return RunFinished{count(in, "id"), result(object(member(in, "result"), "result"))};
     }},
    {"error",
     [](const Json& in) -> Message {
       return RunFailed{count(in, "id"), text(in, "message"), truth(in, "cancelled")};
     }},
    {"log",
     [](const Json& in) -> Message {
       return RunLog{count(in, "id"), text(in, "text")};
     }},
    {"cancel", [](const Json& in) -> Message { return CancelRun{count(in, "id")}; }},
    {"alive", [](const Json&) -> Message { return Alive{}; }},
};

}  // namespace

std::string messageLine(const Message& message) {
  return std::visit(Writer{}, message).dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Result<Message> messageFrom(std::string_view line) {
  const Json in = Json::parse(line, nullptr, false);
  if (!in.is_object()) return Error{"not a message: \"" + std::string(line.substr(0, 80)) + "\""};
  try {
    const std::string type = text(in, "type");
    for (const Reader& reader : kReaders) {
      if (type == reader.type) return reader.read(in);
    }
    return Error{"there is no message \"" + type.substr(0, 80) + "\""};
  } catch (const Malformed& malformed) {
    return Error{"a message is malformed: " + malformed.sentence};
  }
}

}  // namespace p2
