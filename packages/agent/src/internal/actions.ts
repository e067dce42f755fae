export { actionDefinitions } from "../actions/action.ts";
export { readWritten } from "../actions/read-turn.ts";
