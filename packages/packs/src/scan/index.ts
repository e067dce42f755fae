/** What tests use of this folder; sources import the files themselves. */

export { leadOf, markdownZones } from "./context/markdown-zones.ts";
export { PATTERN_RULES, patternRuleIds } from "./rules/pattern-rules.ts";
export { javascriptFlows } from "./flow-javascript.ts";
export { pythonFlows } from "./flow-python.ts";
export { scanContents } from "./scan-contents.ts";
export { scanFiles, type ScanRuleSettings } from "./scan-files.ts";
export { scanChecks } from "./scan-rules.ts";
export { scanSkill } from "./scan-skill.ts";
export { showEvidence } from "./text/show-evidence.ts";
export { WordFinder } from "./text/word-finder.ts";
