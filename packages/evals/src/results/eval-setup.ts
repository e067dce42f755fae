import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import type { Sampling } from "@skillwright/agent/internal";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Skills } from "@skillwright/core";
import type { EvalCase } from "../cases/eval-case.ts";
import type { Arm, EvalSetup } from "./eval-results.ts";

interface SetupOptions {
  readonly modelId: string;
  readonly isDeterministic: boolean;
  readonly sampling?: Sampling | undefined;
  readonly recording?: string | undefined;
  readonly judgeId?: string | undefined;
  readonly seed: number;
  readonly trials: number;
  readonly arms: readonly Arm[];
  readonly skills: Skills;
  readonly cases: readonly EvalCase[];
  readonly version: string;
}

const OPTIONS: OptionKinds<SetupOptions> = {
  modelId: "string",
  isDeterministic: "boolean",
  sampling: "object",
  recording: "string",
  judgeId: "string",
  seed: "number",
  trials: "number",
  arms: "list",
  skills: "object",
  cases: "list",
  version: "string",
};

export async function evalSetup(options: SetupOptions): Promise<EvalSetup> {
  checkOptions("evalSetup", options, OPTIONS, ["modelId", "arms", "skills", "cases"]);
  const {
    modelId,
    isDeterministic,
    sampling,
    recording,
    judgeId,
    seed,
    trials,
    arms,
    skills,
    cases,
    version,
  } = options;
  const catalog = [];
  for (const skill of skills.all) {
    // One with a link in it has none, and need not keep the others from being tested.
    const digest = await skills.digest(skill).catch(() => "unreadable");
    catalog.push({ name: skill.name, digest });
  }
  return {
    model: modelId,
    isDeterministic,
    ...(sampling && { sampling }),
    ...(recording !== undefined && { recording }),
    ...(judgeId !== undefined && { judge: judgeId }),
    seed,
    trials,
    arms: [...arms],
    skills: catalog.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    casesDigest: casesDigest(cases),
    version,
    platform: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
  };
}

/** Where a case, or a part of it, stands in its file is no part of what it asks. */
export function casesDigest(cases: readonly EvalCase[]): string {
  const hash = createHash("sha256");
  for (const one of cases.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const { origin, files, ...rest } = one;
    const unsupported = one.expected.unsupported?.map(({ text }) => text);
    const plain = { ...rest, expected: { ...one.expected, unsupported } };
    hash.update(JSON.stringify([plain, origin.dialect, origin.skill ?? ""]));
    for (const { path, from, content = "" } of files) {
      hash.update(JSON.stringify(path)).update(from === undefined ? content : readFileSync(from));
    }
  }
  return `sha256:${hash.digest("hex")}`;
}

/** Of everything that changes a trial, and so must not change while an eval is interrupted. */
export function evalDigest(setup: EvalSetup): string {
  const { seed: _, trials: __, ...kept } = setup;
  return `sha256:${createHash("sha256").update(JSON.stringify(kept)).digest("hex")}`;
}
