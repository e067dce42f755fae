import { createFileStore, type RunOptions, resumeAgent, runAgent } from "@skillwright/agent";
import { SkillwrightError } from "@skillwright/core";
import { createSkillServer, McpHost, serveHttp } from "@skillwright/mcp";
import { createAudit, createRedactor, openScripts } from "@skillwright/runtime";
import { expect, it } from "vitest";

/** An entry, a misspelt option with the name that was meant, an option of a wrong type, one that is missing. */
type Row = readonly [
  name: string,
  call: (options: never) => unknown,
  misspelt: readonly [given: string, meant: string],
  wrong: string,
  missing: string,
];

const rows: readonly Row[] = [
  ["openScripts", openScripts, ["aprove", "approve"], "writable", "cwd"],
  ["createAudit", createAudit, ["wrote", "write"], "name", "write"],
  ["createRedactor", createRedactor, ["value", "values"], "maxStringLength", "env"],
  ["runAgent", runAgent, ["requests", "request"], "onEvent", "request"],
  ["resumeAgent", resumeAgent, ["runID", "runId"], "approve", "runId"],
  ["createFileStore", createFileStore, ["stateDir", "stateDirectory"], "directory", "root"],
  ["createSkillServer", createSkillServer, ["excutor", "executor"], "pageSize", "skills"],
  [
    "serveHttp",
    (options: never) => serveHttp({} as never, options),
    ["tokens", "token"],
    "port",
    "token",
  ],
  ["McpHost", (options: never) => new McpHost(options), ["server", "servers"], "env", "servers"],
];

async function errorOf(call: Row[1], options: object | undefined): Promise<unknown> {
  try {
    await call(options as never);
  } catch (error) {
    return error;
  }
  return undefined;
}

it.each(rows)(
  "D-12 %s throws for wrong options, with the nearest name",
  async (name, call, [given, meant], wrong, missing) => {
    const cases: [object | undefined, string][] = [
      [{ [given]: "x" }, `${name}: there is no "${given}"; did you mean "${meant}"?`],
      [{ [wrong]: Symbol("wrong") }, `${name}: "${wrong}" must be `],
      [{}, `${name}: "${missing}" is required`],
      [undefined, `${name}: the options must be an object`],
    ];
    for (const [options, message] of cases) {
      const error = await errorOf(call, options);
      expect(SkillwrightError.isInstance(error), `${name} ${message}`).toBe(true);
      expect(String(error)).toContain(message);
    }
  },
);

it("D-12 the wrong options of the audit fail at once", async () => {
  const skills = { conversation: () => {} };
  const model = { id: "a:b" };
  const given = { request: "x", skills, model } as unknown as RunOptions;
  await expect(runAgent(given)).rejects.toThrow('runAgent: "model" must be a model');
  const prompt = { prompt: "x", skills } as unknown as RunOptions;
  await expect(runAgent(prompt)).rejects.toThrow('there is no "prompt"');
});
