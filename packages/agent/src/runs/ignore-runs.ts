import { lstatSync } from "node:fs";
import { join } from "node:path";
import { AuditError } from "@skillwright/runtime";
import { holdsText } from "./holds-text.ts";
import { writeAtOnce } from "./run-folder.ts";

const IGNORE_ALL = "*\n";

/** A record is nobody's business but the user's, whatever the project thinks of it. */
export function ignoreRuns(folder: string): void {
  const file = join(folder, ".gitignore");
  if (holdsText(file, IGNORE_ALL)) return;
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new AuditError("audit-unwritable", `${file} is a folder, so no run is kept there`, {
      hint: "Look where it comes from, then remove it.",
    });
  }
  writeAtOnce(folder, ".gitignore", IGNORE_ALL);
}
