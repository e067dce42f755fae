import { expect, it } from "vitest";
import { agentWorld } from "../../../../test/support/agent-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";

it("A-02 the advice of a failure uses the names that the action has", async () => {
  const { run } = await agentWorld({
    files: { "project/a/SKILL.md": skillText("a"), "project/a/references/x.md": "one\ntwo\n" },
  });
  const skill = { name: "a" };
  const { of } = await run([
    { action: "select_skills", skills: [skill] },
    {
      action: "load_resource",
      skill,
      relative_path: "references/x.md",
      lines: "2-1",
    },
    { action: "final_answer", answer: "done" },
  ]);
  const { observation = "" } = of("action-end")[1] ?? {};
  expect(observation).toContain("line 2 is above line 1");
  expect(observation).not.toMatch(/startLine|endLine/);
});
