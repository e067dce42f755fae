import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProgramResult } from "../program/run-program.ts";
import type { Git } from "./open-git.ts";

/** Above all attributes of the content: no filters, no line ends, no encodings; bytes as they are. */
const ATTRIBUTES = "* -text -eol -ident -filter -working-tree-encoding\n";

/**
 * An empty repository in place of what was there: an attempt to fetch leaves settings behind that
 * make git ask the server again and again.
 */
export async function makeRepository(git: Git, isLong: boolean): Promise<ProgramResult> {
  await rm(git.repository, { recursive: true, force: true });
  const format = isLong ? ["--object-format=sha256"] : [];
  const made = await git.run(["init", "--quiet", "--bare", "--template=", ...format]);
  await mkdir(join(git.repository, "info"), { recursive: true });
  await writeFile(join(git.repository, "info", "attributes"), ATTRIBUTES);
  return made;
}
