import { type Dirent, lstatSync, readdirSync } from "node:fs";
import type { Failure } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import { folderFailure, openFolder, type OpenFolder } from "../confinement/open-folder.ts";
import { resolveInside } from "../confinement/workspace-path.ts";
import { quotePath, systemFailure } from "../confinement/workspace-failure.ts";
import {
  defineWorkspaceTool,
  pathParameter,
  type WorkspaceTool,
} from "../input/define-workspace-tool.ts";
import type { Workspace } from "../workspace.ts";
import { missingFile } from "./read-file.ts";

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
      path: {
        ...pathParameter("Default: the working directory."),
        optional: true,
      },
      after: {
        type: "string",
        optional: true,
        description: "Continue after this name.",
      },
    },
    run: async ({ path = ".", after = "" }) => listWorkspaceFolder(workspace, path, after),
    toText: listText,
  });
}

async function listWorkspaceFolder(
  workspace: Workspace,
  path: string,
  after: string,
): Promise<ListDirectoryResult | Failure> {
  const resolved = await resolveInside(path, workspace);
  if (!resolved.ok)
    return resolved.code === "file-not-found" ? missingFile(workspace, path) : resolved;
  const plain = resolved.segments.join("/") || ".";
  const opened = openFolder(resolved.root, resolved.real);
  if (!opened.ok) return folderFailure(opened.reason, resolved.segments);
  const { folder } = opened;
  try {
    const found = readdirSync(folder.itself, { withFileTypes: true })
      .filter(({ name }) => name > after)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    if (!folder.isInPlace()) return folderFailure("changing", resolved.segments);
    const entries: ListedEntry[] = [];
    let bytes = 0;
    for (const entry of found.slice(0, MAX_ENTRIES)) {
      bytes += Buffer.byteLength(entry.name) + 30;
      if (bytes > workspace.maxOutputBytes) break;
      entries.push(describe(folder, entry));
    }
    return { ok: true, path: plain, entries, left: found.length - entries.length };
  } catch (error) {
    return systemFailure(error, quotePath(plain), "file-unreadable");
  } finally {
    folder.close();
  }
}

function describe(folder: OpenFolder, entry: Dirent): ListedEntry {
  const name = visibleLine(entry.name);
  if (entry.isDirectory()) return { name, kind: "folder" };
  if (entry.isSymbolicLink()) return { name, kind: "link" };
  if (!entry.isFile()) return { name, kind: "other" };
  const size = lstatSync(folder.child(entry.name), { throwIfNoEntry: false })?.size;
  return { name, kind: "file", ...(size !== undefined && { size }) };
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
