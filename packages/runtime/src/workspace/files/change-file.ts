import { readRegularFile } from "@skillwright/core/internal";
import { join } from "node:path";
import type { SeenFile } from "../../changes/run-changes.ts";
import { folderFailure } from "../confinement/folder-problem.ts";
import { openFolder } from "../confinement/open-folder.ts";
import { refuse, type WorkspaceFailure } from "../confinement/workspace-failure.ts";
import { writablePath } from "../confinement/writable-path.ts";
import type { Workspace } from "../workspace.ts";
import { changeOf, type FileChange } from "./file-change.ts";
import { missingFile } from "./missing-file.ts";
import { type PreviousFile, previousFile } from "./previous-file.ts";
import { replaceFile } from "./replace-file.ts";

/** A change to one file of the workspace. */
export interface PlannedChange {
  readonly path: string;
  /** The whole new text, from what is there now. */
  readonly newText: (previous: PreviousFile | undefined) => NewText | WorkspaceFailure;
  /** The file has to be there; otherwise it and its folders are made. */
  readonly mustExist?: boolean;
}

export interface NewText {
  readonly ok: true;
  readonly text: string;
}

export type ChangedFile = (FileChange & { readonly ok: true }) | WorkspaceFailure;

/** What a call would change, for whoever has to approve it. Nothing is written. */
export function previewChange(workspace: Workspace, change: PlannedChange): Promise<ChangedFile> {
  return carryOut(workspace, change, false);
}

/** Changes the file in one step: it is the old one or the new one, never a part. */
export function changeFile(workspace: Workspace, change: PlannedChange): Promise<ChangedFile> {
  return carryOut(workspace, change, true);
}

async function carryOut(
  workspace: Workspace,
  { path, newText, mustExist = false }: PlannedChange,
  isWritten: boolean,
): Promise<ChangedFile> {
  if (path.endsWith("/")) return refuse("not-a-file", "a path with / at its end is a folder");
  const writable = writablePath(path, workspace);
  if (!writable.ok) return writable;
  const seen = workspace.changes?.seen(writable.path.split("/"));
  const mayMake = !mustExist || typeof seen === "object";
  const opened = openFolder(writable.root, writable.folder, { create: isWritten && mayMake });
  if (!opened.ok && opened.reason !== "missing")
    return folderFailure(opened.reason, writable.folder);
  const folder = opened.ok ? opened.folder : undefined;
  let isDone = false;
  try {
    const previous = folder && previousFile(folder, writable, workspace);
    if (previous?.ok === false) return previous;
    const file = previous?.file;
    // Where a script changed it, the change starts from what the script left.
    const base = seen === undefined ? file : seenFile(seen, file, workspace);
    if (base === undefined && mustExist) return missingFile(workspace, path);
    const next = newText(base);
    if (!next.ok) return next;
    const tooLarge = sizeProblem(next.text, workspace);
    if (tooLarge !== undefined) return tooLarge;
    if (isWritten) {
      if (folder === undefined) return folderFailure("missing", writable.folder);
      const failure = replaceFile(folder, writable, Buffer.from(next.text), file);
      if (failure !== undefined) return failure;
      await workspace.changes?.supersede(writable.path);
    }
    isDone = true;
    return { ok: true, ...(await changeOf(writable.path, file, next.text, workspace)) };
  } finally {
    if (!isDone) folder?.undoMade();
    folder?.close();
  }
}

function seenFile(
  seen: SeenFile | "deleted",
  file: PreviousFile | undefined,
  { maxFileBytes }: Workspace,
): PreviousFile | undefined {
  if (seen === "deleted") return undefined;
  const { folder, name, size } = seen;
  const owned = file ?? {
    mode: 0o644,
    owner: process.getuid?.() ?? 0,
    group: process.getgid?.() ?? 0,
  };
  const { mode, owner, group } = owned;
  if (size > maxFileBytes) return { mode, owner, group, size };
  const bytes = readRegularFile(join(folder, name), { maxBytes: maxFileBytes });
  return { mode, owner, group, size, bytes };
}

function sizeProblem(text: string, { maxFileBytes }: Workspace): WorkspaceFailure | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxFileBytes) return undefined;
  const message = `the text has ${bytes} bytes; the limit for files is ${maxFileBytes}`;
  return refuse("file-too-large", message, "Write it as several files.");
}
