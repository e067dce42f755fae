import { quoteLine } from "@skillwright/core/internal";
import { shellWord } from "../continue-command.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Reads a text field of a record; other types are ignored. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** `tabular-data/scripts/profile.mjs sales.csv` of a `script-start`, as one would type it. */
export function commandText({ skill, script, args }: Fields): string {
  const words = Array.isArray(args) ? args.map(textOf).map(shellWord) : [];
  return [`${textOf(skill)}/${textOf(script)}`, ...words].join(" ");
}

const SUBJECTS = ["path", "query", "pattern", "command", "url"] as const;

const MAX_SUBJECT = 300;

/** The part of a tool's input that says best what it is called for, on one line: a path, a query, a command. */
export function inputSubject(input: unknown): string {
  const fields = (typeof input === "object" && input !== null ? input : {}) as Fields;
  const { argv } = fields;
  const key = SUBJECTS.find((one) => typeof fields[one] === "string");
  const words = Array.isArray(argv) ? argv.map(textOf).map(shellWord) : undefined;
  return quoteLine(words?.join(" ") ?? (key === undefined ? "" : textOf(fields[key])), MAX_SUBJECT);
}
