/** What tests use of this folder; sources import the files themselves. */

export { leadOf, markdownZones } from "./context/markdown-zones.ts";
export { scanContents } from "./scan-contents.ts";
export { scanFiles, type ScanRuleSettings } from "./scan-files.ts";
export { scanChecks } from "./scan-rules.ts";
export { scanSkill } from "./scan-skill.ts";
export { showEvidence } from "./text/show-evidence.ts";
export { WordFinder } from "./text/word-finder.ts";
