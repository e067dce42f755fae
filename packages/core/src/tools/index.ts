export { createTools } from "./create-tools.ts";
