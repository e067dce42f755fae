import { type Dirent, lstatSync, readdirSync } from "node:fs";
import type { Failure } from "@skillwright/core";
import { defined, visibleLine } from "@skillwright/core/internal";
import type { SeenEntry } from "../../changes/run-changes.ts";
import { folderFailure, openFolder, type OpenFolder } from "../confinement/open-folder.ts";
import { quotePath, systemFailure } from "../confinement/workspace-failure.ts";
import { defineWorkspaceTool, type Workspace, type WorkspaceTool } from "../workspace.ts";
import { locate } from "../confinement/workspace-path.ts";

interface ListDirectoryResult {
  readonly ok: true;
  readonly path: string;
  /** By name. */
  readonly entries: readonly ListedEntry[];
  /** How many more there are. */
  readonly left: number;
}

interface ListedEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
  /** Of files, in bytes. */
  readonly size?: number;
}

const MAX_ENTRIES = 2000;

export function listDirectoryTool(workspace: Workspace): WorkspaceTool {
  return defineWorkspaceTool({
    name: "list_directory",
    description: "Lists a folder: files with sizes, folders with /, links with @.",
    parameters: {
      path: { type: "string", optional: true, description: "Default: the working directory." },
      after: { type: "string", optional: true, description: "Continue after this name." },
    },
    run: async ({ path = ".", after = "" }) => listWorkspaceFolder(workspace, path, after),
    toText: listText,
  });
}

async function listWorkspaceFolder(
  workspace: Workspace,
  asked: string,
  after: string,
): Promise<ListDirectoryResult | Failure> {
  const located = await locate(asked, workspace);
  if (!located.ok) return located;
  const { root, segments, real, seen } = located;
  const opened = openFolder(root, real);
  // A script may have made the folder.
  if (!opened.ok && seen?.type !== "folder") return folderFailure(opened.reason, segments);
  const folder = opened.ok ? opened.folder : undefined;
  const path = segments.join("/") || ".";
  try {
    const found = new Map<string, () => ListedEntry>();
    if (folder !== undefined) {
      for (const entry of readdirSync(folder.itself, { withFileTypes: true })) {
        found.set(entry.name, () => describe(folder, entry));
      }
      if (!folder.isInPlace()) return folderFailure("changing", segments);
    }
    for (const [name, entry] of workspace.changes?.seenFolders().get(real.join("/")) ?? []) {
      if (entry.type === "deleted") found.delete(name);
      else found.set(name, () => describeSeen(name, entry));
    }
    const names = [...found.keys()].filter((name) => name > after).toSorted();
    const entries: ListedEntry[] = [];
    let bytes = 0;
    for (const name of names.slice(0, MAX_ENTRIES)) {
      bytes += Buffer.byteLength(name) + 30;
      const entry = bytes > workspace.maxOutputBytes ? undefined : found.get(name)?.();
      if (entry === undefined) break;
      entries.push(entry);
    }
    return { ok: true, path, entries, left: names.length - entries.length };
  } catch (error) {
    return systemFailure(error, quotePath(path), "file-unreadable");
  } finally {
    folder?.close();
  }
}

/** As a script of this run left it. */
function describeSeen(name: string, entry: SeenEntry): ListedEntry {
  const { type } = entry;
  const kind = type === "special" || type === "deleted" ? "other" : type;
  return { name: visibleLine(name), kind, ...(entry.type === "file" && { size: entry.size }) };
}

function describe(folder: OpenFolder, entry: Dirent): ListedEntry {
  const name = visibleLine(entry.name);
  if (entry.isDirectory()) return { name, kind: "folder" };
  if (entry.isSymbolicLink()) return { name, kind: "link" };
  if (!entry.isFile()) return { name, kind: "other" };
  const size = lstatSync(folder.child(entry.name), { throwIfNoEntry: false })?.size;
  return { name, kind: "file", ...defined({ size }) };
}

const SIGNS = { file: "", folder: "/", link: "@", other: "?" } as const;

function listText({ entries, left }: ListDirectoryResult): string {
  if (entries.length === 0) return "The folder is empty.";
  const lines = entries.map(({ name, kind, size }) => {
    const shown = `${name}${SIGNS[kind]}`;
    return size === undefined ? shown : `${shown}\t${size}`;
  });
  const last = entries.at(-1)?.name ?? "";
  const note = `[${left} more. Continue with after ${quotePath(last)}.]`;
  return [...lines, ...(left > 0 ? [note] : [])].join("\n");
}
