/** What tests use of this folder; sources import the files themselves. */

export { fenceAfter, htmlComments, withoutCode } from "./body/markdown.ts";
export { createLocator, effectiveSeverity, normalizeText, splitFrontmatter } from "./draft.ts";
export { countCharacters, meantKey } from "./names.ts";
export { parseToolRule } from "./tool-rules.ts";
export { readYaml, resolvePlain, type YamlResult } from "./yaml/read-yaml.ts";
export { createRepairMap, repairYaml } from "./yaml/repair-yaml.ts";
export { type YamlNode, yamlValue, type YamlValue } from "./yaml/yaml-node.ts";
