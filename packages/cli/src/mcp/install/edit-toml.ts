import { isDeepStrictEqual } from "node:util";
import { parse, type TomlTable } from "smol-toml";
import type { ServerEntry } from "./server-entry.ts";

export type EditedToml =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/**
 * The text with a table for this server at its end. Everything else stays, comments too; the result
 * was parsed again to make sure. An existing entry is left to the person who wrote it.
 */
export function editToml(text: string, key: string, name: string, entry: ServerEntry): EditedToml {
  const table = tableText(key, name, entry);
  const before = parsed(text);
  if (before === undefined) return { ok: false, reason: "it is not valid TOML" };
  const servers = before[key] ?? {};
  const added = parsed(table)?.[key];
  const inAnotherWay = { ok: false, reason: `it writes ${key} in another way` } as const;
  if (!isTable(servers) || !isTable(added)) return inAnotherWay;
  if (Object.hasOwn(servers, name)) {
    if (isDeepStrictEqual(servers[name], added[name])) return { ok: true, text };
    return { ok: false, reason: `it already has an entry for ${name}` };
  }
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text.trim() === "" ? "" : text.endsWith("\n") ? newline : newline + newline;
  const edited = text + gap + table.replaceAll("\n", newline);
  const expected = { ...before, [key]: { ...servers, ...added } };
  return isSame(parsed(edited), expected) ? { ok: true, text: edited } : inAnotherWay;
}

export function tableText(key: string, name: string, { command, args }: ServerEntry): string {
  const list = args.map(tomlText).join(", ");
  return `[${key}.${name}]\ncommand = ${tomlText(command)}\nargs = [${list}]\n`;
}

/** JSON escapes what a basic string has to escape, but for one character. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

function parsed(text: string): TomlTable | undefined {
  try {
    return parse(text, { integersAsBigInt: true, maxDepth: 64 });
  } catch {
    return undefined;
  }
}

function isTable(value: unknown): value is TomlTable {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

/** Tables of the parser and ours have different prototypes, which do not matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isTable(one) || !isTable(other)) return isDeepStrictEqual(one, other);
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}
