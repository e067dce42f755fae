import { splitCommand } from "./split-command.ts";
import { slotType } from "./slot-type.ts";
import type { Slot, UsagePart } from "./usage.ts";

const PLACEHOLDER =
  /^(?:<([^<>]{1,80})>|\{([^{}]{1,80})\}|\$\{?([A-Za-z_@*]\w{0,60}|\d)\}?)(?:\.{3}|…)?$/;
const UPPER_CASE = /^[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)*(?:\.{3})?$/;
const PLAIN_WORD = /^[\p{L}][\p{L}\p{N}_-]*$/u;
/** Written large but meant as they are. */
const MEANT = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "JSON", "CSV", "UTC"]);
/** Options whose documented word is a setting and not somebody's data, like the name of a column. */
const SETTING = /\b(?:format|mode|type|style|level|encoding|theme|color|log)\b/;
const SETTING_VALUE =
  /^(?:json|jsonl|csv|tsv|text|markdown|md|html|yaml|table|plain|pretty|true|false|auto|none|all)$/i;
const MANY = /\b(?:files|paths|urls|inputs|images|documents|numbers|values|words|args|arguments)$/i;
const COLUMN = /^(?:columns?|fields?|keys?|(?:column|field|key) names?|列名?|字段)$/;
const MAX_DEPTH = 4;

