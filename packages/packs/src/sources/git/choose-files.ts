import { nearNames } from "@skillwright/core/internal";
import { parseEntryName } from "../../archive/entries/entry-name.ts";
import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { sourceFailure } from "../source-failure.ts";
import type { TreeEntry } from "./list-tree.ts";

export interface ChosenFiles {
  readonly ok: true;
  readonly files: readonly TreeEntry[];
  readonly notes: readonly string[];
}

/** The files of all skills at and below a folder; of the rest of the repository nothing is taken. */
export function chooseFiles(
  entries: readonly TreeEntry[],
  path: string,
  skill?: string,
): ChosenFiles | PackFailure {
  const below = entries.filter((entry) => path === "" || entry.path.startsWith(`${path}/`));
  if (below.length === 0) return missingFolder(entries, path);
  const folders = skillFolders(below);
  if (folders.size === 0) {
    const place = path === "" ? "the repository" : `the folder ${foreignText(path)}`;
    const known = [...skillFolders(entries)].slice(0, 8);
    return sourceFailure("skill-missing", `${place} has no SKILL.md`, {
      candidates: known.map(foreignText),
    });
  }
  // Where folders say which skill they are, the others need not be asked for.
  const named = new Set([...folders].filter((folder) => lastPart(folder) === skill));
  const byFolder = new Map<string, TreeEntry[]>();
  for (const entry of below) {
    const folder = outermost(entry.path, folders);
    if (folder === undefined || (named.size > 0 && !named.has(folder))) continue;
    const files = byFolder.get(folder);
    if (files === undefined) byFolder.set(folder, [entry]);
    else files.push(entry);
  }
  return withoutLinks(byFolder, skill);
}

/** A skill with a link in it is left out, so that others of the repository can still be had. */
function withoutLinks(
  byFolder: ReadonlyMap<string, readonly TreeEntry[]>,
  skill: string | undefined,
): ChosenFiles | PackFailure {
  const files: TreeEntry[] = [];
  const notes: string[] = [];
  let refused: PackFailure | undefined;
  for (const [folder, entries] of byFolder) {
    const link = entries.find((entry) => entry.kind === "link" || !hasPlainName(entry));
    if (link === undefined) {
      for (const entry of entries) {
        if (entry.kind === "file") files.push(entry);
        else notes.push(`left out: ${foreignText(entry.path)}, a submodule`);
      }
      continue;
    }
    notes.push(`left out: ${foreignText(folder)}, for ${foreignText(link.path)}`);
    const isWanted = lastPart(folder) === skill;
    if (isWanted || refused === undefined) {
      refused = sourceFailure(
        "archive-unsafe",
        `${foreignText(link.path)} is a link, or has a name that is not safe`,
        {
          hint: "Skills are made of plain files; ask the author for one without links and with plain names.",
        },
      );
      if (isWanted) return refused;
    }
  }
  return files.length === 0 && refused !== undefined ? refused : { ok: true, files, notes };
}

/** As for archives; and a name that is not in UTF-8 cannot be written as it is. */
function hasPlainName({ path }: TreeEntry): boolean {
  const isGit = path.split("/").some((part) => part.toLowerCase() === ".git");
  return parseEntryName(path).ok && !isGit && !path.includes("\uFFFD");
}

function skillFolders(entries: readonly TreeEntry[]): ReadonlySet<string> {
  const folders = entries.flatMap(({ path, kind }) => {
    const [, folder = "", name = ""] = /^(?:(.*)\/)?([^/]*)$/s.exec(path) ?? [];
    return name.toLowerCase() === "skill.md" && kind !== "submodule" ? [folder] : [];
  });
  return new Set(folders);
}

/** The skill that a file belongs to: a skill within a skill is a part of it. */
function outermost(path: string, folders: ReadonlySet<string>): string | undefined {
  if (folders.has("")) return "";
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    const folder = path.slice(0, at);
    if (folders.has(folder)) return folder;
  }
  return undefined;
}

function lastPart(path: string): string {
  return (path.split("/").at(-1) ?? path).toLowerCase();
}

function missingFolder(entries: readonly TreeEntry[], path: string): PackFailure {
  if (path === "") return sourceFailure("skill-missing", "the repository is empty");
  const shown = foreignText(path);
  const there = entries.find((entry) => path === entry.path || path.startsWith(`${entry.path}/`));
  if (there !== undefined && there.kind !== "file") {
    const message = `${shown} is or leads through a ${there.kind}, which is not followed`;
    return sourceFailure("archive-unsafe", message, {
      hint: "Name the folder itself, as it stands in the repository that holds it.",
    });
  }
  const folders = [...skillFolders(entries)];
  const last = path.split("/").at(-1) ?? path;
  const sameName = folders.filter((folder) => folder.split("/").at(-1) === last);
  return sourceFailure("source-missing", `the repository has no folder ${shown}`, {
    candidates: [...new Set([...sameName, ...nearNames(path, folders)])]
      .slice(0, 5)
      .map(foreignText),
  });
}
