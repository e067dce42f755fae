export { actionDefinitions } from "./action.ts";
export { readWritten } from "./read-turn.ts";
