import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Diagnostic } from "../format/diagnostic.ts";
import type { RuleSettings } from "../format/rules/rule.ts";
import { createIgnoreFilter } from "./ignore-filter.ts";
import { rootDiagnostic, scanRoot } from "./scan-root.ts";
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
      if (!(await isFolder(root))) return missingRoot(root, configured);
      const known = await cache?.read(root);
      const ignore = project === undefined ? undefined : createIgnoreFilter(project, root);
      const scan = await scanRoot(root, { index: known, ignore, rules, now: now() });
      if (cache !== undefined && hasChanged(known, scan.index, scan.read)) {
        await cache.write(root, scan.index);
      }
      return { skills: foundSkills(label, root, scan.index), diagnostics: scan.diagnostics };
    },
  };
}

const NONE: readonly Diagnostic[] = [];

function foundSkills(source: string, root: string, { skills }: FolderIndex): FoundSkill[] {
  const paths = Object.keys(skills).sort();
  return paths.map((relativePath) => {
    const { metadata, diagnostics = NONE, stamp = "" } = skills[relativePath] ?? {};
    const directory = `${root}/${relativePath}`;
    return metadata === undefined
      ? { source, root, relativePath, directory, diagnostics, stamp }
      : { source, root, relativePath, directory, diagnostics, stamp, metadata };
  });
}

function missingRoot(root: string, configured: boolean): SourceScan {
  const message = `the folder of skills ${JSON.stringify(basename(root))} does not exist`;
  const diagnostics: Diagnostic[] = configured ? [rootDiagnostic(rootMissing, root, message)] : [];
  return { skills: [], diagnostics };
}

function hasChanged(known: FolderIndex | undefined, now: FolderIndex, read: number): boolean {
  if (known === undefined || read > 0) return true;
  const folders = Object.keys(now.folders);
  return (
    folders.length !== Object.keys(known.folders).length ||
    folders.some((path) => now.folders[path] !== known.folders[path])
  );
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() === true;
}

function systemTime(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}
