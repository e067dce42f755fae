import type { SkillMetadata } from "../format/parsed-skill.ts";
import { isPrototypeKey } from "../format/yaml/prototype-keys.ts";
import { foldBlock } from "../format/yaml/simple-scalars.ts";
import { isUnusual } from "./is-unusual.ts";
import { USUAL_HEAD } from "./usual-head.ts";

/** Level 1 of a skill of which only the name may be wrong, or the length of the description. */
export interface UsualHead {
  /** The name is the folder's when there is none. The description is empty when there is none. */
  readonly metadata: SkillMetadata;
  /** Offset of the name; -1 when there is none. */
  readonly nameStart: number;
  /** Offsets of the description, when it is so long that something is to be said about it. */
  readonly longDescription?: { readonly start: number; readonly end: number };
}

const NAME = textOnOneLine("name");
const VERSION = textOnOneLine("version");
const CONTEXT = textOnOneLine("context");
const DESCRIPTION =
  /\ndescription: +(?:("[^"\\]*(?:\\.[^"\\]*)*")|('[^']*(?:''[^']*)*')|([|>][-+]?\n(?:(?: [^\n]*)?\n)+)|([^\n]*(?:\n +[^\n]*)*))/;
const TRUE_OR_FALSE = / +(true|false) *(?:(?<= )#[^\n]*)?\n/y;
/** One look for all of them takes less time than a look for each. */
const HAS_OTHERS = /\n(?:user-invocable|disable-model-invocation|context|version):|\{"/;
const JSON_MAPS = /: +(\{"[^\n]*\}) *\n/g;

/** Letters that are no boolean or null to any version of YAML, or a version of three numbers. */
const SURELY_TEXT =
  /^(?!(?:null|true|false|y|yes|n|no|on|off)$)[a-z\u0080-\uffff]|^\d+\.\d+\.\d+$/i;
const ASCII_NAME = /^[!-;=?-~](?:[ -;=?-~]{0,62}[!-;=?-~])?$/;
const MAX_DESCRIPTION_LENGTH = 1024;
const MAX_JSON_DEPTH = 10;

/**
 * Level 1 of a SKILL.md whose head is written as nearly all are. Undefined for every head that is in
 * any way special; what it does return is what the parser would, which a property test holds it to.
 */
export function readUsualHead(
  text: string,
  isAscii: boolean,
  directoryName: string,
): UsualHead | undefined {
  if (!USUAL_HEAD.test(text) || (!isAscii && isUnusual(text))) return undefined;
  const match = NAME.exec(text);
  const isNameless = match === null && !text.includes("\nname:");
  const name = isNameless ? directoryName : textOf(match);
  const found = DESCRIPTION.exec(text);
  const description = found === null ? "" : readDescription(found);
  if (!ASCII_NAME.test(name) || !isUsual(description, found === null && !isNameless))
    return undefined;
  const metadata = readOthers(text, name, description);
  if (metadata === undefined) return undefined;
  const nameStart = match === null ? -1 : match.index + match[0].indexOf(name, "\nname: ".length);
  if (found === null || description.length <= MAX_DESCRIPTION_LENGTH) {
    return { metadata, nameStart };
  }
  return { metadata, nameStart, longDescription: spanOfDescription(found) };
}

/** Offsets of the content: without quotes, and of a block without its first line. */
function spanOfDescription({ 0: all, 1: double, 2: single, 3: block, index }: RegExpExecArray) {
  const value = all.replace(/^\ndescription: +/, "").trimEnd();
  const end = index + all.trimEnd().length;
  const start = end - value.length;
  if (double !== undefined || single !== undefined) return { start: start + 1, end: end - 1 };
  return { start: block === undefined ? start : start + value.indexOf("\n") + 1, end };
}

function textOnOneLine(key: string): RegExp {
  const { raw } = String;
  return new RegExp(
    raw`\n${key}: +(?:"([^"'\\\n]*)"|'([^"'\\\n]*)'|([^"'#\n]*[^"'# \n])) *(?:(?<= )#[^\n]*)?\n`,
  );
}

/** Empty when it is not text for sure. */
function textOf(match: RegExpExecArray | null): string {
  if (match === null) return "";
  const [, double, single, plain = ""] = match;
  return double ?? single ?? (SURELY_TEXT.test(plain) ? plain : "");
}

/** Empty when it is not text for sure. */
function readDescription([, double, single, block, plain]: RegExpExecArray): string {
  if (double !== undefined) return readDouble(joinLines(double)).trim();
  if (single !== undefined) return joinLines(single).slice(1, -1).replaceAll("''", "'").trim();
  // Whether line breaks at its end are kept makes no difference here.
  if (block !== undefined)
    return (foldBlock(block.replace(/^(.)\+/, "$1"), 0, 0)?.value ?? "").trim();
  const line = joinLines(plain ?? "").trim();
  return SURELY_TEXT.test(line) ? line : "";
}

/** A line break inside a text is a blank. */
function joinLines(text: string): string {
  return text.includes("\n") ? text.replaceAll(/ *\n +/g, " ") : text;
}

/** The escapes that are usual mean the same in JSON. */
function readDouble(text: string): string {
  if (!text.includes("\\")) return text.slice(1, -1);
  const value: unknown = JSON.parse(text);
  return typeof value === "string" && !isUnusual(value) ? value : "";
}

function isUsual(description: string, isMissing: boolean): boolean {
  if (description === "") return isMissing;
  return !description.includes("<") && !description.includes(">");
}

/**
 * With what few heads have; undefined when something of it is special. Made in one go: an object that
 * is changed later makes code slow that relied on what it was.
 */
function readOthers(text: string, name: string, description: string): SkillMetadata | undefined {
  if (!HAS_OTHERS.test(text)) {
    return {
      name,
      description,
      disableModelInvocation: false,
      userInvocable: true,
      runMode: "inline",
      hiddenFromModel: false,
    };
  }
  const userInvocable = readFlag(text, "\nuser-invocable:", true);
  const disableModelInvocation = readFlag(text, "\ndisable-model-invocation:", false);
  if (userInvocable === undefined || disableModelInvocation === undefined) return undefined;
  const context = text.includes("\ncontext:") ? textOf(CONTEXT.exec(text)) : "none";
  if (context === "" || (text.includes('{"') && !hasUsualJson(text))) return undefined;
  const runMode = context === "fork" ? "subagent" : "inline";
  const hiddenFromModel = false;
  if (!text.includes("\nversion:")) {
    return { name, description, disableModelInvocation, userInvocable, runMode, hiddenFromModel };
  }
  const version = textOf(VERSION.exec(text));
  if (version === "") return undefined;
  return {
    name,
    description,
    disableModelInvocation,
    userInvocable,
    runMode,
    hiddenFromModel,
    version,
  };
}

function readFlag(text: string, key: string, absent: boolean): boolean | undefined {
  const at = text.indexOf(key);
  if (at === -1) return absent;
  TRUE_OR_FALSE.lastIndex = at + key.length;
  const word = TRUE_OR_FALSE.exec(text)?.[1];
  return word === undefined ? undefined : word === "true";
}

/** YAML reads a mapping in JSON alike when no key is there twice. */
function hasUsualJson(text: string): boolean {
  for (const [, json = ""] of text.matchAll(JSON_MAPS)) if (!isUsualJson(json)) return false;
  return true;
}

function isUsualJson(json: string): boolean {
  if (json.includes("\\") || json.split(/[{[]/).length > MAX_JSON_DEPTH) return false;
  try {
    let isSafe = true;
    const value: unknown = JSON.parse(json, (key, part: unknown) => {
      isSafe &&= !isPrototypeKey(key);
      return part;
    });
    return isSafe && JSON.stringify(value) === json;
  } catch {
    return false;
  }
}
