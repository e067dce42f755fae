import { createFileStore } from "@skillwright/agent";
import { directorySource, openSkills } from "@skillwright/core";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type GeneratedEvent,
  type GeneratedRun,
  generateRuns,
  readRunIndex,
  skillStats,
  writeRun,
} from "./testing.ts";

const SKILLS = ["pdf", "charts", "letters", "idle"];

let base: string;
let project: string;
let cache: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "skillwright-stats-"));
  project = join(base, "project");
  cache = join(base, "cache");
  for (const name of [...SKILLS, "unlisted"]) {
    const folder = join(project, ".agent/skills", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "SKILL.md"),
      `---\nname: ${name}\ndescription: About ${name}.\n---\nDo it.\n`,
    );
  }
  const evals = join(project, ".agent/skills/pdf/evals");
  mkdirSync(evals);
  const queries = [
    { prompt: "Fill this PDF form, please!", should_trigger: true },
    { prompt: "say hello", should_trigger: false },
  ];
  writeFileSync(join(evals, "evals.json"), JSON.stringify(queries));
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const open = () => createFileStore({ root: project, stateDirectory: join(base, "state") });

async function stats(since?: number) {
  const skills = await openSkills({
    roots: [directorySource(join(project, ".agent/skills"), { label: "project" })],
  });
  const found = await skillStats(open(), skills.all, cache, since === undefined ? {} : { since });
  await skills.close();
  return found;
}

function generate(count: number): readonly GeneratedRun[] {
  const runs = [...generateRuns(count, SKILLS)];
  for (const run of runs) writeRun(project, run);
  return runs;
}

/** Counts one question at a time over all events, however long that takes. */
function bruteForce(runs: readonly GeneratedRun[], name: string) {
  const id = `project:${name}`;
  const is = (event: string) => (one: GeneratedEvent) => one.event === event;
  const of = (one: GeneratedEvent) => one.data["name"] === name || one.data["skill"] === name;
  const withEvent = (test: (one: GeneratedEvent) => boolean) =>
    runs.filter(({ events }) => events.some(test)).length;
  const every = runs.flatMap(({ events }) => events.map((event, at) => ({ event, at, events })));
  const answers = every.filter(
    ({ event }) =>
      event.event === "model-response" && (event.data["usage"] as { calls: number }).calls > 0,
  );
  const isActive = (wanted: string, events: readonly GeneratedEvent[], at: number) => {
    const last = events
      .slice(0, at)
      .findLast(
        ({ event, data }) =>
          (event === "skill-activate" || event === "skill-drop") && data["id"] === wanted,
      );
    return last?.event === "skill-activate";
  };
  const active = answers.filter(({ events, at }) => isActive(id, events, at));
  const isDropped = (events: readonly GeneratedEvent[], at: number) => {
    const request = events.slice(0, at).findLast(is("model-request"));
    return (request?.data["droppedSkills"] as string[] | undefined)?.includes(id) === true;
  };
  const filesAt = (events: readonly GeneratedEvent[], at: number) => {
    const before = events.slice(0, at);
    const since = before.slice(before.findLastIndex(is("context-trim")) + 1);
    return since.filter((one) => is("file-read")(one) && of(one) && one.data["ok"] === true).length;
  };
  const starts = every.filter(({ event }) => is("script-start")(event) && of(event));
  const ends = every.filter(({ event }) => is("script-end")(event) && of(event));
  const inUse = (one: GeneratedEvent) =>
    (is("skill-activate")(one) && of(one)) ||
    (is("child-start")(one) && one.data["skill"] === `${name}@project`);
  const isRouted = (one: GeneratedEvent) =>
    is("skill-route")(one) &&
    one.data["decision"] !== "none" &&
    (one.data["candidates"] as { name: string }[])[0]?.name === name;
  const missed = runs.filter(({ events }) => {
    const { parent, request } = events[0]?.data ?? {};
    const isLike = name === "pdf" && request === "fill this pdf form";
    return parent === undefined && (isLike || events.some(isRouted)) && !events.some(inUse);
  });
  return {
    offered: runs.filter(({ events }) =>
      JSON.stringify(events[0]?.data["catalog"]).includes(`"${name}"`),
    ).length,
    routed: withEvent(isRouted),
    activated: withEvent(
      (one) => is("skill-activate")(one) && of(one) && one.data["carried"] !== true,
    ),
    misses: missed.length,
    gateViolations: every.filter(({ event }) => is("gate-refuse")(event) && of(event)).length,
    scripts: {
      runs: starts.length,
      failed: ends.filter(({ event }) => event.data["ok"] !== true).length,
      interrupted: starts.length - ends.length,
    },
    body: 400 * active.filter(({ events, at }) => !isDropped(events, at)).length,
    files: 200 * answers.reduce((sum, { events, at }) => sum + filesAt(events, at), 0),
    cost: active.reduce(
      (sum, { events, at }) =>
        sum + 0.01 / SKILLS.filter((one) => isActive(`project:${one}`, events, at)).length,
      0,
    ),
    answers: answers.length,
  };
}

