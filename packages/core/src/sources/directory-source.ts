import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../format/diagnostic.ts";
import type { Mutable } from "../format/parsed-skill.ts";
import type { RuleSettings } from "../format/rules/rule.ts";
import { createIgnoreFilter } from "./ignore-filter.ts";
import { namedSource } from "./named-source.ts";
import { rootDiagnostic } from "./root-diagnostic.ts";
import { scanRoot } from "./scan-root.ts";
import { rootMissing } from "./scan-rules.ts";
import type { FolderIndex, FoundSkill, SkillSource, SourceScan } from "./skill-source.ts";

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

/** All skills below a folder. The folder, and each skill's, may be a link. */
export function directorySource(path: string, options: DirectorySourceOptions): SkillSource {
  const root = resolve(path);
  const { label, configured = false, project, rules, now = systemTime } = options;
  return {
    roots: [root],
    async scan({ cache }): Promise<SourceScan> {
      if (!isFolder(root)) return missingRoot(root, configured);
      if (existsSync(join(root, "SKILL.md"))) return onlyRoot(root, label, rules);
      const key = cacheKey(root, rules);
      const known = await cache?.read(key);
      const ignore = project === undefined ? undefined : createIgnoreFilter(project, root);
      const scan = await scanRoot(root, { index: known, ignore, rules, now: now() });
      if (cache !== undefined && scan.changed) await cache.write(key, scan.index);
      return { skills: foundSkills(label, root, scan.index), diagnostics: scan.diagnostics };
    },
  };
}

/** What was read under other rules is not what would be read under these. */
function cacheKey(root: string, rules: RuleSettings | undefined): string {
  const settings = Object.entries(rules ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return settings.length === 0 ? root : `${root}\n${JSON.stringify(settings)}`;
}

/** A root that is itself a skill holds just that one. */
function onlyRoot(
  root: string,
  label: string,
  rules: RuleSettings | undefined,
): Promise<SourceScan> {
  const named = { directory: dirname(root), names: [basename(root)], label };
  return namedSource(rules === undefined ? named : { ...named, rules }).scan({});
}

const NONE: readonly Diagnostic[] = [];

function foundSkills(source: string, root: string, { skills }: FolderIndex): FoundSkill[] {
  const found: FoundSkill[] = [];
  for (const relativePath of [...skills.keys()].sort()) {
    const { metadata, diagnostics = NONE, stamp = "" } = skills.get(relativePath) ?? {};
    const skill: Mutable<FoundSkill> = {
      source,
      root,
      relativePath,
      directory: `${root}/${relativePath}`,
      diagnostics,
      stamp,
    };
    if (metadata !== undefined) skill.metadata = metadata;
    found.push(skill);
  }
  return found;
}

function missingRoot(root: string, configured: boolean): SourceScan {
  const message = `the folder of skills ${JSON.stringify(basename(root))} does not exist`;
  const diagnostics: Diagnostic[] = configured ? [rootDiagnostic(rootMissing, root, message)] : [];
  return { skills: [], diagnostics };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function systemTime(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}
