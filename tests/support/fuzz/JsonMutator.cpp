//===- JsonMutator.cpp - Changes JSON as a tree ---------------------------===//

#include "JsonMutator.h"
#include "isthmus/Support/Json.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

using namespace isthmus;
using namespace isthmus::fuzz;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// A value, and the key of the value or of the list that contains it.
struct Place {
  json::Value *value;
  StringRef key;
};

} // namespace

static void collect(json::Value &value, StringRef key,
                    std::vector<Place> &places) {
  places.push_back({&value, key});
  if (json::Array *array = value.getAsArray())
    for (json::Value &element : *array)
      collect(element, key, places);
  if (json::Object *object = value.getAsObject())
    for (auto &[name, field] : *object)
      collect(field, name, places);
}

static std::vector<Place> placesOf(json::Value &value) {
  std::vector<Place> places;
  collect(value, "", places);
  return places;
}

/// A copy of a value of the donor, preferably one with the same key.
static json::Value take(const std::vector<Place> &donor, StringRef key,
                        Random &random) {
  size_t first = random.below(donor.size());
  if (!random.oneIn(8))
    for (size_t i = 0; i < donor.size(); ++i)
      if (const Place &place = donor[(first + i) % donor.size()];
          place.key == key)
        return *place.value;
  return *donor[first].value;
}

static void changeArray(json::Array &array, StringRef key,
                        const std::vector<Place> &donor, Random &random) {
  if (array.empty() || random.oneIn(4)) {
    array.insert(array.begin() + random.below(array.size() + 1),
                 take(donor, key, random));
    return;
  }
  size_t from = random.below(array.size()), to = random.below(array.size());
  json::Value copy = array[from];
  switch (random.below(4)) {
  case 0:
    array.erase(array.begin() + from);
    break;
  case 1:
    array.insert(array.begin() + to, std::move(copy));
    break;
  case 2:
    std::swap(array[from], array[to]);
    break;
  default:
    array[to] = std::move(copy);
  }
}

static void changeObject(json::Object &object, const std::vector<Place> &donor,
                         Random &random) {
  std::string key = random.pick(donor).key.str();
  if (object.empty() || random.oneIn(3)) {
    object[key] = take(donor, key, random);
    return;
  }
  auto field = std::next(object.begin(), random.below(object.size()));
  json::Value value = std::move(field->second);
  object.erase(field);
  if (random.oneIn(2)) // otherwise it is removed
    object[key] = std::move(value);
}

static void changeLeaf(json::Value &value, Random &random) {
  if (std::optional<StringRef> text = value.getAsString())
    value = json::fixUTF8(mutateBytes(text->str(), /*most=*/16));
  else if (std::optional<int64_t> number = value.getAsInteger())
    value = random.oneIn(8) ? json::Value(*number + 0.5)
                            : json::Value(random.number(*number));
  else if (std::optional<double> number = value.getAsNumber())
    value = random.oneIn(2) ? -*number : *number * 1e10;
  else if (std::optional<bool> flag = value.getAsBoolean())
    value = !*flag;
  else
    value = random.number(0);
}

std::string fuzz::changeJson(StringRef text, StringRef donor, Random &random) {
  auto root = parseJson(text);
  if (!root) {
    llvm::consumeError(root.takeError());
    return "";
  }
  auto other = parseJson(donor);
  if (!other) {
    llvm::consumeError(other.takeError());
    return "";
  }
  std::vector<Place> taken = placesOf(*other), places = placesOf(*root);
  Place place = random.pick(places);
  if (random.oneIn(3))
    *place.value = take(taken, place.key, random);
  else if (json::Array *array = place.value->getAsArray())
    changeArray(*array, place.key, taken, random);
  else if (json::Object *object = place.value->getAsObject())
    changeObject(*object, taken, random);
  else
    changeLeaf(*place.value, random);
  std::string result;
  llvm::raw_string_ostream(result) << *root;
  return result;
}