/** What follows the script in a documented command line. */
export function parseUsageParts(tokens: readonly string[], depth = 0): UsagePart[] {
  const parts: UsagePart[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? "";
    const next = tokens[i + 1];
    if (/^(?:\.{3}|…)$/.test(token)) repeatLast(parts);
    else if (/^\[.*\](?:\.{3}|…)?$/.test(token)) {
      if (depth >= MAX_DEPTH) continue;
      const inner = splitCommand(token.replace(/^\[|\](?:\.{3}|…)?$/g, ""));
      const optional = parseUsageParts(inner, depth + 1);
      if (/(?:\.{3}|…)$/.test(token)) repeatLast(optional);
      if (!/^options?$/i.test(inner.join(" "))) parts.push({ kind: "optional", parts: optional });
    } else if (/^--?[\p{L}]/u.test(token)) {
      const [flag = token, given] = splitAtEquals(token);
      if (given !== undefined)
        parts.push({ kind: "option", flag, value: optionSlot(flag, given), join: "=" });
      else if (next !== undefined && !/^[-[]/.test(next) && !/^(?:\.{3}|…|\\)$/.test(next)) {
        parts.push({ kind: "option", flag, value: optionSlot(flag, next), join: " " });
        i++;
      } else parts.push({ kind: "literal", text: flag });
    } else if (token !== "\\") {
      parts.push(positional(token, tokens.slice(0, i).some(isMadeUp)));
    }
  }
  return parts;
}

function positional(token: string, isAfterExample: boolean): UsagePart {
  const slot = placeholderSlot(token) ?? exampleSlot(token);
  if (slot !== undefined) return slot;
  // In `3 "us gallon" litre` the last word is as made up as the others.
  if (isAfterExample) return { ...slotOf("word"), type: "word" };
  return { kind: "literal", text: unquote(token) };
}

function isMadeUp(token: string): boolean {
  if (placeholderSlot(token) !== undefined || token.startsWith("-")) return false;
  return ["number", "text"].includes(exampleSlot(token)?.type ?? "");
}

/** The value of an option: a bare word such as `json` is the usual one. */
function optionSlot(flag: string, token: string): Slot {
  const flagName = flag.replace(/^-+/, "").replace(/[-_]+/g, " ").toLowerCase();
  const found = placeholderSlot(token) ?? exampleSlot(token);
  const word = unquote(token);
  if (found === undefined) {
    const isSetting = SETTING.test(flagName) || SETTING_VALUE.test(word);
    return {
      ...slotOf(flagName),
      type: "word",
      isExample: true,
      ...(isSetting && { usual: word }),
    };
  }
  // `--since DATE`, `-o FILE`: the flag says better what is meant.
  const byFlag =
    flagName.length > 1 || flagName === "o" || flagName === "n" ? slotType(flagName) : "any";
  // `--min <column>` takes no number.
  const isGeneral = byFlag === "any" || byFlag === "word" || COLUMN.test(found.name);
  const type = found.choices.length > 0 ? "word" : isGeneral ? found.type : byFlag;
  const extension = /\.([a-z][a-z0-9]{0,9})>?$/i.exec(word)?.[1];
  return {
    ...found,
    name: flagName.length > 1 ? flagName : found.name,
    type,
    ...(extension !== undefined && { extension }),
  };
}

function placeholderSlot(token: string): Slot | undefined {
  const inner = unquote(token);
  const isRepeated = /(?:\.{3}|…)$/.test(inner);
  const pair = /^([\w-]{1,40}|<[^<>]{1,40}>)=(?:value|<[^<>]{1,60}>|\.{3}|…|VALUE)$/.exec(inner);
  if (pair !== null) return { ...slotOf("key=value"), type: "pair", isRepeated: true };
  const match = PLACEHOLDER.exec(inner);
  const name = match?.[1] ?? match?.[2] ?? match?.[3];
  if (name !== undefined)
    return { ...namedSlot(name), isRepeated: isRepeated || /\.{3}$/.test(name) || MANY.test(name) };
  if (/^[\w-]{1,30}(?:\|[\w-]{1,30}){1,20}$/.test(inner)) return namedSlot(inner);
  if (UPPER_CASE.test(inner) && inner.length > 1 && !MEANT.has(inner)) {
    return { ...namedSlot(inner.replace(/\.{3}$/, "")), isRepeated };
  }
  if (/^(?:\.{3}|…)$/.test(inner)) return namedSlot("text");
  return undefined;
}

/** A value that the author made up, such as `data.csv` or "hello world"; never passed on. */
function exampleSlot(token: string): Slot | undefined {
  const inner = unquote(token);
  if (/^https?:\/\//.test(inner)) return { ...slotOf("url"), type: "url" };
  if (/^[\w.+-]{1,64}@[\w.-]{1,100}$/.test(inner)) return { ...slotOf("email"), type: "email" };
  if (/^\d{4}-\d{2}-\d{2}/.test(inner)) return { ...slotOf("date"), type: "date" };
  if (/^-?\d{1,20}(?:\.\d{1,20})?$/.test(inner)) return { ...slotOf("number"), type: "number" };
  if (/^[^\s]{1,200}\.[a-z][a-z0-9]{0,9}$/i.test(inner) || /^[.~]{0,2}\/|.\/./.test(inner)) {
    const isOutput = /(?:^|[/_-])(?:out|output|result|dest)/i.test(inner);
    return { ...slotOf(isOutput ? "output file" : "file"), type: isOutput ? "output" : "file" };
  }
  if (inner !== token || !PLAIN_WORD.test(inner)) return { ...slotOf("text"), type: "text" };
  return undefined;
}

function namedSlot(name: string): Slot {
  const choices = /[|]/.test(name) || /^[\w-]+(?:,[\w-]+)+$/.test(name) ? name.split(/[|,]/) : [];
  if (choices.length > 1) {
    return {
      ...slotOf(choices.join(", ")),
      type: "word",
      choices: choices.map((one) => one.trim()),
    };
  }
  return slotOf(name);
}

function slotOf(name: string): Slot {
  const plain = name
    .replace(/\.{3}$/, "")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return { kind: "slot", name: plain, type: slotType(plain), choices: [], isRepeated: false };
}

function repeatLast(parts: UsagePart[]): void {
  const last = parts.at(-1);
  if (last?.kind === "slot") parts[parts.length - 1] = { ...last, isRepeated: true };
}

function splitAtEquals(token: string): string[] {
  const at = token.indexOf("=");
  return at < 0 ? [token] : [token.slice(0, at), token.slice(at + 1)];
}

function unquote(token: string): string {
  return /^(["']).*\1$/s.test(token) && token.length > 1 ? token.slice(1, -1) : token;
}
