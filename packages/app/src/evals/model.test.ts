import type { Model } from "@skillwright/agent";
import { directorySource, openSkills } from "@skillwright/core";
import { expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { placedModel } from "./index.ts";

it("E-03 a model sees no folder of this machine, and its answer leads to them again", async () => {
  const folder = temporaryFolder({ "pdf/SKILL.md": skillText("pdf", "Fills. Use to fill.") });
  const skills = await openSkills({ roots: [directorySource(folder, { label: "project" })] });
  let seen = "";
  const model = {
    id: "test",
    async decide(request: unknown) {
      seen = JSON.stringify(request);
      return {
        ok: true,
        message: { text: "read /eval/trial/a and /eval/skills/pdf/b", calls: [] },
      };
    },
  } as unknown as Model;
  const digest = `digest="sha256:${"a".repeat(64)}"`;
  const text = `${folder}/pdf /work/trial-1/x ${digest}\nevals/evals.json (12 bytes)\nrest`;
  const request = { system: text } as unknown as Parameters<Model["decide"]>[0];
  const answer = await placedModel(model, "/work/trial-1", skills).decide(request);
  expect(seen).not.toContain(folder);
  expect(seen).not.toContain("trial-1");
  expect(seen).not.toContain("a".repeat(64));
  expect(seen).not.toContain("evals.json");
  expect(answer).toMatchObject({ message: { text: `read /work/trial-1/a and ${folder}/pdf/b` } });
});
