import { homedir } from "node:os";
import type { Attachment } from "@skillwright/agent/internal";
import { visibleLine } from "@skillwright/core/internal";
import { CommandFailure, EXIT } from "../../exit-code.ts";
import { workspaceOptions, readAttachments } from "@skillwright/app/internal";
import { readPiped } from "../input/piped-file.ts";
import type { ChatContext } from "./chat.ts";

/** A file for the next message, with the path that was typed. */
export interface AttachedFiles {
  readonly given: readonly string[];
  readonly attachments: readonly Attachment[];
}

export const NO_FILES: AttachedFiles = { given: [], attachments: [] };

/** One more file for the next message; it has to lie in the working directory, as with `run --file`. */
export async function attachFile(
  typed: string,
  { given }: AttachedFiles,
  { app, store, console }: ChatContext,
): Promise<AttachedFiles> {
  const path = typed.replace(/^(["'])(.*)\1$/, "$2").replace(/^@/, "");
  if (path === "" || path === "-") {
    throw new CommandFailure(EXIT.usage, "which file is not said", {
      hint: "/file <path>, a file in this folder",
    });
  }
  const { project, configuration } = app;
  const home = console.env["HOME"] ?? homedir();
  const place = { project, configuration, home };
  const { root, maxFileSizeBytes } = workspaceOptions(place, console, store.stateDirectory);
  const limits = { root, maxBytes: maxFileSizeBytes ?? Number.POSITIVE_INFINITY };
  const all = [...given.filter((one) => one !== path), path];
  // All anew: they share the room that there is.
  return {
    given: all,
    attachments: await readAttachments(all, limits, console.cwd, () =>
      readPiped(limits.maxBytes, console),
    ),
  };
}

/** What goes with the next message. */
export function attachedText({ attachments }: AttachedFiles): string {
  const files = attachments.map(({ path, bytes, text, truncated }) => {
    const how = text === undefined ? ", no text" : truncated === true ? ", its beginning" : "";
    return `${visibleLine(path)} (${bytes} bytes${how})`;
  });
  return `With the next message: ${files.join(", ")}`;
}
