import type { SkillRecord } from "@skillwright/core";
import type { ServerParts } from "./server-parts.ts";

const BUDGET_TOKENS = 1500;
const ABOUT =
  "Agent Skills: instructions for kinds of work, with files and scripts. Search them before you begin a task, " +
  "load the one that fits, and read the files that it refers to.";

/** What a client may tell its model about this server: how to use the skills, and a short catalog. */
export function serverInstructions({ skills }: ServerParts): () => string {
  let text = ABOUT;
  let records: readonly SkillRecord[] | undefined;
  return () => {
    if (records === skills.all) return text;
    records = skills.all;
    const catalog = skills.conversation().catalog({ budgetTokens: BUDGET_TOKENS });
    text = catalog.text === "" ? ABOUT : `${ABOUT}\n\n${catalog.text}`;
    return text;
  };
}
