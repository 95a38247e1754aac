// Expressions that select networks, as pytest's -k reads them.
#include "sweep/name_filter.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace quantc::sweep {
namespace {

TEST(NameFilter, Selects) {
  struct Row {
    const char* expression;
    const char* name;
    bool selected;
  };
  const Row rows[] = {
      {"resnet", "wide_resnet50_2", true},
      {"resnet and not wide", "wide_resnet50_2", false},
      {"resnet and not wide", "resnet18", true},
      {"vgg or alex", "alexnet", true},
      {"vgg or alex and bn", "vgg11", true},  // and binds tighter
      {"(vgg or alex) and bn", "vgg11", false},
      {"(vgg or alex) and bn", "vgg11_bn", true},
      {"not not vgg", "vgg11", true},
      {"not(vgg)", "vgg11", false},
      {"android", "mobilenet_v2", false},  // a word that starts with an operator
  };
  for (const Row& row : rows) {
    EXPECT_EQ(matches(row.expression, row.name), row.selected) << row.expression << " " << row.name;
  }
}

TEST(NameFilter, RefusesWhatIsNoExpression) {
  for (const char* expression : {"", "and", "vgg and", "vgg alex", "(vgg", "vgg)", "not"}) {
    EXPECT_THROW(matches(expression, "vgg11"), InputError) << expression;
  }
}

}  // namespace
}  // namespace quantc::sweep
