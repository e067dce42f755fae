/** What tests use of this folder; sources import the files themselves. */

export { coversDomain, DOMAIN } from "./domain-pattern.ts";
export { environmentName, environmentOptions } from "./find-files.ts";
export { FOUNDING_SECTIONS, type GivenOption, type Layer } from "./file-options.ts";
export { findManagedFile } from "./managed-file.ts";
export { loadConfiguration, mergeOptions } from "./load-configuration.ts";
export { SAFETY_RULES } from "./narrowing.ts";
export { OPTIONS } from "./option-table.ts";
export { DEFAULTS, findOption, type OptionPath } from "./options.ts";
export { setConfigurationValue } from "./set-value.ts";
export { unreadableRules, validateOption, validateOptionText } from "./validate-option.ts";
