import type { Scope } from "./client-file.ts";

/** What a client starts. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

export interface EntryOptions {
  readonly scope: Scope;
  /** The Node and the file of this command line. */
  readonly program: readonly [node: string, file: string];
  /** Given to `skillwright mcp`. */
  readonly args: readonly string[];
}

/**
 * A user's clients may not have our folder in their PATH, so that they get whole paths. A project's
 * file is for other machines too, where only the name is the same.
 */
export function serverEntry({ scope, program: [node, file], args }: EntryOptions): ServerEntry {
  if (scope === "project") return { command: "skillwright", args: ["mcp", ...args] };
  return { command: node, args: [file, "mcp", ...args] };
}
