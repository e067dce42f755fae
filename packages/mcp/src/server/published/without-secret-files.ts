import type { SkillsView } from "@skillwright/core";
import { isSecretFile } from "./is-secret-file.ts";

/** The same view, whose lists have no secrets: a script with the name of one is then not there. */
export function withoutSecretFiles(view: SkillsView): SkillsView {
  const listFiles = view.listFiles.bind(view);
  view.listFiles = async (...asked) => {
    const listed = await listFiles(...asked);
    if (!listed.ok) return listed;
    return { ...listed, files: listed.files.filter(({ path }) => !isSecretFile(path)) };
  };
  return view;
}
