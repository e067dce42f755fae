/** What tests use of this folder; sources import the files themselves. */

export { htmlComments } from "./body/html-comments.ts";
export { fenceAfter, withoutCode } from "./body/without-code.ts";
export { effectiveSeverity } from "./rules/rule.ts";
export { countCharacters } from "./text/count-characters.ts";
export { createLocator } from "./text/locator.ts";
export { normalizeText } from "./text/normalize-text.ts";
export { splitFrontmatter } from "./text/split-frontmatter.ts";
export { parseToolRule } from "./tool-rules/parse-tool-rules.ts";
export { readSimpleYaml } from "./yaml/read-simple-yaml.ts";
export { readYaml, type YamlResult } from "./yaml/read-yaml.ts";
export { createRepairMap, isSurelyBroken, repairYaml } from "./yaml/repair-yaml.ts";
export { resolvePlain } from "./yaml/resolve-plain.ts";
export { UNUSUAL } from "./yaml/unusual-characters.ts";
export { type YamlNode, type YamlValue, yamlValue } from "./yaml/yaml-node.ts";
export { meantKey } from "./fields/known-keys.ts";
