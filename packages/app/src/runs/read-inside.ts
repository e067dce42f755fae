import { openConfined, readUpTo } from "@skillwright/core/internal";
import { closeSync, realpathSync, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { AppFailure } from "../failure.ts";

export interface AttachmentPlace {
  /** The working directory, which no file may lie outside of. */
  readonly root: string;
  readonly maxBytes: number;
}

/** All of a regular file that lies inside the working directory, links resolved. */
export async function readInside(
  given: string,
  { root, maxBytes }: AttachmentPlace,
  cwd: string,
): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  if (given.trim() === "") throw wrong("the path of a file is empty", { hint: "name a file" });
  const folder = realpathSync(root);
  const real = realPath(given, cwd);
  const path = relative(folder, real).split(sep).join("/");
  if (!real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) {
    throw wrong(`${shown(given)} lies outside of the working directory`, {
      hint: `copy it into ${folder}, or start in its folder with --cwd <folder>`,
    });
  }
  if (statSync(real, { throwIfNoEntry: false })?.isFile() === false) {
    const hint = "give a file; a folder can be named in the request";
    throw wrong(`${shown(given)} is not a file`, { hint });
  }
  const { descriptor, stats } = await openConfined(folder, path).catch((cause: Error) => {
    throw wrong(`${shown(given)} cannot be opened`, { cause });
  });
  try {
    // As the tools that read files see it: its other name may be anywhere.
    if (stats.nlink > 1) {
      const hint = "give a copy of it: cp makes one";
      throw wrong(`${shown(given)} has a second name somewhere (a hard link)`, { hint });
    }
    if (stats.size > maxBytes) throw tooLarge(given, stats.size, maxBytes);
    const bytes = readUpTo(descriptor, maxBytes + 1, stats.size);
    if (bytes.length > maxBytes) throw tooLarge(given, bytes.length, maxBytes);
    return { path, bytes };
  } finally {
    closeSync(descriptor);
  }
}

function realPath(given: string, cwd: string): string {
  try {
    return realpathSync(resolve(cwd, given));
  } catch (cause) {
    const hint = `paths count from ${cwd}`;
    throw wrong(`there is no file ${shown(given)}`, { hint, cause });
  }
}

function tooLarge(given: string, size: number, maxBytes: number): AppFailure {
  return wrong(`${shown(given)} has ${size} bytes, at most ${maxBytes} are taken`, {
    hint: "name it in the request instead: scripts read it where it is (workspace.maxFileSizeBytes)",
  });
}

function shown(path: string): string {
  return JSON.stringify(path);
}

function wrong(
  message: string,
  options: { readonly hint?: string; readonly cause?: unknown } = {},
): AppFailure {
  return new AppFailure("usage", message, options);
}
