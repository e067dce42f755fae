import type { Logger } from "@skillwright/core";
import { escapeHiddenInJson } from "@skillwright/core/internal";
import type { Redactor } from "./redaction/redactor.ts";

type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

export interface StderrLoggerOptions {
  /** What is below it is not written. Default "info". */
  readonly level?: LogLevel;
  /** Lines for people, or one JSON object per line. Default "text". */
  readonly format?: "text" | "json";
  readonly redactor: Redactor;
  readonly stream?: { write(text: string): unknown };
  readonly clock?: () => number;
}

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error", "silent"];
const BARE = /^[\w./:@%+-]+$/;

/** Writes one line per message without secrets, to stderr by default. */
export function createStderrLogger(options: StderrLoggerOptions): Logger {
  const { level = "info", format = "text", redactor, clock = Date.now } = options;
  const stream = options.stream ?? process.stderr;
  const lowest = LEVELS.indexOf(level);
  const lineOf = format === "json" ? jsonLine : textLine;
  const at =
    (name: LogLevel): Logger["info"] =>
    (message, context) => {
      if (LEVELS.indexOf(name) < lowest) return;
      try {
        const time = new Date(clock()).toISOString();
        const fields = context === undefined ? undefined : redactor.redact(context);
        stream.write(`${lineOf(time, name, redactor.redactText(message), fields)}\n`);
      } catch {
        // There is nowhere to report that logging failed.
      }
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function jsonLine(time: string, level: string, message: string, context: unknown): string {
  return escapeHiddenInJson(JSON.stringify({ schemaVersion: 1, time, level, message, context }));
}

function textLine(time: string, level: string, message: string, context: unknown): string {
  const fields = Object.entries(context ?? {}).map(([key, value]) => `${key}=${textOf(value)}`);
  return escapeHiddenInJson([time, level.padEnd(5), message, ...fields].join(" "));
}

function textOf(value: unknown): string {
  return typeof value === "string" && BARE.test(value) ? value : JSON.stringify(value);
}
