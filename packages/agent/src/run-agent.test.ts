import { join } from "node:path";
import { openSkills } from "@skillwright/core";
import type { AuditRecord } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createSequenceModel } from "./models/mock/create-sequence-model.ts";
import { runAgent } from "./run-agent.ts";

async function world() {
  const folder = temporaryFolder({
    "skills/pdf/SKILL.md": skillText("pdf", "Reads PDF files. Use when a PDF must be read."),
    "skills/pdf/references/forms.md": "# Forms\nFill them.\n",
    "skills/csv/SKILL.md": skillText("csv", "Reads CSV files. Use when a CSV must be read."),
  });
  return openSkills({ roots: [join(folder, "skills")] });
}

describe("runAgent", () => {
  it("A-01 A-05 selects, loads, reads and answers, and the record proves the order", async () => {
    const skills = await world();
    const events: AuditRecord[] = [];
    const result = await runAgent({
      request: "read the pdf",
      skills,
      model: createSequenceModel([
        {
          action: "select_skills",
          skills: [{ name: "pdf" }],
          plan_update: { replace: { goal: "read it", steps: [{ id: "1", title: "load" }] } },
        },
        { action: "load_resource", skill: { name: "pdf" }, relative_path: "references/forms.md" },
        { action: "final_answer", answer: "done" },
      ]),
      onEvent: (record) => events.push(record),
    });
    expect(events.map(({ event }) => event)).toEqual([
      "run-start",
      "model-request",
      "model-response",
      "action-decide",
      "plan-update",
      "skill-activate",
      "action-end",
      "model-request",
      "model-response",
      "action-decide",
      "file-read",
      "action-end",
      "model-request",
      "model-response",
      "action-decide",
      "run-end",
    ]);
    expect(result).toMatchObject({ status: "answered", answer: "done", skills: ["pdf"] });
  });
});
