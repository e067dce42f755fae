import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SOURCES } from "../../scripts/packages.mjs";

const ENTRIES = ["core", "core/internal", "runtime", "runtime/internal", "agent"];

const folder = mkdtempSync(join(tmpdir(), "skillwright-collected-"));
const library = join(folder, "all.mjs");

beforeAll(async () => {
  const all = ENTRIES.map((name) => `export * from "@skillwright/${name}";`);
  writeFileSync(join(folder, "all.ts"), all.join("\n"));
  const bundle = await rolldown({
    input: join(folder, "all.ts"),
    platform: "node",
    logLevel: "silent",
    resolve: { alias: SOURCES },
    external: ["sucrase"],
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "all.mjs" });
  await bundle.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the body gives, with the garbage collected again and again from its beginning on. */
function whileCollecting(body: string): unknown {
  const file = join(folder, `${randomUUID()}.mjs`);
  writeFileSync(
    file,
    `import { createServer } from "node:http";
    import * as all from ${JSON.stringify(library)};
    const never = () => new Promise(() => undefined);
    const result = (async () => {${body}})();
    let collections = 0;
    setInterval(() => { gc(); collections++; }, 20);
    const stuck = new Promise((resolve) => setTimeout(() => resolve("stuck"), 100_000));
    process.stdout.write(JSON.stringify(await Promise.race([result, stuck])));
    if (collections === 0) throw new Error("nothing was collected");
    process.exit(0);`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, ["--expose-gc", file], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  return JSON.parse(stdout || JSON.stringify(stderr));
}

const RUN = `
  const skills = await all.openSkills({ roots: [], cwd: "/", env: {} });
  const model = { id: "own:model", protocol: "json", contextTokens: 8000, decide: never };
  const { status } = await all.runAgent({ request: "go", skills, model, ...more });
  return status;`;

/** A timeout that nothing holds goes with the garbage, and what it was to end goes on for ever. */
describe("what ends after a time", () => {
  it("A-04 a run whose model never answers", () => {
    expect(whileCollecting(`const more = { budget: { timeMs: 300 } };${RUN}`)).toBe(
      "budget_exhausted",
    );
  });

  it("A-04 a run that is canceled by a timeout of its host", () => {
    expect(whileCollecting(`const more = { signal: AbortSignal.timeout(300) };${RUN}`)).toBe(
      "canceled",
    );
  });

  it("X-10 a request to a host that never answers", () => {
    const body = `
      const [tool] = all.createWorkspaceTools({
        root: "/nowhere",
        trash: "/nowhere",
        enableNetworkRequest: true,
        allowedDomains: ["example.com"],
        networkTimeoutSeconds: 0.3,
        lookup: never,
      }).tools().filter(({ name }) => name === "network_request");
      const { signal } = new AbortController();
      return (await tool.execute({ url: "https://example.com/" }, { signal })).code;`;
    expect(whileCollecting(body)).toBe("network-timeout");
  });

  it("M-01 a model behind withTimeout that never answers", () => {
    const body = `
      const model = { id: "own:model", protocol: "json", contextTokens: 8000, decide: never };
      const { signal } = new AbortController();
      const ended = await all.withTimeout(model, { timeoutMs: 300 }).decide({}, { signal });
      return ended.error.code;`;
    expect(whileCollecting(body)).toBe("timed-out");
  });

  it("A-04 a run whose model drips its answer over the network", () => {
    const body = `
      const piece = JSON.stringify({ choices: [{ index: 0, delta: { content: " " } }] });
      const server = createServer((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        setInterval(() => response.write("data: " + piece + "\\n\\n"), 50);
      });
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      const baseUrl = "http://127.0.0.1:" + server.address().port + "/v1";
      const options = { model: "m", baseUrl, contextTokens: 8000 };
      const model = all.withRetry(all.withTimeout(all.openAiCompatible(options), { timeoutMs: 60_000 }));
      const skills = await all.openSkills({ roots: [], cwd: "/", env: {} });
      const { status } = await all.runAgent({ request: "go", skills, model, budget: { timeMs: 500 } });
      return status;`;
    expect(whileCollecting(body)).toBe("budget_exhausted");
  });
});
