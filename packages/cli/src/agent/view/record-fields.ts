import { shellWord } from "../continue-command.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What of a record is a text; anything else is none. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** `tabular-data/scripts/profile.mjs sales.csv` of a `script-start`, as one would type it. */
export function commandText({ skill, script, args }: Fields): string {
  const words = Array.isArray(args) ? args.map(textOf).map(shellWord) : [];
  return [`${textOf(skill)}/${textOf(script)}`, ...words].join(" ");
}
