import { openConfinedSync, readUpTo } from "@skillwright/core/internal";
import { closeSync } from "node:fs";

const MAX_BYTES = 8 << 20;

/** A file of a skill, never through a link and never outside; undefined where it cannot be read whole. */
export function readSkillText(realDirectory: string, path: string): string | undefined {
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    return undefined;
  }
  const opened = openConfinedSync(realDirectory, segments);
  if (!opened.ok) return undefined;
  try {
    const bytes = readUpTo(opened.descriptor, MAX_BYTES + 1, opened.stats.size);
    return bytes.length > MAX_BYTES ? undefined : bytes.toString("utf8");
  } finally {
    closeSync(opened.descriptor);
  }
}
