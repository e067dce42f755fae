import { writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  chooseExecutor,
  createSandboxRuntimeExecutor,
  type ScriptExecution,
  RunChanges,
} from "../internal/index.ts";
import type { SandboxRuntimeConfig, SandboxRuntimeManager } from "./index.ts";

type Ask = Parameters<SandboxRuntimeManager["initialize"]>[1];

/** A module of the same shape, which confines nothing and remembers what it was told. */
function fakeModule(more: Partial<SandboxRuntimeManager> = {}) {
  const wrapped: { command: string; config: Partial<SandboxRuntimeConfig> | undefined }[] = [];
  const state = { config: undefined as unknown, cleanups: 0, ask: undefined as Ask | undefined };
  const SandboxManager: SandboxRuntimeManager = {
    isSupportedPlatform: () => true,
    checkDependencies: () => ({ errors: [] }),
    getConfig: () => state.config,
    async initialize(config, ask) {
      state.config = config;
      state.ask = ask;
    },
    async wrapWithSandboxArgv(command, shell = "", config) {
      wrapped.push({ command, config });
      return { argv: [shell, "-c", command] };
    },
    cleanupAfterCommand: () => void state.cleanups++,
    async reset() {
      state.ask = undefined;
    },
    ...more,
  };
  return { load: async () => ({ SandboxManager }), wrapped, state };
}

function request(script: string, more: Partial<ScriptExecution> = {}): ScriptExecution {
  const path = temporaryFolder({ "scripts/a.py": script, "work/data.txt": "data" });
  const skill = { name: "skill", path };
  return { skill, script: "a.py", args: [], cwd: join(path, "work"), ...more };
}

const missing = async () => {
  throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
};

it("X-06 runs a script with exactly its arguments, and a clean environment", async () => {
  const { load, wrapped, state } = fakeModule();
  const executor = createSandboxRuntimeExecutor({ loadSandboxRuntime: load });
  const args = ["it's", "$(id)", "`id`", "a\nb", "", "*"];
  const script =
    "import os, sys, json; print(json.dumps([sys.argv[1:], 'PATH' in os.environ, 'VITEST' in os.environ]))";
  const asked = request(script, { args, writable: ["."] });
  const receipt = await executor.run(asked);
  expect(receipt, receipt.stderr).toMatchObject({ ok: true, sandbox: "sandbox-runtime" });
  expect(JSON.parse(receipt.stdout)).toEqual([args, true, false]);
  expect(receipt.unenforced).toContain("reads");
  expect(receipt).not.toHaveProperty("network");
  const { filesystem } = wrapped.at(-1)?.config ?? {};
  expect(filesystem?.denyRead).toContain(homedir());
  expect(filesystem?.allowRead).toContain(asked.cwd);
  expect(filesystem?.allowWrite).not.toContain(asked.cwd);
  expect(state).toMatchObject({ ask: undefined, cleanups: 2 });
  expect(await executor.run(asked)).toMatchObject({ ok: true });
  state.config = {};
  const refused = await executor.run(asked);
  expect(refused.failure).toMatchObject({ code: "sandbox-unusable" });
});

it("X-06 asks the rules of the script that runs, and no others", async () => {
  const { load, state } = fakeModule();
  const admission = {
    lookup: async (host: string) => [
      { address: host === "inside.test" ? "10.0.0.1" : "93.184.216.34", family: 4 as const },
    ],
  };
  const executor = createSandboxRuntimeExecutor({ loadSandboxRuntime: load, admission });
  const places = [
    ["good.test", 443],
    ["good.test", 22],
    ["evil.test", 443],
    ["inside.test", 443],
    ["::1", 443],
    ["good.test", undefined],
  ] as const;
  const answers: boolean[] = [];
  let asking: Promise<void> | undefined;
  const asked = join(temporaryFolder(), "asked");
  const wait = `while not os.path.exists(${JSON.stringify(asked)}): time.sleep(0.01)`;
  const receipt = await executor.run(
    request(`import os, time; print('up', flush=True)\n${wait}`, {
      network: { domains: ["good.test", "inside.test"] },
    }),
    {
      onOutput: () => {
        asking ??= (async () => {
          for (const [host, port] of places)
            answers.push((await state.ask?.({ host, port })) === true);
          writeFileSync(asked, "");
        })();
      },
    },
  );
  await asking;
  expect(answers).toEqual([true, false, false, false, false, false]);
  expect(receipt.network?.filter(({ allowed }) => allowed)).toEqual([
    { host: "good.test", port: 443, allowed: true },
  ]);
  expect(state.ask).toBeUndefined();
});

