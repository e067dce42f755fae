export { actionSchema } from "./action.ts";
export { actionDefinitions } from "./action-definitions.ts";
