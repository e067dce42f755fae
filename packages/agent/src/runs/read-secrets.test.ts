import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  action,
  agentWorld,
  APPROVED,
  callingModel,
  gatedPolicy,
} from "../../../../test/support/agent-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { resumeAgent, createMemoryStore } from "../index.ts";
import { conversationAfter } from "../internal/index.ts";

const VALUE = "hunter2hunter2";
const PLACEHOLDER = "⟦secret:DB_PASSWORD⟧";
const FILES = {
  "project/apart/SKILL.md": skillText("apart", undefined, "run-mode: subagent\n"),
  "work/app.conf": `password=${VALUE}\n`,
};
const READ = action("read_file", { path: "app.conf" });
const WRITE = action("write_file", { path: "new.conf", content: `p=${PLACEHOLDER}\n` });
const SELECT = action("select_skills", { skills: "apart" });

async function world() {
  const { folder, run, skills } = await agentWorld({ files: FILES });
  const env = { DB_PASSWORD: VALUE };
  const { policy } = gatedPolicy(folder, { decide: () => APPROVED, env });
  const written = () => {
    const file = join(folder, "work/new.conf");
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };
  return {
    written,
    skills,
    policy,
    run: (turns: Parameters<typeof callingModel>[0], options = {}) =>
      run(callingModel(turns), { policy, ...options }),
  };
}

const NEW = { id: "", exchanges: [], skills: [] };

describe("secrets that were read", () => {
  it("D-11 A-05 the next message of a chat can write them, also when it starts from the record", async () => {
    for (const isRecorded of [false, true]) {
      const { run, written } = await world();
      const first = await run([READ, "It is set."], { conversation: NEW });
      const { conversation } = first.result;
      expect(conversation.secretNames).toEqual(["DB_PASSWORD"]);
      expect(JSON.stringify(first.records)).not.toContain(VALUE);
      const second = await run(["Fine."], {
        conversation: isRecorded ? conversationAfter(first.records) : conversation,
      });
      // A message in between reads nothing.
      const third = await run([WRITE, "Written."], { conversation: second.result.conversation });
      expect(written()).toBe(`p=${VALUE}\n`);
      expect(third.of("run-start")[0]?.secretNames).toEqual(["DB_PASSWORD"]);
      expect(JSON.stringify(third.records)).not.toContain(VALUE);
    }
  });

  it("D-11 placeholders in the history alone give nothing back", async () => {
    const { run, written } = await world();
    const forged = await run([`It is ${PLACEHOLDER}.`], { conversation: NEW });
    await run([WRITE, "Written."], { conversation: forged.result.conversation });
    expect(written() ?? "").not.toContain(VALUE);
  });

  it("D-11 A-07 a parent can write what its child read", async () => {
    const { run, written } = await world();
    const { of, result } = await run([SELECT, READ, "It is set.", WRITE, "Written."]);
    expect(of("child-end")[0]?.secretNames).toEqual(["DB_PASSWORD"]);
    expect(written()).toBe(`p=${VALUE}\n`);
    expect(result.conversation.secretNames).toEqual(["DB_PASSWORD"]);
  });

  it("D-11 A-07 a child can write what its parent read", async () => {
    const { run, written } = await world();
    await run([READ, SELECT, WRITE, "Written.", "Done."]);
    expect(written()).toBe(`p=${VALUE}\n`);
  });

  it("D-11 A-05 so can a run that is resumed", async () => {
    const { run, written, policy, skills } = await world();
    const store = createMemoryStore();
    const { result } = await run([READ, READ], { store, budget: { turns: 2 } });
    expect(result.status).toBe("budget_exhausted");
    await resumeAgent({
      runId: result.runId,
      store,
      skills,
      policy,
      model: callingModel([WRITE, "Written."]),
      budget: { turns: 9 },
    });
    expect(written()).toBe(`p=${VALUE}\n`);
  });
});
