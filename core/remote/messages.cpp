// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/messages.h"

#include "runs/result_json.h"
#include "text/json_document.h"
#include "text/json_value.h"

namespace p2::inline remote {
namespace {

constexpr std::string_view kNeedMessage = "the other side speaks another protocol";
constexpr double kMostNumber = 1e18;  // most seconds, bytes and bytes per second; higher values are damage

std::string text(const JsonValue& in, const char* key) { return in.at(key, kNeedMessage).text(kNeedMessage); }

double number(const JsonValue& in, const char* key) {
  return in.at(key, kNeedMessage).number(0, kMostNumber, "it must be a number from 0 to 1e18");
}

std::int64_t whole(const JsonValue& in, const char* key, std::int64_t most = INT32_MAX) {
  return in.at(key, kNeedMessage).whole(0, most, "it must be a whole number of 0 or more");
}

int count(const JsonValue& in, const char* key) { return static_cast<int>(whole(in, key)); }

bool truth(const JsonValue& in, const char* key) { return in.at(key, kNeedMessage).boolean(kNeedMessage); }

std::vector<JsonValue> list(const JsonValue& in, const char* key) {
  return in.at(key, kNeedMessage).items(kNeedMessage);
}

/// A side that knows no pieces leaves them out and runs one step after the other.
int pieces(const JsonValue& in) { return in.has("pieces") ? count(in, "pieces") : 1; }

std::vector<std::string> texts(const JsonValue& in, const char* key) {
  std::vector<std::string> values;
  for (const JsonValue& value : list(in, key)) values.push_back(value.text("it must be a list of strings"));
  return values;
}

Spread spread(const JsonValue& in, const char* key) {
  const JsonValue value = in.at(key, kNeedMessage);
  return {number(value, "min"), number(value, "median"), number(value, "max")};
}

Json json(const Launch& launch) {
  Json environment = Json::object();
  for (const auto& [name, value] : launch.environment) environment[name] = value;
  return {{"launcher", launch.launcher}, {"hostfile", launch.hostfile}, {"slots", launch.mostRanks},
          {"by_node", launch.byNode},    {"environment", environment},  {"arguments", launch.arguments}};
}

Launch launch(const JsonValue& in) {
  Launch result{text(in, "launcher"),  text(in, "hostfile"), count(in, "slots"), truth(in, "by_node"), {},
                texts(in, "arguments")};
  for (const auto& [name, value] : in.at("environment", kNeedMessage).members(kNeedMessage)) {
    result.environment.emplace_back(name, value.text("it must be an object of strings"));
  }
  return result;
}

RunResult result(const JsonValue& in) {
  RunResult value{text(in, "backend"),   text(in, "library"),
                  text(in, "version"),   text(in, "plan_hash"),
                  texts(in, "hosts"),    Bytes(number(in, "bytes")),
                  count(in, "repeat"),   whole(in, "wrong_elements", INT64_MAX),
                  spread(in, "seconds"), {}};
  for (const JsonValue& step : list(in, "steps")) {
    value.steps.push_back({text(step, "collective"), whole(step, "members", INT64_MAX), Bytes(number(step, "bytes")),
                           spread(step, "seconds"), number(step, "algorithm_bandwidth"),
                           number(step, "bus_bandwidth")});
  }
  value.pieces = pieces(in);
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
    return {{"type", "run"},
            {"id", m.id},
            {"plan", m.plan},
            {"backend", m.backend},
            {"bytes", m.bytes.value()},
            {"repeat", m.repeat},
            {"warmup", m.warmup},
            {"time_limit", m.timeLimit},
            {"launch", json(m.launch)},
            {"pieces", m.pieces}};
  }
  Json operator()(const RunProgress& m) const {
    return {{"type", "progress"},           {"id", m.id},     {"phase", m.phase}, {"repetition", m.repetition},
            {"repetitions", m.repetitions}, {"step", m.step}, {"steps", m.steps}};
  }
  Json operator()(const RunFinished& m) const {
    return {{"type", "result"}, {"id", m.id}, {"result", resultJson(m.result)}};
  }
  Json operator()(const RunFailed& m) const {
    return {{"type", "error"}, {"id", m.id}, {"message", m.message}, {"cancelled", m.cancelled}};
  }
  Json operator()(const RunLog& m) const { return {{"type", "log"}, {"id", m.id}, {"text", m.text}}; }
  Json operator()(const CancelRun& m) const { return {{"type", "cancel"}, {"id", m.id}}; }
  Json operator()(const Alive&) const { return {{"type", "alive"}}; }
};

Message readCapabilities(const JsonValue& in) {
  Capabilities value{{}, texts(in, "launchers"), texts(in, "devices"), count(in, "cores")};
  for (const JsonValue& backend : list(in, "backends")) {
    value.backends.push_back({text(backend, "name"), text(backend, "library"), text(backend, "why")});
  }
  return value;
}

Message readRun(const JsonValue& in) {
  return RunRequest{
      count(in, "id"),     text(in, "plan"),    text(in, "backend"),      Bytes(number(in, "bytes")),
      count(in, "repeat"), count(in, "warmup"), number(in, "time_limit"), launch(in.at("launch", kNeedMessage)),
      pieces(in)};
}

Message readProgress(const JsonValue& in) {
  return RunProgress{count(in, "id"),          text(in, "phase"), count(in, "repetition"),
                     count(in, "repetitions"), count(in, "step"), count(in, "steps")};
}

struct Reader {
  const char* type;
  Message (*read)(const JsonValue&);
};

constexpr Reader kReaders[] = {
    {"hello",
     [](const JsonValue& in) -> Message {
       return Hello{count(in, "protocol"), text(in, "version"), text(in, "host")};
     }},
    {"capabilities", readCapabilities},
    {"run", readRun},
    {"progress", readProgress},
    {"result",
     [](const JsonValue& in) -> Message {
       return RunFinished{count(in, "id"), result(in.at("result", kNeedMessage))};
     }},
    {"error",
     [](const JsonValue& in) -> Message {
       return RunFailed{count(in, "id"), text(in, "message"), truth(in, "cancelled")};
     }},
    {"log",
     [](const JsonValue& in) -> Message {
       return RunLog{count(in, "id"), text(in, "text")};
     }},
    {"cancel", [](const JsonValue& in) -> Message { return CancelRun{count(in, "id")}; }},
    {"alive", [](const JsonValue&) -> Message { return Alive{}; }},
};

}  // namespace

std::string messageLine(const Message& message) { return jsonLine(std::visit(Writer{}, message)); }

Result<Message> messageFrom(std::string_view line) {
  const auto json = parseJson(line);
  if (!json.ok() || !json->is_object()) return Error{"not a message: \"" + std::string(line.substr(0, 80)) + "\""};
  std::optional<Error> problem;
  const JsonValue in(*json, problem);
  const std::string type = text(in, "type");
  for (const Reader& reader : kReaders) {
    if (problem || type != reader.type) continue;
    Message message = reader.read(in);
    if (!problem) return message;
  }
  if (problem) return Error{"a message is malformed: " + problem->text()};
  return Error{"there is no message \"" + type.substr(0, 80) + "\""};
}

}  // namespace p2::inline remote
