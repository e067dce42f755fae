import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { loadConfiguration } from "@skillwright/core";
import type { Configuration } from "@skillwright/core/internal";
import type { ExecutionFailure } from "@skillwright/runtime";
import { chooseExecutor } from "@skillwright/runtime/internal";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createCodeExecutor } from "../../../../../test/support/code-executor.ts";
import { runCli } from "../../../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { type Check, executionChecks } from "../index.ts";

const MISSING: ExecutionFailure = {
  ok: false,
  code: "sandbox-missing",
  message: "bubblewrap is not installed",
  hint: "Install it: apt-get install -y bubblewrap",
};

describe("skillwright doctor", () => {
  it("C-01 X-06 runs a script with each interpreter in the sandbox that is configured", async () => {
    const { checks, exitCode } = await doctor({});
    expect(checks("Node")).toMatchObject({
      status: "ok",
      message: expect.stringContaining(process.version),
    });
    expect(checks("Python")).toMatchObject({
      status: "ok",
      message: expect.stringMatching(/^3\.\d+\S* \(\/usr\/.*python3\)$/),
    });
    expect(checks("bash")).toMatchObject({
      status: "ok",
      message: expect.stringMatching(/^\d.*bash\)$/),
    });
    expect(checks("bubblewrap")).toEqual({
      name: "bubblewrap",
      status: "ok",
      message: "a program ran in it",
    });
    expect(exitCode).toBe(0);
  });

  it("X-06 warns when there is no sandbox by choice", async () => {
    const { checks, exitCode } = await doctor({ execution: { sandbox: "none" } });
    expect(checks("sandbox")).toMatchObject({
      status: "warning",
      message: expect.stringContaining("switched off"),
      hint: "skillwright config set execution.sandbox auto",
    });
    expect(exitCode).toBe(0);
  });

  it.each<[Partial<Configuration["execution"]>, string, string]>([
    [{ sandbox: "bubblewrap" }, "ok", "scripts change a copy of the working directory"],
    [{ sandbox: "sandbox-runtime" }, "warning", "read-only: sandbox-runtime has no copy-on-write"],
    [{ freshDirectory: true }, "ok", "scripts write to an empty folder of their own"],
    [{ sandbox: "none" }, "warning", "scripts change your files at once; nothing is held"],
  ])(
    "X-11 says what becomes of the files that scripts write: %j",
    async (execution, status, text) => {
      const { configuration, ...place } = await session();
      const changed = { ...configuration.values.execution, ...execution };
      const values = { ...configuration.values, execution: changed };
      const found = await executionChecks(
        { ...place, configuration: { ...configuration, values } },
        () => chooseExecutor({ sandbox: "none" }),
      );
      expect(found.find(({ name }) => name === "changes")).toMatchObject({
        status,
        message: expect.stringContaining(text),
      });
    },
  );

  it("X-06 a sandbox that does not exist is an error with what to do", async () => {
    const { checks, exitCode } = await doctor({ execution: { sandbox: "docker" } });
    expect(checks("configuration")).toMatchObject({
      status: "error",
      message: expect.stringContaining("execution.sandbox"),
    });
    expect(checks("bash")?.status).toBe("ok");
    expect(exitCode).toBe(1);
  });

  it.each([
    [MISSING, "warning"],
    [{ ...MISSING, code: "sandbox-unusable" } as const, "error"],
  ])("X-06 passes on how to mend the sandbox: %j", async (failure, status) => {
    const found = await executionChecks(await session(), (options) =>
      options.sandbox === "none" ? chooseExecutor(options) : Promise.resolve(failure),
    );
    expect(found.find(({ name }) => name === "bubblewrap")).toEqual({
      name: "bubblewrap",
      status,
      message: `${failure.message}; no script of a skill can run`,
      hint: failure.hint,
    });
    expect(found.filter(({ name }) => name === "Node")).toMatchObject([{ status: "ok" }]);
  });

  it("X-03 passes on which interpreter is missing, and leaves nothing behind", async () => {
    const paths: string[] = [];
    const executor = createCodeExecutor({});
    const found = await executionChecks(await session(), () =>
      Promise.resolve({
        ...executor,
        run(request) {
          if ("argv" in request) throw new Error("no command is run");
          paths.push(request.skill.path);
          return executor.run(request);
        },
      }),
    );
    expect(found.filter(({ status }) => status === "warning").map(({ name }) => name)).toEqual([
      "Node",
      "Python",
      "bash",
    ]);
    expect(paths).toHaveLength(3);
    expect(paths.filter((path) => existsSync(path))).toEqual([]);
  });

  it("X-03 looks at the virtual environment that is configured", async () => {
    for (const virtualEnvironment of ["/no-such", "~/no-such"]) {
      const { checks } = await doctor({ execution: { virtualEnvironment } });
      expect(checks("Python")).toMatchObject({
        status: "warning",
        message: expect.stringMatching(/no-such" is not a virtual environment/),
        hint: expect.stringContaining("python3 -m venv"),
      });
    }
  });

  it.each(["auto", "none", "docker"])(
    "R-12 runs nothing of a project that is not trusted (sandbox %s)",
    async (sandbox) => {
      const mark = join(temporaryFolder(), "ran");
      const { checks } = await doctor(
        { execution: { virtualEnvironment: ".venv", sandbox } },
        {
          "project/.venv/pyvenv.cfg": "",
          "project/.venv/bin/python3": `#!/bin/sh\ntouch ${mark}\necho 3.0\n`,
        },
      );
      expect(checks("Python")?.message).toMatch(/^3\.\d+\S* \(\/usr\//);
      expect(existsSync(mark)).toBe(false);
    },
  );

  it("R-12 says that it did not look, and looks once the project is trusted", async () => {
    const place = await session({ SKILLWRIGHT_EXECUTION__VIRTUAL_ENVIRONMENT: "no-such" });
    const untrusted = await executionChecks(place);
    expect(untrusted.find(({ name }) => name === "virtual environment")).toMatchObject({
      status: "warning",
      hint: "skillwright trust",
    });
    const trusted = await executionChecks({ ...place, projectTrusted: true });
    expect(trusted.map(({ name }) => name)).not.toContain("virtual environment");
    expect(trusted.find(({ name }) => name === "Python")?.message).toContain(
      join(place.project, "no-such"),
    );
  });

  it("X-05 a limit too small for anything to run shows", async () => {
    const { checks } = await doctor({ execution: { memoryBytes: 1 } });
    expect(checks("Python")?.status).toBe("warning");
  });

  it("P-01 names rules that cannot be read", async () => {
    const good = await doctor({ policy: { deny: ["Bash(rm:*)"] } });
    expect(good.checks("policy")).toEqual({
      name: "policy",
      status: "ok",
      message: "rules: 0 allow, 3 ask, 1 deny; allowed-tools ask",
    });
    const bad = await doctor({ policy: { deny: ["WebFetch(example.com)"] } });
    expect(bad.checks("policy")).toMatchObject({
      status: "error",
      message: 'deny: "WebFetch(example.com)" cannot be read',
    });
    expect(bad.exitCode).toBe(1);
  });
});

/** Executors keep a folder as long as their process lives, which is longer than a test. */
function useOwnTemporaryFolder(): void {
  vi.stubEnv("TMPDIR", temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** The doctor's answer under a user's configuration. */
async function doctor(configuration: object, files: Readonly<Record<string, string>> = {}) {
  useOwnTemporaryFolder();
  const folder = temporaryFolder({
    "project/.git/HEAD": "",
    "home/.agent/config.json": JSON.stringify(configuration),
    ...files,
  });
  for (const file of Object.keys(files)) chmodSync(join(folder, file), 0o755);
  const { stdout, exitCode } = await runCli(["doctor", "--json"], {
    cwd: join(folder, "project"),
    env: { HOME: join(folder, "home"), PATH: "/usr/bin:/bin" },
  });
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  return { exitCode, checks: (wanted: string) => checks.find(({ name }) => name === wanted) };
}

async function session(env: Readonly<Record<string, string>> = {}) {
  useOwnTemporaryFolder();
  const project = temporaryFolder();
  const place = { project, home: project, projectTrusted: false };
  return { ...place, configuration: await loadConfiguration({ ...place, cwd: project, env }) };
}
