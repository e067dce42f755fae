import { matchingFile, SECRET_FILES } from "@skillwright/runtime";

/** Whether a file of a skill looks like a secret by its path: nobody means to serve those. */
export function isSecretFile(path: string): boolean {
  const segments = path.split(/[/\\]/).filter((name) => name !== "" && name !== ".");
  return matchingFile(segments, SECRET_FILES) !== undefined;
}