function expectSame(found: Awaited<ReturnType<typeof stats>>, runs: readonly GeneratedRun[]) {
  for (const name of SKILLS) {
    const { answers, body, files, cost, ...counts } = bruteForce(runs, name);
    const skill = found.skills.find((one) => one.name === name);
    expect(skill).toMatchObject(counts);
    expect(skill?.tokens).toMatchObject({ body, files });
    expect(skill?.cost).toBeCloseTo(cost, 6);
    expect(found.turns).toBe(answers);
  }
  expect(found).toMatchObject({ runs: runs.length, damaged: 0 });
  expect(found.tokens).toEqual({ input: 900 * found.turns, output: 50 * found.turns });
  expect(found.cost).toBeCloseTo(0.01 * found.turns, 6);
  const assigned = found.skills.reduce((sum, { cost }) => sum + cost, 0);
  expect(assigned + found.costWithoutSkill).toBeCloseTo(found.cost, 6);
}

describe("stats", () => {
  it("C-03 agrees with a brute-force count over 1,000 runs with children, resumes and crashes", async () => {
    const runs = generate(1000);
    const found = await stats();
    expectSame(found, runs);
    expect(found.children).toBe(runs.filter(({ runId }) => runId.includes(".1")).length);
    expect(found.children).toBeGreaterThan(50);
    expect(found.neverUsed).toEqual(["unlisted@project"]);
    expect(found.catalog.tokens).toBe(
      runs.reduce((sum, { events }) => {
        const catalog = events.at(0)?.data["catalog"];
        const answers = events.filter(
          ({ event, data }) =>
            event === "model-response" && (data["usage"] as { calls: number }).calls > 0,
        );
        return sum + Number(Object(catalog).tokens) * answers.length;
      }, 0),
    );
    const perSkill = found.skills.reduce((sum, { tokens }) => sum + tokens.catalog, 0);
    expect(Math.abs(perSkill - found.catalog.tokens)).toBeLessThan(SKILLS.length);
    const middle = runs[500]?.time ?? 0;
    expectSame(
      await stats(middle),
      runs.filter(({ time }) => time >= middle),
    );
  });

  it("C-03 reads again only what changed", async () => {
    generate(40);
    expect((await readRunIndex(open(), cache)).read).toBe(40);
    expect((await readRunIndex(open(), cache)).read).toBe(0);
    const [first = "", second = ""] = readdirSync(join(project, ".agent/runs"));
    const before = await stats();
    const usage = { inputTokens: 5, outputTokens: 1, calls: 1 };
    const line = {
      schemaVersion: 1,
      sequence: 90,
      time: "2026",
      event: "model-response",
      data: { usage },
    };
    const file = join(project, ".agent/runs", first, "events.jsonl");
    writeFileSync(
      file,
      `${readFileSync(file, "utf8").replace(/[^\n]*$/, "")}${JSON.stringify(line)}\n`,
    );
    rmSync(join(project, ".agent/runs", second), { recursive: true });
    const index = await readRunIndex(open(), cache);
    expect(index.read).toBe(1);
    expect(index.runs).toHaveLength(39);
    rmSync(cache, { recursive: true });
    const anew = await stats();
    expect(anew.runs).toBe(before.runs - 1);
  });

  it.each([
    ["cut", (text: string) => text.slice(0, -50)],
    ["edited", (text: string) => text.replace('"turns":', '"turns":9')],
    ["emptied", () => ""],
    ["of another program", () => "{}\n[]\n"],
  ])("C-03 makes an index anew that was %s", async (_, damage) => {
    generate(20);
    const before = await stats();
    const [name = ""] = readdirSync(join(cache, "stats"));
    const file = join(cache, "stats", name);
    writeFileSync(file, damage(readFileSync(file, "utf8")));
    expect((await readRunIndex(open(), cache)).read).toBe(20);
    expect(await stats()).toEqual(before);
  });

  it("C-03 counts what can be read of a damaged record, and reports it", async () => {
    generate(3);
    const [first = ""] = readdirSync(join(project, ".agent/runs"));
    const before = await stats();
    appendFileSync(join(project, ".agent/runs", first, "events.jsonl"), "\nnonsense\n");
    const after = await stats();
    expect(after.turns).toBe(before.turns);
    expect(after.damaged).toBe(1);
  });
});
