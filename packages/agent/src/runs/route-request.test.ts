import { describe, expect, it } from "vitest";
import { agentWorld } from "../../../../test/support/agent-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { replayRun } from "./index.ts";

const FILES: Record<string, string> = {};
for (let i = 0; i < 12; i++) {
  const word = (part: number) => `w${String.fromCharCode(97 + i)}${i}x${part}`;
  const name = `skill-${i}`;
  FILES[`project/${name}/SKILL.md`] = skillText(name, `Handles ${word(0)}. Use for ${word(0)}.`);
  const evals = [0, 1, 2, 3].map(() => ({
    query: `please ${word(1)} the ${word(0)}`,
    should_trigger: true,
  }));
  FILES[`project/${name}/evals/evals.json`] = JSON.stringify({ evals });
}
const ANSWER = { action: "final_answer", answer: "done" };
const REQUEST = "wc2x1 the wc2x0 for me";

describe("D-14 before the first turn", () => {
  it("the model reads a hint beside the request, and the record has the scores", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { of, result, records } = await run([ANSWER], { request: REQUEST });
    expect(of("skill-route")[0]).toMatchObject({
      decision: "hint",
      candidates: [{ name: "skill-2" }],
      hint: "Likely: skill-2 (matches: wc2x0, wc2x1)",
    });
    const [message] = result.conversation.messages ?? [];
    expect(JSON.stringify(message)).toContain("[Likely: skill-2");
    expect(of("run-start")[0]?.system).not.toContain("Likely");
    expect(await replayRun(records)).toMatchObject({ ok: true });
  });

  it("A-05 auto loads it first, by a recorded route, and off does neither", async () => {
    const { run } = await agentWorld({ files: FILES });
    const auto = await run([ANSWER], { request: REQUEST, route: "auto" });
    expect(auto.names.slice(0, 3)).toEqual(["run-start", "skill-route", "skill-activate"]);
    expect(auto.of("skill-route")[0]).toMatchObject({ decision: "activate" });
    expect(auto.of("skill-activate")[0]).toMatchObject({ name: "skill-2", turn: 0 });
    expect(await replayRun(auto.records)).toMatchObject({ ok: true });
    const off = await run([ANSWER], { request: REQUEST, route: "off" });
    expect(off.names).not.toContain("skill-route");
  });

  it("a person who calls a skill has decided", async () => {
    const { run } = await agentWorld({ files: FILES });
    const { names } = await run([ANSWER], { request: REQUEST, use: ["skill-1"], route: "auto" });
    expect(names).not.toContain("skill-route");
  });
});
