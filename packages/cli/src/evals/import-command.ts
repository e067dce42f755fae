import { mkdirSync } from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { errorCode, plural, visibleLine, writeAtomic, writeNew } from "@skillwright/core/internal";
import { importCases, type ImportedCases, type ImportLoss } from "@skillwright/evals";
import type { Console, GlobalOptions } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { relativePath } from "../terminal/relative-path.ts";

export interface ImportCommandOptions extends GlobalOptions {
  readonly out?: string;
  readonly skill?: string;
  readonly force?: boolean;
}

const TOOLS: Readonly<Record<ImportedCases["format"], string>> = {
  "trigger-set": "a trigger set",
  waza: "waza",
  vally: "vally",
  promptfoo: "promptfoo",
};

const EFFECTS: Readonly<Record<ImportLoss["effect"], string>> = {
  "left-out": "left out",
  unjudged: "unjudged",
  changed: "changed",
};

/** Converts a file of another tool into a file of cases, and lists what that cannot express. */
export async function importCommand(
  given: string,
  { out, skill, force = false }: ImportCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const { cwd } = console;
  const file = resolve(cwd, given);
  const into = out === undefined ? besideOf(file) : resolve(cwd, out);
  if (into === file) {
    throw new CommandFailure(EXIT.usage, "--out names the file that is imported");
  }
  const imported = await importCases(file, { into, ...(skill !== undefined && { skill }) });
  if (!imported.ok) {
    const { message, hint, code } = imported;
    const more = { code, ...(hint !== undefined && { hint }) };
    throw new CommandFailure(EXIT.usage, `${relativePath(file, cwd)}: ${message}`, more);
  }
  const { cases, losses, format, text } = imported;
  if (cases.length > 0) write(into, text, force, console);
  if (console.json) {
    console.printJson({
      file: relativePath(file, cwd),
      format,
      out: cases.length > 0 ? relativePath(into, cwd) : null,
      skill: imported.skill ?? null,
      cases: cases.length,
      losses: losses.map((loss) => ({ ...loss, file: relativePath(loss.file, cwd) })),
    });
  } else {
    show(imported, into, console);
  }
  return cases.length > 0 ? EXIT.done : EXIT.no;
}

function besideOf(file: string): string {
  return join(dirname(file), `${parse(file).name}.cases.yaml`);
}

function write(into: string, text: string, force: boolean, { cwd }: Console): void {
  try {
    mkdirSync(dirname(into), { recursive: true });
    if (force) writeAtomic(into, text, { mode: "umask" });
    else writeNew(into, text, { mode: "umask" });
  } catch (error) {
    const name = relativePath(into, cwd);
    if (errorCode(error) === "EEXIST") {
      const hint = "Replace it with --force, or name another file with --out.";
      throw new CommandFailure(EXIT.usage, `${name} exists`, { hint });
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(EXIT.usage, `${name} cannot be written: ${reason}`);
  }
}

function show(
  { cases, losses, format, skill, text }: ImportedCases,
  into: string,
  console: Console,
): void {
  const { colors, cwd } = console;
  const about = skill === undefined ? "" : `, about ${skill}`;
  const head =
    cases.length === 0
      ? `No case of ${TOOLS[format]} could be converted.`
      : `Wrote ${relativePath(into, cwd)}: ${plural(cases.length, "case")} from ${TOOLS[format]}${about}`;
  console.print(colors.bold(visibleLine(head)));
  if (cases.length > 0) console.print(`  ${contentText(cases)}`);
  if (console.verbose) console.print(`\n${text.trimEnd()}`);
  if (losses.length === 0) return;
  console.print(`\nNot expressed:`);
  for (const { effect, file, line, caseId, message } of losses) {
    const name = caseId === undefined ? "" : ` ${caseId}:`;
    const label =
      effect === "changed" ? colors.dim(EFFECTS[effect]) : colors.yellow(EFFECTS[effect]);
    console.print(
      `  ${visibleLine(`${relativePath(file, cwd)}:${line}`)} ${label}${visibleLine(name)} ${visibleLine(message)}`,
    );
  }
  const count = (effect: ImportLoss["effect"]) =>
    losses.filter((loss) => loss.effect === effect).length;
  const unjudged = cases.filter(({ expected }) => expected?.unjudged !== undefined).length;
  if (count("left-out") > 0)
    console.print(`\n${plural(count("left-out"), "entry", "entries")} left out.`);
  if (unjudged > 0) {
    console.print(
      `\n${plural(unjudged, "case")} cannot pass until you replace what is under expected.unjudged.`,
    );
  }
}

/** `8 expect a skill · 4 rule one out · 3 checks · 2 statements`. */
function contentText(cases: ImportedCases["cases"]): string {
  const expected = cases.map((one) => one.expected ?? {});
  const sum = (name: "sequence" | "output" | "statements") =>
    expected.reduce((total, one) => total + (Array.isArray(one[name]) ? one[name].length : 0), 0);
  const skills = expected.map((one) => one.skills).filter((one) => one !== undefined);
  const using = skills.filter(
    (one) => Array.isArray(one) || (typeof one === "object" && one.used !== undefined),
  ).length;
  const parts = [
    [using, "expect a skill"],
    [skills.length - using, "rule one out"],
    [sum("output"), "checks"],
    [sum("sequence"), "sequence lines"],
    [sum("statements"), "statements for a judge"],
    [cases.filter(({ constraints }) => constraints !== undefined).length, "with constraints"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(" · ");
}
