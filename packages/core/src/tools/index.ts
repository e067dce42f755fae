export { createTools, type CreateToolsOptions } from "./create-tools.ts";
