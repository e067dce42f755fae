export { runAgent } from "./run-agent.ts";
export type { RunResult } from "./loop/drive-run.ts";
