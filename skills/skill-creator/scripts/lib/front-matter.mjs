import { UsageError } from "./command.mjs";

const KEY = /^([A-Za-z][\w-]*):(?:\s+(.*))?$/;

/**
 * The simple part of YAML that front matter is written in: plain, quoted and block texts, and one
 * level of `key: value` below a key. Lines beyond that come back as `unread`.
 */
export function readFrontMatter(text) {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") return undefined;
  const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === "---");
  if (end === -1) return undefined;
  const { values, unread, repeated } = readLines(lines.slice(1, end));
  return { values, unread, repeated, body: lines.slice(end + 1).join("\n") };
}

function readLines(lines) {
  const values = new Map();
  const unread = [];
  const repeated = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i].trimEnd();
    if (line === "" || line.startsWith("#")) continue;
    const [, key, rest = ""] = KEY.exec(line) ?? [];
    const below = [];
    while (i + 1 < lines.length && /^(?:\s|$)/.test(lines[i + 1])) below.push(lines[++i]);
    const value = key === undefined ? undefined : valueOf(rest.trim(), below);
    if (key !== undefined && values.has(key)) repeated.push(key);
    if (value === undefined) unread.push(line);
    else values.set(key, value);
  }
  return { values, unread, repeated };
}

function valueOf(first, below) {
  const lines = below.map((line) => line.trim());
  if (/^[|>][+-]?$/.test(first)) return blockText(lines, first.startsWith("|") ? "\n" : " ");
  const whole = [first, ...lines].filter((line) => line !== "").join(" ");
  if (first === "")
    return lines.every((line) => /^(?:$|#|[\w.-]+:|- )/.test(line)) ? { below: lines } : whole;
  if (whole.startsWith('"')) return doubleQuoted(whole);
  if (whole.startsWith("'"))
    return /^'(?:[^']|'')*'$/.test(whole) ? whole.slice(1, -1).replaceAll("''", "'") : undefined;
  // A plain text that other readers take for something else.
  if (/^[&*!%@`[{]|:\s/.test(whole)) return undefined;
  return whole.replace(/\s+#.*$/, "");
}

function blockText(lines, between) {
  return lines.join("\n").trim().split("\n").join(between);
}

function doubleQuoted(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value as YAML takes it: plain when that is safe, otherwise in double quotes. */
export function frontMatterValue(text) {
  const isPlain =
    /^[\p{L}][^\n\\"'#:`{}[\]&*!|>%@]*$/u.test(text) &&
    !/^(?:true|false|null|yes|no|on|off|~)$/i.test(text) &&
    text === text.trim();
  return isPlain ? text : JSON.stringify(text);
}

export function neededText(values, key) {
  const value = values.get(key);
  if (typeof value !== "string") throw new UsageError(`SKILL.md has no ${key}`);
  return value;
}
