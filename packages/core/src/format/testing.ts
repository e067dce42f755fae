/** What tests use of this folder; sources import the files themselves. */

export { fenceAfter, htmlComments, withoutCode } from "./body/without-code.ts";
export { effectiveSeverity } from "./rules/rule.ts";
export { countCharacters } from "./text/skill-name.ts";
export { createLocator } from "./reporter.ts";
export { normalizeText, splitFrontmatter } from "./text/split-frontmatter.ts";
export { parseToolRule } from "./tool-rules.ts";
export { readYaml, resolvePlain, type YamlResult } from "./yaml/read-yaml.ts";
export { createRepairMap, repairYaml } from "./yaml/repair-yaml.ts";
export { type YamlNode, yamlValue, type YamlValue } from "./yaml/yaml-node.ts";
export { meantKey } from "./fields/known-keys.ts";
