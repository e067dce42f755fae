import { createSkillIndex } from "@skillwright/core";
import type { ActiveSkill } from "../model.ts";

export interface ResourceChoice {
  readonly path: string;
  readonly section?: string;
}

const MAX_TEXT = 200_000;
const MAX_FILES = 200;
const READABLE = /\.(?:md|markdown|txt|rst|adoc)$/i;

/** Files that the instructions name and that fit the request, the best first. */
export function chooseResources(
  { text, files }: Pick<ActiveSkill, "text" | "files">,
  request: string,
): ResourceChoice[] {
  const lines = text.slice(0, MAX_TEXT).split("\n");
  const end = lines.findIndex((line) => line === "<skill_files>");
  const instructions = end < 0 ? lines : lines.slice(0, end);
  const readable = files
    .filter((path) => READABLE.test(path) && path !== "SKILL.md")
    .slice(0, MAX_FILES);
  const named = readable.flatMap((path) => {
    const mentioned = instructions.filter((line) => line.includes(path)).slice(0, 10);
    return mentioned.length === 0 ? [] : [{ path, mentioned }];
  });
  const index = createSkillIndex(
    named.map(({ path, mentioned }, i) => ({
      id: `${i}`,
      name: path.replace(/^.*\/|\.\w+$/g, ""),
      description: mentioned.join("\n").slice(0, 2000),
    })),
  );
  return index.search(request, { limit: 2 }).flatMap(({ id }) => {
    const found = named[Number(id)];
    if (found === undefined) return [];
    const section = sectionOf(found.path, found.mentioned.join("\n"));
    return [{ path: found.path, ...(section !== undefined && { section }) }];
  });
}

/** `references/FORMS.md#filling-forms` is the section "filling forms". */
function sectionOf(path: string, text: string): string | undefined {
  const after = text.slice(text.indexOf(path) + path.length);
  return /^#([\p{L}\p{N}_-]{1,100})/u.exec(after)?.[1]?.replaceAll("-", " ");
}
