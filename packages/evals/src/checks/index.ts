/** What tests use of this folder; sources import the files themselves. */

export { checkLabel } from "./check-label.ts";
export { checkOutput } from "./check-output.ts";
export type { CheckEnvironment } from "./check-verdict.ts";
export { parseJsonPath, valuesAt } from "./check-json.ts";
