import { chatOf } from "../support/chat-of.ts";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openSkills } from "@skillwright/core";
import { expect, it } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it.each([
  "!`touch ran`",
  "Now: !`touch ran` and so on",
  "```!\ntouch ran\n```",
  "$(touch ran) `touch ran` <(touch ran)",
  "${CLAUDE_SKILL_DIR}/scripts/act.sh && !`touch ran $ARGUMENTS`",
])("X-01 case 119 a body is text: nothing in %j is carried out", async (body) => {
  const text = `${skillText("pdf")}\n${body}\n`;
  const root = temporaryFolder({ "pdf/SKILL.md": text, "pdf/scripts/act.sh": "touch ran\n" });
  const before = readdirSync(process.cwd()).sort();
  const skills = await openSkills({ roots: [root] });
  const activated = await chatOf(skills).activate("pdf");
  expect(activated).toMatchObject({ ok: true });
  expect(JSON.stringify(activated)).toContain("touch ran");
  expect(readdirSync(join(root, "pdf")).sort()).toEqual(["SKILL.md", "scripts"]);
  expect(readdirSync(process.cwd()).sort()).toEqual(before);
});
