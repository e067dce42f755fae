import type { Conversation } from "@skillwright/core";
import { matchingFile, SECRET_FILES } from "@skillwright/runtime/internal";

/** Whether a file of a skill looks like a secret by its path: nobody means to serve those. */
export function isSecretFile(path: string): boolean {
  const segments = path.split(/[/\\]/).filter((name) => name !== "" && name !== ".");
  return matchingFile(segments, SECRET_FILES) !== undefined;
}

/** The same view, whose lists have no secrets: a script with the name of one is then not there. */
export function withoutSecretFiles(view: Conversation): Conversation {
  const listFiles = view.listFiles.bind(view);
  view.listFiles = async (...asked) => {
    const listed = await listFiles(...asked);
    if (!listed.ok) return listed;
    return { ...listed, files: listed.files.filter(({ path }) => !isSecretFile(path)) };
  };
  return view;
}
