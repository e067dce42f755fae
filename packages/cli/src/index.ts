/** What tests use of this folder; sources import the files themselves. */

export { builtinDirectory } from "./builtin-directory.ts";
export { type Console, createConsole } from "./console.ts";
export { CommandFailure } from "./exit-code.ts";
export { main } from "./main.ts";
export { openSession, openSessionSkills, type SessionOptions } from "@skillwright/app/internal";
export { systemProblem } from "@skillwright/app/internal";
export { VERSION } from "./version.ts";