it("X-10 runs a command in the same way, and covers what it must not see", async () => {
  const { load, wrapped } = fakeModule();
  const executor = createSandboxRuntimeExecutor({ loadSandboxRuntime: load });
  const { cwd } = request("");
  const command = { argv: ["cat", "data.txt"], cwd, root: cwd, hidden: ["/hidden/scripts"] };
  const receipt = await executor.run(command);
  expect(receipt).toMatchObject({ ok: true, stdout: "data", sandbox: "sandbox-runtime" });
  expect(wrapped.at(-1)?.config?.filesystem?.denyRead).toContain("/hidden/scripts");
});

it("X-11 has no view, so only the output folder may be written, and the receipt says so", async () => {
  const { load, wrapped } = fakeModule();
  const executor = createSandboxRuntimeExecutor({ loadSandboxRuntime: load });
  const folder = temporaryFolder();
  const asked = request("import os; print(os.environ['SKILLWRIGHT_OUTPUT'])");
  const changes = new RunChanges({ root: asked.cwd, folder });
  const receipt = await executor.run(asked, { changes });
  expect(receipt, receipt.stderr).toMatchObject({
    ok: true,
    stdout: `${changes.output}\n`,
    changes: { changes: [], readOnly: expect.stringContaining("sandbox-runtime") as string },
  });
  expect(wrapped.at(-1)?.config?.filesystem?.allowWrite).toContain(changes.output);
});

it("X-06 names what to install, and takes nothing instead", async () => {
  for (const [sandbox, platform] of [
    ["auto", "darwin"],
    ["auto", "win32"],
    ["sandbox-runtime", "linux"],
  ] as const) {
    const chosen = await chooseExecutor({ sandbox, platform, loadSandboxRuntime: missing });
    expect(chosen).toMatchObject({
      ok: false,
      code: "sandbox-missing",
      hint: "Install it: npm install @anthropic-ai/sandbox-runtime",
    });
  }
});

it("X-06 Linux has its own sandbox, others use the package when it is there", async () => {
  let loads = 0;
  const { load } = fakeModule();
  const loadSandboxRuntime = () => {
    loads++;
    return load();
  };
  expect(
    await chooseExecutor({ sandbox: "auto", platform: "linux", loadSandboxRuntime }),
  ).toHaveProperty("run");
  expect(loads).toBe(0);
  expect(
    await chooseExecutor({ sandbox: "auto", platform: "darwin", loadSandboxRuntime }),
  ).toHaveProperty("run");
  expect(loads).toBe(1);
});

it.each([
  ["is of another shape", { initialize: undefined as never }],
  ["does not know the platform", { isSupportedPlatform: () => false }],
  ["misses a part", { checkDependencies: () => ({ errors: ["socat not installed"] }) }],
  ["is used by someone else", { getConfig: () => ({}) }],
  ["cannot be set up", { initialize: () => Promise.reject(new Error("no")) }],
  ["cannot run anything", { wrapWithSandboxArgv: async () => ({ argv: ["/bin/false"] }) }],
])("X-06 fails when the package %s", async (_name, more) => {
  const executor = createSandboxRuntimeExecutor({ loadSandboxRuntime: fakeModule(more).load });
  expect(await executor.probe()).toMatchObject({ ok: false, code: "sandbox-unusable" });
  const receipt = await executor.run(request("print(1)"));
  expect(receipt).toMatchObject({ ok: false, command: [], stdout: "" });
  expect(receipt.failure?.code).toBe("sandbox-unusable");
});
