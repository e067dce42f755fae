import { closeSync } from "node:fs";
import { basename } from "node:path/posix";
import { nearNames } from "../format/text/skill-name.ts";
import { type ConfinedFile, openSettled } from "../internal/confined.ts";
import type { InlineSkill } from "../sources/skill-source.ts";
import { descriptorContent, type FileContent, memoryContent } from "./file-content.ts";
import { listFiles } from "./list-files.ts";
import { inlineFiles, resolveContent } from "../sources/inline-files.ts";
import type { SkillFiles } from "./skill-files.ts";
import { type FileFailure } from "./skill-path.ts";
import { parseSkillPath, quotePath, realDirectory, spellings } from "./skill-path.ts";

const MAX_CANDIDATES = 5;

/** Says that there is no such file, and which may have been meant. */
async function missingFile(skill: SkillFiles, path: string): Promise<FileFailure> {
  const listed = await listFiles(skill);
  if (!listed.ok) return listed;
  const candidates = nearFiles(
    path,
    listed.files.map((file) => file.path),
  );
  const message = `the skill has no file ${quotePath(path)}`;
  if (candidates.length === 0) {
    const hint = "List the files of the skill to see what there is.";
    return { ok: false, code: "file-not-found", message, hint };
  }
  const hint = "Ask for one of the candidates by its exact path; upper and lower case differ.";
  return { ok: false, code: "file-not-found", message, hint, candidates };
}

/** Says that a path is a folder or something stranger, and what lies in it. */
async function notAFile(skill: SkillFiles, path: string): Promise<FileFailure> {
  const listed = await listFiles(skill, { under: path === "" ? "." : path });
  if (!listed.ok && listed.code === "file-not-found") return listed;
  const inside = listed.ok ? listed.files.slice(0, MAX_CANDIDATES).map((file) => file.path) : [];
  const kind = listed.ok ? "a folder" : "no regular file";
  return {
    ok: false,
    code: "not-a-file",
    message: `${quotePath(path === "" ? "." : path)} is ${kind}`,
    hint: "Ask for a file by its exact path.",
    ...(inside.length > 0 && { candidates: inside }),
  };
}

function nearFiles(path: string, files: readonly string[]): string[] {
  const folded = path.toLowerCase();
  const sameButCase = files.filter((file) => file.toLowerCase() === folded);
  if (sameButCase.length > 0) return sameButCase.slice(0, MAX_CANDIDATES);
  const name = basename(folded);
  const byName = files.map((file) => basename(file));
  const nearByName = new Set(nearNames(name, byName, MAX_CANDIDATES));
  const near = [
    ...files.filter((file) => basename(file).toLowerCase() === name),
    ...nearNames(path, files, MAX_CANDIDATES),
    ...files.filter((file) => nearByName.has(basename(file))),
  ];
  return [...new Set(near)].slice(0, MAX_CANDIDATES);
}

type OpenedFile = { readonly ok: true; readonly content: FileContent } | FileFailure;

/** Opens a file of a skill and of no other place. The caller closes it. */
export async function openSkillFile(
  skill: SkillFiles,
  path: string,
  allowHardLinks = false,
): Promise<OpenedFile> {
  const parsed = parseSkillPath(path);
  if (!parsed.ok) return parsed;
  if (parsed.path === "" || path.endsWith("/")) return notAFile(skill, parsed.path);
  if ("inline" in skill) return openInline(skill.inline, parsed.path);
  const real = realDirectory(skill.directory);
  if (!real.ok) return real;
  for (const candidate of spellings(parsed.path)) {
    const opened = await openSettled(real.root, candidate.split("/"));
    if (!opened.ok && opened.reason === "missing") continue;
    if (!opened.ok) return refusal(skill, candidate, opened);
    const { descriptor, stats } = opened;
    if (stats.nlink > 1 && !allowHardLinks) {
      closeSync(descriptor);
      return hardLink(candidate, stats.nlink);
    }
    return { ok: true, content: descriptorContent(candidate, descriptor, stats.size) };
  }
  return missingFile(skill, parsed.path);
}

async function openInline(skill: InlineSkill, path: string): Promise<OpenedFile> {
  const files = inlineFiles(skill);
  for (const candidate of spellings(path)) {
    const made = files.get(candidate);
    if (made === undefined) continue;
    try {
      const bytes = Buffer.from(await resolveContent(made));
      return { ok: true, content: memoryContent(candidate, bytes) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `${quotePath(candidate)} could not be made: ${reason}`;
      return { ok: false, code: "file-unreadable", message };
    }
  }
  const isFolder = [...files.keys()].some((file) => file.startsWith(`${path}/`));
  return isFolder ? notAFile({ inline: skill }, path) : missingFile({ inline: skill }, path);
}

async function refusal(
  skill: SkillFiles,
  path: string,
  { reason, errorCode = "unknown" }: Exclude<ConfinedFile, { ok: true }>,
): Promise<FileFailure> {
  const shown = quotePath(path);
  switch (reason) {
    case "not-a-file":
      return notAFile(skill, path);
    case "link": {
      const message = `${shown} is a link or lies behind one; links inside a skill are refused`;
      const hint = "Ask for the file itself, or put a copy in the place of the link.";
      return { ok: false, code: "link-refused", message, hint };
    }
    case "denied": {
      const hint = "The permissions of the file or its folder do not allow reading.";
      return { ok: false, code: "access-denied", message: `${shown} may not be read`, hint };
    }
    case "changing": {
      const message = `${shown} was replaced each time it was opened`;
      return { ok: false, code: "file-changing", message, hint: "Try again later." };
    }
    default:
      return {
        ok: false,
        code: "file-unreadable",
        message: `${shown} cannot be read (${errorCode})`,
      };
  }
}

function hardLink(path: string, names: number): FileFailure {
  const message = `${quotePath(path)} is one of ${names} names of the same file, and the others may lie outside the skill`;
  const hint = "Put a copy in its place, or allow hard links when a package manager made them.";
  return { ok: false, code: "link-refused", message, hint };
}
