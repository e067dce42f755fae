import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { SOURCES } from "../../../../scripts/packages.mjs";
import { openApprovals } from "./index.ts";

const SOURCE = fileURLToPath(new URL("./index.ts", import.meta.url));

async function bundle(): Promise<string> {
  const folder = temporaryFolder({ "package.json": '{ "type": "module" }' });
  const built = await rolldown({
    input: SOURCE,
    platform: "node",
    logLevel: "silent",
    resolve: { alias: SOURCES },
  });
  await built.write({ dir: folder, format: "esm", entryFileNames: "approvals.mjs" });
  await built.close();
  return join(folder, "approvals.mjs");
}

/** Runs a body in several processes that all start it at the same moment; gives what each prints. */
async function atOnce(count: number, module: string, body: string, state: string) {
  const gate = join(temporaryFolder(), "go");
  const source = `
    import { existsSync } from "node:fs";
    import { openApprovals } from ${JSON.stringify(module)};
    const [state, gate, number] = process.argv.slice(1);
    const call = (name) => ({
      tool: "run_script", input: { args: [] }, cwd: "/work",
      skill: { name, source: "project", digest: "sha256:aa" },
      script: { path: "scripts/a.py", args: [], text: "1" }, command: ["python3", "a.py"],
    });
    process.stdout.write("ready\\n");
    while (!existsSync(gate)) {}
    ${body}`;
  const children = Array.from({ length: count }, (_, number) => {
    const args = ["--input-type=module", "-e", source, state, gate, String(number)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    const ready = once(child.stdout, "data");
    const ended = once(child, "close").then(([code]) => ({ code: code as unknown, output }));
    return { ready, ended };
  });
  await Promise.all(children.map(({ ready }) => ready));
  writeFileSync(gate, "");
  const results = await Promise.all(children.map(({ ended }) => ended));
  expect(results.map(({ code }) => code)).toEqual(results.map(() => 0));
  return results.map(({ output }) => output.replace("ready\n", ""));
}

describe("processes at once", () => {
  it("P-02 have one key from the first moment on", async () => {
    const state = temporaryFolder();
    const signatures = await atOnce(
      6,
      await bundle(),
      `const store = await openApprovals({
         stateDirectory: state, runId: "r", ids: () => "same", clock: () => 0 });
       process.stdout.write((await store.request(call("pdf"))).signature);`,
      state,
    );
    expect(signatures[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(signatures).size).toBe(1);
    expect(readdirSync(join(state, "approvals"))).toEqual(["key"]);
    expect(readFileSync(join(state, "approvals/key"))).toHaveLength(32);
  });

  it("P-02 lose no approval of each other", async () => {
    const state = temporaryFolder();
    await atOnce(
      4,
      await bundle(),
      `const store = await openApprovals({ stateDirectory: state, runId: "r" + number });
       for (let i = 0; i < 25; i++) {
         const request = await store.request(call(i % 5 === 0 ? "shared" + i : number + "-" + i));
         const result = await store.record(request, { approved: true, scope: "skill", by: "person" });
         if (!result.ok) throw new Error(result.message);
         await store.list();
       }`,
      state,
    );
    const approvals = await (await openApprovals({ stateDirectory: state, runId: "r" })).list();
    expect(approvals).toHaveLength(4 * 20 + 5);
  });

  it("P-02 use an approval of a stopped run once between them", async () => {
    const state = temporaryFolder();
    const store = await openApprovals({ stateDirectory: state, runId: "r", ids: () => "a1" });
    const request = await store.request({ tool: "write_file", input: { path: "a" }, cwd: "/" });
    const stored = JSON.stringify(JSON.stringify(request));
    const answers = await atOnce(
      6,
      await bundle(),
      `const store = await openApprovals({ stateDirectory: state, runId: "r" });
       const decision = { approved: true, scope: "once", by: "flag" };
       process.stdout.write(String((await store.admit(JSON.parse(${stored}), decision)).ok));`,
      state,
    );
    expect(answers.sort()).toEqual(["false", "false", "false", "false", "false", "true"]);
  });

  it("P-02 use an admitted approval once between them, in processes that did not admit it", async () => {
    const state = temporaryFolder();
    const store = await openApprovals({ stateDirectory: state, runId: "r", ids: () => "a1" });
    const input = { path: "a" };
    const request = await store.request({ tool: "write_file", input, cwd: "/" });
    expect(await store.admit(request, { approved: true, scope: "once", by: "person" })).toEqual({
      ok: true,
    });
    const answers = await atOnce(
      6,
      await bundle(),
      `const store = await openApprovals({ stateDirectory: state, runId: "r" });
       const other = await openApprovals({ stateDirectory: state, runId: "r", principal: "bob" });
       const write = { tool: "write_file", cwd: "/", input: { path: "b" } };
       const asked = [
         await store.find(await store.request(write)),
         await other.find(await other.request({ ...write, input: { path: "a" } })),
         await store.find(await store.request({ ...write, input: { path: "a" } })),
       ];
       process.stdout.write(asked.map((one) => one?.by).join());`,
      state,
    );
    expect(answers.sort()).toEqual([",,", ",,", ",,", ",,", ",,", ",,person"]);
  });
});
