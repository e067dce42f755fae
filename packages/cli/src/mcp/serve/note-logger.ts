import type { Logger } from "@skillwright/core";
import type { Console } from "../../console.ts";
import { visibleText } from "../../terminal/visible-text.ts";

const MAX_FIELDS = 500;

/** Goes to stderr: stdout may be the protocol's. */
export function noteLogger(console: Console): Logger {
  const note =
    (level: string): Logger["warn"] =>
    (message, fields = {}) => {
      const why = Object.keys(fields).length === 0 ? "" : ` ${JSON.stringify(fields)}`;
      console.note(visibleText(`${level}: ${message}${why.slice(0, MAX_FIELDS)}`));
    };
  const verbose = console.verbose ? note("note") : () => undefined;
  return { debug: verbose, info: verbose, warn: note("warning"), error: note("error") };
}
