import { type Command, Help, type Option } from "commander";
import { CommandFailure, EXIT } from "../exit-code.ts";

/**
 * For a command that works alone and has others below it: what it takes is not taken below, unless the one
 * below has the option as well. Commander would assign it to the parent command, which ignores it.
 */
export function keepOptionsApart(upper: Command): void {
  for (const below of upper.commands) {
    below.configureHelp({
      ...below.configureHelp(),
      visibleGlobalOptions(command) {
        const all = Help.prototype.visibleGlobalOptions.call(this, command);
        return all.filter((option) => !upper.options.includes(option));
      },
    });
  }
  upper.hook("preAction", (_, command) => {
    if (command === upper) return;
    const stranger = upper.options.find(
      (option) => isGiven(option, upper) && !hasOption(command, option),
    );
    if (stranger !== undefined) throw refusal(stranger, command, upper);
  });
}

function isGiven(option: Option, command: Command): boolean {
  const name = option.attributeName();
  // `--no-x` and `--x` set the same value.
  const isNegated = command.getOptionValue(name) === false;
  return command.getOptionValueSource(name) === "cli" && option.negate === isNegated;
}

function hasOption(command: Command, { long }: Option): boolean {
  return command.options.some((option) => option.long === long);
}

function refusal(option: Option, command: Command, upper: Command): CommandFailure {
  const owners = [upper, ...upper.commands].filter((one) => hasOption(one, option)).map(nameOf);
  const others = owners.length > 1 ? `${owners.slice(0, -1).join(", ")} and ` : "";
  const message = `${nameOf(command)} has no option ${option.long}: it is one of ${others}${owners.at(-1)}`;
  const hint = `skillwright help ${nameOf(command)} lists what it takes`;
  return new CommandFailure(EXIT.usage, message, { hint });
}

/** `eval trigger`: without the program. */
function nameOf(command: Command): string {
  const above = command.parent;
  return above === null || above.parent === null
    ? command.name()
    : `${nameOf(above)} ${command.name()}`;
}
