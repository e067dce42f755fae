import type { ChangeReport, ReportedSkill } from "@skillwright/packs";
import { visibleLine } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { type ScopeOptions, scopeFlags } from "./with-packs.ts";

/** What a change did, or would do. */
export function printReport(report: ChangeReport, options: ScopeOptions, console: Console): void {
  const { skills, problems, notes, changed, dryRun, id } = report;
  if (console.json) {
    const listed = skills.map(({ findings, ...skill }) => ({
      ...skill,
      ...(findings !== undefined && findings.length > 0 && { findings }),
    }));
    console.printJson({
      changed,
      dryRun,
      ...(id !== undefined && { id }),
      skills: listed,
      problems,
      notes,
    });
    return;
  }
  for (const note of notes) console.note(visibleLine(`note: ${note}`));
  const told = problems.filter(({ severity }) => console.verbose || severity !== "info");
  for (const { severity, message, skill, file, line, code, hint } of told) {
    const place = [skill, file, line].filter((part) => part !== undefined).join(":");
    const { yellow, red } = console.noteColors;
    const paint = severity === "error" ? red : yellow;
    const text = place === "" ? message : `${place} ${message}`;
    console.note(`${paint(severity)} ${visibleLine(`${text} (${code})`)}`);
    if (LEFT.has(code) && hint !== undefined && !console.quiet) {
      console.note(console.noteColors.dim(visibleLine(`  ${hint}`)));
    }
  }
  for (const skill of skills) printSkill(skill, dryRun, console);
  // Where something was left as it is, there would be something to do.
  const isLeft = problems.some(({ code }) => LEFT.has(code));
  const nothing = isLeft ? "nothing was changed" : "nothing to do";
  if (!changed) console.print(console.colors.dim(nothing));
  else if (id !== undefined && !console.quiet) {
    const command = visibleLine(`skillwright undo${scopeFlags(options)}`);
    console.note(console.noteColors.dim(`${command} takes this back`));
  }
}

/** Problems that say what was not done. */
const LEFT: ReadonlySet<string> = new Set([
  "local-edits",
  "other-root",
  "skill-missing",
  "source-missing",
]);

const WOULD: Readonly<Partial<Record<ReportedSkill["status"], string>>> = {
  installed: "would be installed",
  replaced: "would be replaced",
  updated: "would be updated",
  merged: "would be merged",
  restored: "would be restored",
  linked: "would be linked",
  removed: "would be removed",
};

function printSkill(
  { name, path, status, digest, files }: ReportedSkill,
  dryRun: boolean,
  console: Console,
): void {
  if (status === "unchanged" && (console.quiet || !console.verbose) && !dryRun) {
    if (!console.quiet) console.print(console.colors.dim(`  ${visibleLine(name)} unchanged`));
    return;
  }
  const { green, red, dim } = console.colors;
  const paint = status === "removed" ? red : status === "unchanged" ? dim : green;
  const word = dryRun ? (WOULD[status] ?? status) : status;
  const short = digest.replace(/^(sha256:.{12}).*$/, "$1");
  console.print(`  ${visibleLine(name)} ${paint(word)} ${dim(visibleLine(`${path} ${short}`))}`);
  if (files === undefined || console.quiet) return;
  const { added, modified, removed, modes = [], kept = [] } = files;
  const lists = [
    ["+", added],
    ["~", modified],
    ["-", removed],
    ["x", modes],
    ["=", kept],
  ] as const;
  const all = lists.flatMap(([sign, paths]) => paths.map((file) => `${sign} ${file}`));
  const shown = dryRun || console.verbose ? all : status === "installed" ? [] : all.slice(0, 20);
  for (const line of shown) console.print(dim(`      ${visibleLine(line)}`));
  if (shown.length > 0 && shown.length < all.length) {
    console.print(dim(`      … ${all.length - shown.length} more with --verbose`));
  }
}
