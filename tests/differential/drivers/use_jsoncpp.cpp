#include <json/json.h>
#include <cstdio>
#include <memory>
#include <sstream>
int main() {
  Json::Value root;
  std::istringstream text("{\"name\": \"n\\u00e9\", \"list\": [1, 2.5, true, null, -3], \"in\": {\"a\": {\"b\": [[], {}]}} // c\n}");
  Json::CharReaderBuilder builder;
  std::string errors;
  if (!Json::parseFromStream(builder, text, &root, &errors)) return 1;
  double sum = 0;
  for (const Json::Value& value : root["list"])
    if (value.isNumeric()) sum += value.asDouble();
  root["added"]["deep"] = Json::Value(Json::arrayValue);
  for (int i = 0; i < 3; i++) root["added"]["deep"].append(i * 1.5);
  root.removeMember("name");
  Json::StreamWriterBuilder writer;
  writer["indentation"] = " ";
  std::string written = Json::writeString(writer, root);
  Json::Value wrong;
  std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
  const char bad[] = "{\"a\" 1}";
  bool read = reader->parse(bad, bad + sizeof bad - 1, &wrong, &errors);
  std::printf("%g %zu %d %s\n", sum, written.size(), read, errors.c_str());
  return 0;
}
