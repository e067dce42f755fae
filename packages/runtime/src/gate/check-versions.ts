import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { versionRequirements, defined } from "@skillwright/core/internal";
import { executionFailure } from "../execution/execution-failure.ts";
import { type ExecutionLimits, type Executor } from "../execution/executor.ts";
import { makeRunDirectory, removeSoon } from "../execution/run-directory.ts";
import type { RunCheck } from "./run-recorded.ts";

/** A version that a skill requires, and what the sandbox has. */
interface CheckedVersion {
  /** As written: `python>=3.10`. */
  readonly requirement: string;
  /** Null when the interpreter is missing or did not answer. */
  readonly version: string | null;
  /** Null when the interpreter did not answer. */
  readonly met: boolean | null;
}

interface CheckVersionsOptions {
  readonly executor: Executor;
  readonly limits?: ExecutionLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

type VersionScript = readonly [file: string, text: string];

const PYTHON: VersionScript = [
  "version.py",
  'import sys\nprint("%d.%d.%d" % sys.version_info[:3])\n',
];
const NODE: VersionScript = ["version.mjs", "console.log(process.versions.node);\n"];
const BASH = 'echo "${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}.${BASH_VERSINFO[2]}"\n';

/** All that is ever started to learn a version: an interpreter of scripts with a script of ours. */
const VERSION_SCRIPTS: ReadonlyMap<string, VersionScript> = new Map([
  ["python", PYTHON],
  ["python3", PYTHON],
  ["node", NODE],
  ["nodejs", NODE],
  ["bash", ["version.bash", BASH]],
  ["ruby", ["version.rb", "puts RUBY_VERSION\n"]],
  ["perl", ["version.pl", 'printf "%vd\\n", $^V;\n']],
]);
const VERSION = /^\d{1,9}(?:\.\d{1,9}){1,3}$/;

/** The requirements of `metadata.requires` that can be checked with the interpreters of scripts. */
export function versionsOf(requires: string) {
  return versionRequirements(requires).flatMap(({ requirement, program, isMetBy }) => {
    const script = VERSION_SCRIPTS.get(program);
    return script === undefined ? [] : [{ requirement, script, isMetBy }];
  });
}

/** Checks them where and how the scripts of the skill run. */
export async function checkVersions(
  skill: string,
  wanted: ReturnType<typeof versionsOf>,
  options: CheckVersionsOptions,
): Promise<RunCheck> {
  if (wanted.length === 0) return { facts: {} };
  const folder = makeRunDirectory();
  try {
    mkdirSync(join(folder, "scripts"));
    const versions = new Map<string, string | null | undefined>();
    const requirements: CheckedVersion[] = [];
    for (const { requirement, script, isMetBy } of wanted) {
      const [file, text] = script;
      if (!versions.has(file)) {
        writeFileSync(join(folder, "scripts", file), text);
        versions.set(file, await versionOf(file, folder, options));
      }
      const version = versions.get(file);
      const met = version === undefined ? null : version !== null && isMetBy(version);
      requirements.push({ requirement, version: version ?? null, met });
    }
    const unmet = requirements.find(({ met }) => met === false);
    if (unmet === undefined) return { facts: { requirements } };
    const { requirement, version } = unmet;
    const found = version === null ? "which is not installed" : `and this is ${version}`;
    const failure = executionFailure(
      "requirement-unmet",
      `the skill ${JSON.stringify(skill)} requires ${requirement}, ${found}`,
      "Install a version that satisfies it, or change metadata.requires in its SKILL.md.",
    );
    return { facts: { requirements }, failure };
  } finally {
    removeSoon(folder);
  }
}

/** Null when the interpreter is missing, undefined when it did not answer. */
async function versionOf(
  file: string,
  folder: string,
  { executor, limits, signal }: CheckVersionsOptions,
): Promise<string | null | undefined> {
  const skill = { name: "interpreter-version", path: folder };
  const script = { skill, script: `scripts/${file}`, args: [], cwd: "fresh" };
  const receipt = await executor.run(
    { ...script, ...defined({ limits }) },
    { ...defined({ signal }) },
  );
  if (receipt.failure?.code === "interpreter-missing") return null;
  const text = receipt.stdout.trim();
  return receipt.ok && VERSION.test(text) ? text : undefined;
}
