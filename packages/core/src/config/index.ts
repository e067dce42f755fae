/** What tests use of this folder; sources import the files themselves. */

export { coversDomain, DOMAIN } from "./domain-pattern.ts";
export { environmentName, environmentOptions } from "./layers/find-files.ts";
export { FOUNDING_SECTIONS, type GivenOption, type Layer } from "./layers/file-options.ts";
export { loadConfiguration, mergeOptions } from "./load-configuration.ts";
export { SAFETY_RULES } from "./narrowing-kinds.ts";
export { NARROWING } from "./narrowing.ts";
export { findOption, type OptionPath } from "./option-path.ts";
export { DEFAULTS } from "./options.ts";
export { optionSchemas } from "./schema.ts";
export { setConfigurationValue } from "./set-value.ts";
export { unreadableRules } from "./unreadable-rules.ts";
export { validateOption, validateOptionText } from "./validate-option.ts";
