import type { Console } from "../console.ts";
import type { ExitCode } from "../exit-code.ts";

/** The body of a command; gets commander's arguments, the last of which is the command itself. */
type CommandBody = (args: unknown[], console: Console) => Promise<ExitCode>;

/** Turns a body into a commander action that records how it ended. */
export type WrapAction = (body: CommandBody) => (...args: unknown[]) => Promise<void>;
