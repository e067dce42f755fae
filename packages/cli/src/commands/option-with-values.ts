import { Option } from "commander";

/**
 * An option with fixed values, which help and completion show. Unlike those of `choices` they are
 * not checked here: the command does, and says more.
 */
export function optionWithValues(
  flags: string,
  description: string,
  values: readonly string[],
): Option {
  const option = new Option(flags, description);
  option.argChoices = [...values];
  return option;
}

/** The values of an option that can be given several times. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
