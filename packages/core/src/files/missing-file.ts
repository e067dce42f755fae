import { basename } from "node:path/posix";
import { nearNames } from "../format/text/near-names.ts";
import { listFiles } from "./list-files.ts";
import type { FileFailure, SkillFiles } from "./skill-files.ts";
import { quotePath } from "./skill-path.ts";

const MAX_CANDIDATES = 5;

/** Says that there is no such file, and which may have been meant. */
export async function missingFile(skill: SkillFiles, path: string): Promise<FileFailure> {
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
export async function notAFile(skill: SkillFiles, path: string): Promise<FileFailure> {
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
