export { actionDefinitions } from "./action-definitions.ts";
export { readWritten } from "./read-turn.ts";
