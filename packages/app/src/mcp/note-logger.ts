import type { Logger } from "@skillwright/core";
import { truncate, visibleLine } from "@skillwright/core/internal";
import type { AppHost } from "../host.ts";

const MAX_FIELDS = 500;

/** Goes to stderr: stdout may be the protocol's. */
export function noteLogger(host: AppHost): Logger {
  const note =
    (level: string): Logger["warn"] =>
    (message, fields = {}) => {
      const why = Object.keys(fields).length === 0 ? "" : ` ${JSON.stringify(fields)}`;
      host.note(visibleLine(`${level}: ${message}${truncate(why, MAX_FIELDS)}`));
    };
  const verbose = host.verbose ? note("note") : () => undefined;
  return { debug: verbose, info: verbose, warn: note("warning"), error: note("error") };
}
