import { describe, expect, it } from "vitest";
import { evalWorld } from "../../../../test/support/eval-world.ts";
import { chatCompletion } from "../../../../test/support/model-server/chat-completions.ts";
import { startModelServer } from "../../../../test/support/model-server/model-server.ts";
import { boundHeap } from "./index.ts";

const CASES = ".agent/evals/cases.yaml";
const CASE =
  "cases:\n  - id: table\n    input: Profile the table\n    expected: { skills: [csv] }\n";
const SELECT = { id: "c0", name: "select_skills", input: { skills: [{ name: "csv" }] } };
const ANSWER = { id: "c1", name: "final_answer", input: { answer: "Done." } };

/** With cassettes for the catalog as it is: in a crowded one every trial is an error. */
async function recordedWorld(...more: string[]) {
  const server = await startModelServer();
  server.answer(...[SELECT, ANSWER].map((call) => chatCompletion({ calls: [call] })));
  const params = { model: "test", baseUrl: `${server.url}/v1` };
  const config = JSON.stringify({ model: { provider: "openai-compatible", params } });
  const world = evalWorld({ [CASES]: CASE, "user.json": config });
  const trigger = (...args: string[]) => world.call(["eval", "trigger", "--trust", CASES, ...args]);
  const model = ["--config", "user.json", "--model", "openai-compatible:test"];
  expect((await trigger(...model, ...more, "--record", "tapes")).exitCode).toBe(0);
  return { trigger, server };
}

describe("going on with an eval", () => {
  it("E-03 of two halves goes on with the one that was left, and does not run the other again", async () => {
    const { trigger } = await recordedWorld();
    const stressed = ["--replay", "tapes", "--stress", "3"];
    const first = await trigger(...stressed);
    expect([first.exitCode, first.stderr]).toEqual([0, expect.not.stringContaining("Going on")]);
    const resumed = await trigger(...stressed, "--resume");
    expect([resumed.exitCode, resumed.stderr]).toEqual([
      0,
      expect.stringContaining("Going on: 1 of 1 trials are done already."),
    ]);
    const anew = await trigger(...stressed);
    expect([anew.exitCode, anew.stderr]).toEqual([0, expect.not.stringContaining("Going on")]);
  });

  it("E-03 nothing is left of two halves that are finished", async () => {
    const { call } = evalWorld();
    const args = ["eval", "trigger", "--trust", "--stress", "3"];
    expect((await call(args)).exitCode).toBe(0);
    const again = await call([...args, "--resume"]);
    expect([again.exitCode, again.stderr]).toEqual([0, expect.not.stringContaining("Going on")]);
  });
});

describe("parameters of the model", () => {
  it("M-05 are sent, and recorded answers are found again without them", async () => {
    const { trigger, server } = await recordedWorld("--model-param", "temperature=0.2");
    expect(server.requests[0]?.body).toMatchObject({ temperature: 0.2 });
    const asked = server.requests.length;
    expect((await trigger("--replay", "tapes")).exitCode).toBe(0);
    expect(server.requests).toHaveLength(asked);
  });

  it("M-05 are refused for the offline model", async () => {
    const { call } = evalWorld({ [CASES]: CASE });
    const args = ["eval", "trigger", "--trust", CASES, "--model-param", "temperature=0.2"];
    const { exitCode, stderr } = await call(args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("takes no parameters")]);
  });
});

const MEBIBYTE = 1024 * 1024;

describe("boundHeap", () => {
  it("E-02 what trials left behind is collected once there is much of it", () => {
    const collectIfMuch = boundHeap();
    let left: unknown[] = Array.from({ length: 2_000_000 }, (_, i) => ({ i }));
    expect(left).toHaveLength(2_000_000);
    left = [];
    const before = process.memoryUsage().heapUsed;
    for (let trial = 0; trial < 32; trial++) collectIfMuch();
    expect(before - process.memoryUsage().heapUsed).toBeGreaterThan(40 * MEBIBYTE);
  });
});
