import { SKIPPED_FOLDERS } from "../directory/skill-directory.ts";
import { isListed } from "../directory/skill-files.ts";
import { inspectFolders, walkDirectory } from "../internal/confined.ts";
import { checkOptions } from "../internal/options.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import { inlineFiles, sizeOf } from "../sources/inline-files.ts";
import type { InlineSkill } from "../sources/skill-source.ts";
import {
  type FileFailure,
  parseSkillPath,
  quotePath,
  realDirectory,
  spellings,
} from "./skill-path.ts";

/** Where the files of a skill are: a folder (its path may itself be a link), or code. */
export type SkillFiles = { readonly directory: string } | { readonly inline: InlineSkill };

export interface FileEntry {
  /** Relative to the skill, with `/`. */
  readonly path: string;
  /** In bytes; absent for text that code makes only when it is read. */
  readonly size?: number;
  readonly executable?: boolean;
}

export type FileList =
  | {
      readonly ok: true;
      readonly files: readonly FileEntry[];
      /** True when there are more. */
      readonly truncated: boolean;
    }
  | FileFailure;

export interface ListFilesOptions {
  /** Only the files below this folder. */
  readonly under?: string;
}

const MAX_ENTRIES = 2000;
export async function listFiles(
  skill: SkillFiles,
  options: ListFilesOptions = {},
): Promise<FileList> {
  checkOptions("listFiles", options, { under: "string" });
  const { under = "." } = options;
  const parsed = parseSkillPath(under);
  if (!parsed.ok) return parsed;
  if ("inline" in skill) return listInline(skill.inline, parsed.path);
  const real = realDirectory(skill.directory);
  if (!real.ok) return real;
  for (const folder of spellings(parsed.path)) {
    const segments = [...folder.split("/"), ""];
    const way = inspectFolders(real.root, segments);
    if (way === undefined) return behindLink(under);
    if (way.length === segments.length) return listDirectory(real.root, folder);
  }
  return missingFolder(under);
}

async function listDirectory(root: string, under: string): Promise<FileList> {
  const limits = { maxEntries: MAX_ENTRIES, skip: SKIPPED_FOLDERS, under };
  const walked = await walkDirectory(root, limits).catch((error: unknown) => {
    if (!SkillwrightError.isInstance(error)) throw error;
    return undefined;
  });
  if (walked === undefined) {
    const message = `${quotePath(under || ".")} is not a readable folder`;
    return { ok: false, code: "directory-unreadable", message };
  }
  const { entries, truncated } = walked;
  const files = entries
    .filter(({ path, kind, links }) => kind === "file" && links <= 1 && isListed(path))
    .map(({ path, size, mode }) => {
      return { path, size, ...((mode & 0o111) !== 0 && { executable: true }) };
    });
  return { ok: true, files, truncated };
}

function listInline(skill: InlineSkill, under: string): FileList {
  const files = inlineFiles(skill);
  const sorted = [...files.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (const folder of spellings(under)) {
    const paths = sorted.filter((path) => folder === "" || path.startsWith(`${folder}/`));
    if (paths.length === 0) continue;
    const listed = paths.slice(0, MAX_ENTRIES).map((path): FileEntry => {
      const size = sizeOf(files.get(path) ?? "");
      return size === undefined ? { path } : { path, size };
    });
    return { ok: true, files: listed, truncated: paths.length > MAX_ENTRIES };
  }
  return missingFolder(under);
}

function missingFolder(under: string): FileFailure {
  const message = `the skill has no folder ${quotePath(under)}`;
  const hint = "List all files of the skill to see what there is.";
  return { ok: false, code: "file-not-found", message, hint };
}

function behindLink(under: string): FileFailure {
  const message = `${quotePath(under)} is a link or lies behind one; links inside a skill are refused`;
  return { ok: false, code: "link-refused", message };
}
