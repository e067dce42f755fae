import { type SkillRecord, type Skills } from "@skillwright/core";
import { isVisibleToModel, quoteLine, visibleLine } from "@skillwright/core/internal";
import {
  adviseDescription,
  type DescriptionAdvice,
  type EvalCase,
  readCases,
  type SuggestedNegative,
  suggestNegatives,
  type TrialResult,
} from "@skillwright/evals";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { findOrFail } from "@skillwright/app/internal";
import { resultsOf } from "./compare-command.ts";
import { type EvalCommandOptions, wholeNumber } from "./eval-options.ts";
import { openEvalSkills } from "@skillwright/app/internal";

export interface SuggestCommandOptions extends EvalCommandOptions {
  readonly limit?: string;
  /** What a model really missed. */
  readonly results?: string;
}

interface Suggestion {
  readonly skill: string;
  readonly negatives: readonly SuggestedNegative[];
  readonly description: Omit<DescriptionAdvice, "ok" | "skill">;
}

const LIMIT = 5;

/** Near misses to test with, and words that a description lacks. Nothing is run and nothing is changed. */
export async function suggestCommand(
  name: string | undefined,
  options: SuggestCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const { limit: text } = options;
  const limit = text === undefined ? LIMIT : wholeNumber(text, "--limit", { least: 1, most: 100 });
  const { skills, paths } = await openEvalSkills([], options, console);
  const own = name === undefined ? [] : [findOrFail(skills, name).path];
  const { cases } = await readCases([...paths, ...own], { cwd: console.cwd });
  const results =
    options.results === undefined ? undefined : await resultsOf(options.results, console);
  const wanted = name === undefined ? skillsWithCases(skills, cases) : [findOrFail(skills, name)];
  if (wanted.length === 0) {
    throw new CommandFailure(EXIT.missing, "no skill of this project has cases", {
      hint: "name one: skillwright eval suggest <skill>",
    });
  }
  const suggestions = wanted.map((skill) =>
    suggestFor(skill, { skills, cases, limit, ...(results && { trials: results.trials }) }),
  );
  if (console.json) console.printJson({ suggestions });
  else console.print(suggestions.map((one) => suggestionText(one, console)).join("\n\n"));
  return EXIT.done;
}

function skillsWithCases({ all }: Skills, cases: readonly EvalCase[]): SkillRecord[] {
  const names = new Set(cases.flatMap(({ origin }) => origin.skill ?? []));
  return all.filter(({ name }) => names.has(name));
}

interface SuggestContext {
  readonly skills: Skills;
  readonly cases: readonly EvalCase[];
  readonly limit: number;
  readonly trials?: readonly TrialResult[];
}

function suggestFor({ name }: SkillRecord, context: SuggestContext): Suggestion {
  const { skills, cases, limit, trials } = context;
  const catalog = skills.all.filter(isVisibleToModel);
  const negatives = suggestNegatives({ skill: name, catalog, cases, limit });
  const advice = adviseDescription({ skill: name, catalog, cases, ...(trials && { trials }) });
  if ("ok" in negatives) throw notOffered(name);
  if (!advice.ok) throw notOffered(name);
  const { ok: _, skill, ...description } = advice;
  return { skill, negatives, description };
}

function notOffered(name: string): CommandFailure {
  return new CommandFailure(EXIT.no, `the skill ${name} is offered to no model`, {
    hint: `why, says: skillwright explain ${name}`,
  });
}

function suggestionText({ skill, negatives, description }: Suggestion, console: Console): string {
  const { bold, dim } = console.colors;
  const lines = [bold(visibleLine(skill))];
  if (negatives.length > 0)
    lines.push("Near misses. Read them before use; for `cases` in evals/triggers.yaml:");
  for (const { input, neighbour, nearness } of negatives) {
    const line = JSON.stringify({ input, expected: { skills: { unused: [skill] } } });
    lines.push(
      `  - ${visibleLine(line)}`,
      dim(`    of ${neighbour}, nearness ${nearness.toFixed(2)}`),
    );
  }
  const { missed, accepted, rejected, description: text } = description;
  if (missed.length === 0) lines.push("By its words, the description finds all of its requests.");
  for (const { caseId, input, winner } of missed) {
    const by = winner === undefined ? "" : ` (words fit ${winner} better)`;
    lines.push(visibleLine(`Missed ${caseId}${by}: ${quoteLine(input, 100)}`));
  }
  for (const { word, gains } of accepted) {
    lines.push(visibleLine(`Add "${word}": finds ${gains.join(", ")}`));
  }
  if (console.verbose) {
    for (const { word, reason, detail } of rejected) {
      lines.push(dim(visibleLine(`Not "${word}": ${reason}, ${detail}`)));
    }
  }
  if (text !== undefined) lines.push("Description to try:", `  ${visibleLine(text)}`);
  return lines.join("\n");
}
