import { wordList } from "../tools.ts";
import { isHarmlessSed } from "./harmless-sed.ts";
import type { SimpleCommand } from "./simple-command.ts";
import { programName } from "./wrappers.ts";

const SED_FLAGS: ReadonlySet<string> = new Set(
  wordList(`
    --quiet --silent --regexp-extended --null-data --zero-terminated --separate --unbuffered
    --posix --debug --sandbox --help --version --in-place
  `),
);
/** What is printed goes to a file or a program. */
const AWK_OUTPUT = /[>|]/;
const AWK_STARTS = /\bsystem\b|getline|@\s*[A-Za-z_]/;

/**
 * The part of a command that is a program of its own, in the language of sed or awk, and may start
 * other programs or write files. Not the one that a rule names.
 */
export function riskyText({ words }: SimpleCommand, named = ""): string | undefined {
  const name = programName(words[0]?.value ?? "");
  const values = words.slice(1).map(({ value }) => value);
  const within = ` ${named.replace(/["']/g, "")} `;
  const isUnnamed = (text: string) => !within.includes(` ${text.replace(/["']/g, "")} `);
  if (/^g?sed$/.test(name)) return riskySed(values, isUnnamed);
  if (!/^[gmn]?awk$/.test(name)) return undefined;
  const text = values.filter(isUnnamed).join("\n");
  return isRiskyAwk(text.replace(/\\\r?\n/g, "")) ? text : undefined;
}

/** A print and the sign behind it may stand in two words. */
function isRiskyAwk(text: string): boolean {
  const print = text.indexOf("print");
  return AWK_STARTS.test(text) || (print >= 0 && AWK_OUTPUT.test(text.slice(print)));
}

function riskySed(
  values: readonly string[],
  isUnnamed: (program: string) => boolean,
): string | undefined {
  const programs: string[] = [];
  let isNamed = false;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? "";
    if (value === "--" || !/^-./.test(value)) {
      // Whether options may follow after the first file differs from sed to sed: both count.
      const first = value === "--" ? values[i + 1] : value;
      if (!isNamed && first !== undefined) programs.push(first);
      isNamed = true;
      if (value === "--") break;
      continue;
    }
    const option = readSedOption(value);
    if (option === undefined) return value;
    if (option.program !== undefined) programs.push(option.program);
    else if (option.takes === "program") programs.push(values[++i] ?? "");
    else if (option.takes === "value") i++;
    if (option.takes === "program" || option.takes === "file") isNamed = true;
    if (option.takes === "file" && option.attached !== true) i++;
  }
  const unnamed = programs.filter(isUnnamed);
  const all = unnamed.join("\n");
  return unnamed.every(isHarmlessSed) && isHarmlessSed(all) ? undefined : all;
}

interface SedOption {
  readonly takes?: "program" | "file" | "value";
  /** The program, where it stands in the same word. */
  readonly program?: string;
  readonly attached?: boolean;
}

function readSedOption(value: string): SedOption | undefined {
  if (value.startsWith("--")) {
    const [, name = "", rest] = /^([^=]*)(?:=([^]*))?$/.exec(value) ?? [];
    if (SED_FLAGS.has(name)) return {};
    if (name === "--file") return { takes: "file", attached: rest !== undefined };
    if (name.length < 4 || !"--expression".startsWith(name)) return undefined;
    return { takes: "program", ...(rest === undefined ? {} : { program: rest }) };
  }
  const [, flags = "", letter, rest = ""] = /^-([nErsuzb]*)([^]?)([^]*)$/.exec(value) ?? [];
  if (letter === "" && flags !== "") return {};
  if (letter === "i") return {};
  if (letter === "l") return rest === "" ? { takes: "value" } : {};
  if (letter === "f") return { takes: "file", attached: rest !== "" };
  if (letter !== "e") return undefined;
  return { takes: "program", ...(rest === "" ? {} : { program: rest }) };
}
