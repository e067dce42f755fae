import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { versionRequirements } from "@skillwright/core";
import {
  executionFailure,
  type ExecutionFailure,
  type ExecutionLimits,
  type Executor,
} from "../execution/executor.ts";
import { makeRunDirectory, removeSoon } from "../execution/run-directory.ts";

/** A version that a skill requires, and what the sandbox has. */
export interface CheckedVersion {
  /** As written: `python>=3.10`. */
  readonly requirement: string;
  /** Null when the interpreter is missing or did not answer. */
  readonly version: string | null;
  /** Null when the interpreter did not answer. */
  readonly met: boolean | null;
}

export interface CheckVersionsOptions {
  readonly executor: Executor;
  readonly limits?: ExecutionLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

const PYTHON = 'import sys\nprint("%d.%d.%d" % sys.version_info[:3])\n';
const NODE = "console.log(process.versions.node);\n";
const BASH = 'echo "${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}.${BASH_VERSINFO[2]}"\n';

/** All that is ever started to learn a version: an interpreter of scripts with a script of ours. */
const VERSION_SCRIPTS: ReadonlyMap<string, readonly [file: string, text: string]> = new Map([
  ["python", ["version.py", PYTHON]],
  ["python3", ["version.py", PYTHON]],
  ["node", ["version.mjs", NODE]],
  ["nodejs", ["version.mjs", NODE]],
  ["bash", ["version.bash", BASH]],
  ["ruby", ["version.rb", "puts RUBY_VERSION\n"]],
  ["perl", ["version.pl", 'printf "%vd\\n", $^V;\n']],
]);
const VERSION = /^\d{1,9}(?:\.\d{1,9}){1,3}$/;

/** The requirements of `metadata.requires` that `checkVersions` checks. */
export function checkableVersions(requires: string): readonly string[] {
  return checkable(requires).map(({ requirement }) => requirement);
}

/** Checks them with the interpreters that run scripts, where and how these run. */
export async function checkVersions(
  requires: string,
  options: CheckVersionsOptions,
): Promise<readonly CheckedVersion[]> {
  const wanted = checkable(requires);
  if (wanted.length === 0) return [];
  const folder = makeRunDirectory();
  try {
    mkdirSync(join(folder, "scripts"));
    const scripts = new Map(wanted.map(({ script }) => script));
    const versions = new Map<string, string | null | undefined>();
    for (const [file, text] of scripts) {
      writeFileSync(join(folder, "scripts", file), text);
      versions.set(file, await versionOf(file, folder, options));
    }
    return wanted.map(({ requirement, script: [file], isMetBy }) => {
      const version = versions.get(file);
      if (version === undefined) return { requirement, version: null, met: null };
      return { requirement, version, met: version !== null && isMetBy(version) };
    });
  } finally {
    removeSoon(folder);
  }
}

export function unmetVersion(
  skill: string,
  checked: readonly CheckedVersion[],
): ExecutionFailure | undefined {
  const unmet = checked.find(({ met }) => met === false);
  if (unmet === undefined) return undefined;
  const found = unmet.version === null ? "which is not installed" : `and this is ${unmet.version}`;
  return executionFailure(
    "requirement-unmet",
    `the skill ${JSON.stringify(skill)} requires ${unmet.requirement}, ${found}`,
    "Install a version that satisfies it, or change metadata.requires in its SKILL.md.",
  );
}

function checkable(requires: string) {
  return versionRequirements(requires).flatMap(({ requirement, program, isMetBy }) => {
    const script = VERSION_SCRIPTS.get(program);
    return script === undefined ? [] : [{ requirement, script, isMetBy }];
  });
}

/** Null when the interpreter is missing, undefined when it did not answer. */
async function versionOf(
  file: string,
  folder: string,
  { executor, limits, signal }: CheckVersionsOptions,
): Promise<string | null | undefined> {
  const receipt = await executor.run(
    {
      skill: { name: "interpreter-version", path: folder },
      script: `scripts/${file}`,
      args: [],
      cwd: "fresh",
      ...(limits && { limits }),
    },
    signal ? { signal } : {},
  );
  if (receipt.failure?.code === "interpreter-missing") return null;
  const text = receipt.stdout.trim();
  return receipt.ok && VERSION.test(text) ? text : undefined;
}
