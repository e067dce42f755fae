/** What tests use of this folder; sources import the files themselves. */

export { findSection, headingsOf, nearTitles } from "./sections.ts";
export { listFiles } from "./list-files.ts";
export { locateLines, memoryContent, readBytes } from "./read-lines.ts";
export { mediaTypeOf } from "./media-type.ts";
export { readFile } from "./read-file.ts";
export { parseSkillPath, quotePath } from "./skill-path.ts";
