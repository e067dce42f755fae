import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

function world(configuration: object = {}) {
  const folder = temporaryFolder({
    "project/.git/HEAD": "",
    "project/a.txt": "one\n",
    "config.json": JSON.stringify(configuration),
  });
  const env = {
    HOME: join(folder, "home"),
    XDG_CACHE_HOME: `${folder}/cache`,
    XDG_STATE_HOME: `${folder}/state`,
  };
  const project = join(folder, "project");
  const cli = (...args: string[]) =>
    runCli([...args, "--config", join(folder, "config.json")], { cwd: project, env });
  const runs = join(project, ".agent/runs");
  const calls = join(folder, "state/skillwright/calls");
  const namesIn = (path: string) => readdirSync(path).filter((name) => !name.startsWith("."));
  return {
    runs,
    calls,
    cli,
    state: join(folder, "state/skillwright"),
    run: () => cli("run", "say hello", "--no-skills", "--quiet"),
    read: () =>
      cli("tools", "call", "read_file", "--preset", "autobot", "--input", '{"path":"a.txt"}'),
    runIds: () => namesIn(runs),
    callIds: () => namesIn(calls),
    json: async (...args: string[]) => {
      const { exitCode, stdout } = await cli(...args, "--json");
      return { exitCode, ...(JSON.parse(stdout) as Record<string, unknown>) };
    },
  };
}

describe("runs verify", () => {
  it("P-03 F8: reports a run that was deleted, until that is accepted", async () => {
    const { run, runs, runIds, cli, json } = world();
    await run();
    await run();
    expect(await json("runs", "verify")).toMatchObject({ exitCode: 0, pruned: 0, problems: [] });
    const [gone = ""] = runIds();
    rmSync(join(runs, gone), { recursive: true });
    const { exitCode, stdout, stderr } = await cli("runs", "verify");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      new RegExp(`${gone}  not as written\n  it was deleted, not pruned; it had \\d+ records`),
    );
    expect(stderr).toContain("--accept");
    expect((await cli("runs", "verify", "--accept")).exitCode).toBe(1);
    expect((await cli("runs", "verify")).exitCode).toBe(0);
  });

  it("P-03 F8: reports that all runs were deleted", async () => {
    const { run, runs, json } = world();
    await run();
    rmSync(join(runs, ".."), { recursive: true });
    expect(await json("runs", "verify")).toMatchObject({ exitCode: 1, runs: [{ ok: false }] });
  });

  it("P-03 F8: reports that runs and all heads were deleted", async () => {
    const { run, runs, state, json } = world();
    await run();
    rmSync(join(runs, ".."), { recursive: true });
    rmSync(join(state, "audit/heads"), { recursive: true });
    expect(await json("runs", "verify")).toMatchObject({ exitCode: 1, runs: [{ ok: false }] });
  });

  it("P-03 F8: tells pruned runs from deleted ones", async () => {
    const { run, cli, json, runIds } = world();
    await run();
    await run();
    await cli("runs", "prune", "--keep", "1");
    expect(runIds()).toHaveLength(1);
    expect(await json("runs", "verify")).toMatchObject({ exitCode: 0, pruned: 1 });
  });
});

describe("audit verify", () => {
  it("P-03 F8: checks the records of single calls", async () => {
    const { read, calls, callIds, cli, json } = world();
    expect(await json("audit", "verify")).toEqual({
      exitCode: 0,
      schemaVersion: 1,
      calls: [],
      pruned: 0,
      problems: [],
    });
    await read();
    await read();
    expect((await cli("audit", "verify")).stdout).toBe("2 of 2 as written\n");
    const [first = ""] = callIds();
    appendFileSync(join(calls, first, "audit.jsonl"), "{}\n");
    const damaged = await cli("audit", "verify");
    expect(damaged).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("1 of 2") });
    expect(damaged.stdout).toContain("line 4: this is not a line of a record");
  });

  it("P-03 F8: reports calls that were deleted", async () => {
    const { read, calls, json, cli } = world();
    await read();
    rmSync(calls, { recursive: true });
    expect(await json("audit", "verify")).toMatchObject({
      exitCode: 1,
      calls: [{ ok: false, problems: ["it was deleted, not pruned; it had 3 records"] }],
    });
    await cli("audit", "verify", "--accept");
    expect(await json("audit", "verify")).toMatchObject({ exitCode: 0, calls: [] });
  });
});

describe("audit prune", () => {
  it("P-03 F8: removes old records, which is no deletion", async () => {
    const { read, cli, json, callIds } = world();
    for (let i = 0; i < 3; i++) await read();
    expect((await cli("audit", "prune", "--older-than", "1d")).stdout).toBe("0 removed, 3 kept\n");
    expect((await cli("audit", "prune", "--keep", "1")).stdout).toBe("2 removed, 1 kept\n");
    expect(callIds()).toHaveLength(1);
    expect(await json("audit", "verify")).toMatchObject({ exitCode: 0, pruned: 2 });
    expect(await cli("audit", "prune")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("Nothing says which records to remove."),
    });
  });

  it("P-03 F8: happens before the next call when the configuration says so", async () => {
    const { read, callIds } = world({ runs: { keep: 1 } });
    for (let i = 0; i < 3; i++) await read();
    expect(callIds()).toHaveLength(2);
  });
});
