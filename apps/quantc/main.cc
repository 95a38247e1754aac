// quantc: the command line.
#include <fmt/format.h>

#include <cstdio>
#include <utility>
#include <vector>

#include "base/error.h"
#include "commands.h"

namespace {

int run(int argc, char** argv) {
  using namespace quantc;
  CLI::App app{"quantc compiles vision networks to INT8 in standalone C and proves the result.\n"};
  app.footer(
      "examples:\n"
      "  quantc models\n"
      "  quantc compile squeezenet1_1 --weights data/models --calib data/photos -o out\n"
      "  quantc run out data/photos/dog.jpg\n"
      "  quantc sweep squeezenet1_1 --weights data/models --mmalib");
  app.require_subcommand(1);
  std::vector<std::pair<const char*, cli::Command>> commands = {
      {"models", cli::add_models(app)},
      {"compile", cli::add_compile(app)},
      {"run", cli::add_run(app)},
      {"sweep", cli::add_sweep(app)},
      {"inspect", cli::add_inspect(app)},
      {"synth", cli::add_synth(app)},
      {"check-weights", cli::add_check_weights(app)},
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? cli::kPassed : cli::kBadInput;
  }
  for (const auto& [name, command] : commands) {
    if (app.got_subcommand(name)) return command();
  }
  return cli::kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "quantc: {}\n", error.what());
    return quantc::cli::kBadInput;
  }
}
