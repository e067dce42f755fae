import { fileStamp } from "../internal/files.ts";
import { realpathSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Diagnostic } from "../format/diagnostic.ts";
import type { RuleSettings } from "../format/draft.ts";
import { checkOptions, type OptionKinds } from "../internal/options.ts";
import { createIgnoreFilter } from "./list-folder.ts";
import {
  lookForSkill,
  misnamedSkillFile,
  similarFile,
  unreadableSkillFile,
} from "./look-for-skill.ts";
import { namedMissing, rootDiagnostic, rootEmpty, rootMissing } from "./scan-rules.ts";
import {
  type FolderIndex,
  type FoundSkill,
  type SkillSource,
  type SourceScan,
} from "./skill-source.ts";

export interface DirectorySourceOptions {
  readonly label: string;
  /** Named by configuration or flag: then a missing folder is worth a warning. */
  readonly configured?: boolean;
  /** Leave out what the `.gitignore` files of this folder and below leave out. */
  readonly project?: string;
  readonly rules?: RuleSettings;
  /** Nanoseconds since the epoch. */
  readonly now?: () => bigint;
}

const OPTIONS: OptionKinds<DirectorySourceOptions> = {
  label: "string",
  configured: "boolean",
  project: "string",
  rules: "object",
  now: "function",
};

/** All skills below a folder. The folder, and each skill's, may be a link. */
export function directorySource(path: string, options: DirectorySourceOptions): SkillSource {
  checkOptions("directorySource", options, OPTIONS);
  const root = resolve(path);
  const { label, configured = false, project, rules, now = systemTime } = options;
  return {
    roots: [root],
    identity: () => `${label}\0${realPath(root)}`,
    async scan({ cache }): Promise<SourceScan> {
      if (!isFolder(root)) return missingRoot(root, configured);
      const key = cacheKey(root, label, rules);
      const known = await cache?.read(key);
      const ignore = project === undefined ? undefined : createIgnoreFilter(project, root);
      const { scanRoot } = await import("./scan-root.ts");
      const scan = await scanRoot(root, {
        source: label,
        index: known,
        ignore,
        rules,
        now: now(),
      });
      if (cache !== undefined && scan.changed) await cache.write(key, scan.index);
      const below = foundSkills(scan.index);
      // Of a root that cannot be listed that was said already.
      const isListed = scan.index.folders.has("");
      const own = isListed ? await rootSkill(root, label, rules, below.length === 0) : undefined;
      const skills = own === undefined ? below : [own, ...below];
      const isEmpty = configured && skills.length === 0 && scan.diagnostics.length === 0;
      return { skills, diagnostics: isEmpty ? [emptyRoot(root)] : scan.diagnostics };
    },
    lookFor: (wanted) => lookForSkill(root, { ...wanted, source: label, project }),
  };
}

/** What was read under other rules is not what would be read under these. */
function cacheKey(root: string, label: string, rules: RuleSettings = {}): string {
  const settings = Object.entries(rules).sort(([a], [b]) => (a < b ? -1 : 1));
  return [root, label, ...settings.flat()].join("\n");
}

/** A root may itself be a skill. It is searched all the same: one file must not hide all others. */
async function rootSkill(
  root: string,
  source: string,
  rules: RuleSettings | undefined,
  isEmpty: boolean,
): Promise<FoundSkill | undefined> {
  const { readSkillHead } = await import("./read-skill-head.ts");
  const relativePath = basename(root);
  const file = join(root, "SKILL.md");
  const head = await readSkillHead({ file, directoryName: relativePath, rules });
  const found = { source, root, relativePath, directory: root };
  if (!head.ok) {
    const similar = head.code === "ENOENT" && isEmpty ? similarFile(root) : undefined;
    if (head.code === "ENOENT" && similar === undefined) return undefined;
    const problem =
      similar === undefined
        ? unreadableSkillFile(file, head.code)
        : misnamedSkillFile(file, similar);
    return { ...found, diagnostics: [problem], stamp: "" };
  }
  const { metadata, diagnostics } = head;
  const { stamp } = fileStamp(head.stats, 0n);
  return { ...found, diagnostics, stamp, ...(metadata === undefined ? undefined : { metadata }) };
}

/** In order of their paths, which those of one folder are already. */
function foundSkills({ folders }: FolderIndex): readonly FoundSkill[] {
  const lists = [...folders.values()]
    .map(({ skills }) => skills)
    .filter(({ length }) => length > 0);
  const [first = []] = lists;
  return lists.length <= 1 ? first : lists.flat().sort(byPath);
}

function byPath(a: FoundSkill, b: FoundSkill): number {
  return a.relativePath < b.relativePath ? -1 : 1;
}

function missingRoot(root: string, configured: boolean): SourceScan {
  const message = `the folder of skills ${JSON.stringify(basename(root))} does not exist`;
  const diagnostics: Diagnostic[] = configured ? [rootDiagnostic(rootMissing, root, message)] : [];
  return { skills: [], diagnostics };
}

function emptyRoot(root: string): Diagnostic {
  const name = JSON.stringify(basename(root));
  return rootDiagnostic(rootEmpty, root, `the folder of skills ${name} has no skills in it`);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function systemTime(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

export interface NamedSourceOptions {
  readonly directory: string;
  readonly names: readonly string[];
  readonly label?: string;
  readonly rules?: RuleSettings;
}

/**
 * Exactly these skills of one folder, in this order. An empty folder name or list is nothing; it
 * never means all.
 */
export function namedSource(options: NamedSourceOptions): SkillSource {
  checkOptions("namedSource", options, {
    directory: "string",
    names: "strings",
    label: "string",
    rules: "object",
  });
  const { directory, names, label = "project", rules } = options;
  const root = directory === "" ? "" : resolve(directory);
  return {
    roots: root === "" ? [] : [root],
    async scan(): Promise<SourceScan> {
      const skills: FoundSkill[] = [];
      const diagnostics: Diagnostic[] = [];
      for (const name of root === "" ? [] : names) {
        const found = await findNamed(name, root, label, rules);
        if ("skill" in found) skills.push(found.skill);
        else diagnostics.push(found.problem);
      }
      return { skills, diagnostics };
    },
  };
}

async function findNamed(
  name: string,
  root: string,
  source: string,
  rules: RuleSettings | undefined,
): Promise<{ skill: FoundSkill } | { problem: Diagnostic }> {
  const problem = (message: string) => ({ problem: rootDiagnostic(namedMissing, root, message) });
  if (name === "" || name === "." || /[/\\\0]|\.\./.test(name)) {
    return problem(`the name ${JSON.stringify(name)} is not allowed`);
  }
  const { readSkillHead } = await import("./read-skill-head.ts");
  const directory = join(root, name);
  const file = join(directory, "SKILL.md");
  const head = await readSkillHead({ file, directoryName: name, rules });
  if (!head.ok) return problem(`there is no skill ${JSON.stringify(name)} (${head.code})`);
  const { metadata, diagnostics } = head;
  const { stamp } = fileStamp(head.stats, 0n);
  const found = { source, root, relativePath: name, directory, diagnostics, stamp };
  return { skill: metadata === undefined ? found : { ...found, metadata } };
}
