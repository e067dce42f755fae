import * as agent from "@skillwright/agent";
import * as app from "@skillwright/app";
import { SkillwrightError } from "@skillwright/core";
import * as evals from "@skillwright/evals";
import * as mcp from "@skillwright/mcp";
import * as packs from "@skillwright/packs";
import * as runtime from "@skillwright/runtime";
import { describe, expect, it } from "vitest";

/**
 * An entry that takes options: how it is called, a misspelt option with the name that was meant, an option to give a wrong
 * type, and one that is required, if any is.
 */
type Row = readonly [
  name: string,
  call: (options: never) => unknown,
  misspelt: readonly [given: string, meant: string],
  wrong: string,
  missing?: string,
];

const none = undefined as never;
const { McpHost } = mcp;

const rows: readonly Row[] = [
  ["runAgent", agent.runAgent, ["requests", "request"], "onEvent", "request"],
  ["resumeAgent", agent.resumeAgent, ["runID", "runId"], "approve", "runId"],
  ["createFileStore", agent.createFileStore, ["stateDir", "stateDirectory"], "directory", "root"],
  ["createMemoryStore", agent.createMemoryStore, ["clok", "clock"], "clock"],
  ["chooseModel", agent.chooseModel, ["modell", "model"], "params", "env"],
  ["openAiCompatible", agent.openAiCompatible, ["baseURL", "baseUrl"], "stream", "baseUrl"],
  ["anthropic", agent.anthropic, ["apikey", "apiKey"], "apiKey", "model"],
  ["gemini", agent.gemini, ["contextToken", "contextTokens"], "fetch", "model"],
  ["fromAiSdk", (o) => agent.fromAiSdk(none, o), ["secret", "secrets"], "secrets", "contextTokens"],
  ["recorded", (o) => agent.recorded(none, o), ["folders", "folder"], "take", "folder"],
  ["withRetry", (o) => agent.withRetry(none, o), ["attempt", "attempts"], "maxDelayMs"],
  [
    "withTimeout",
    (o) => agent.withTimeout(none, o),
    ["timeout", "timeoutMs"],
    "sleep",
    "timeoutMs",
  ],
  [
    "withRateLimit",
    (o) => agent.withRateLimit(none, o),
    ["requestPerMinute", "requestsPerMinute"],
    "clock",
    "requestsPerMinute",
  ],
  ["withCost", (o) => agent.withCost(none, o), ["price", "prices"], "prices"],

  ["openApp", app.openApp, ["trusted", "trust"], "approve", "cwd"],

  ["openScripts", runtime.openScripts, ["aprove", "approve"], "writable", "cwd"],
  ["createAudit", runtime.createAudit, ["wrote", "write"], "name", "write"],
  ["createRedactor", runtime.createRedactor, ["value", "values"], "maxStringLength", "env"],
  ["createExecutor", runtime.createExecutor, ["sandbx", "sandbox"], "platform", "sandbox"],

  ["createSkillServer", mcp.createSkillServer, ["excutor", "executor"], "pageSize", "skills"],
  ["serveHttp", (o) => mcp.serveHttp(none, o), ["tokens", "token"], "port", "token"],
  ["serveStdio", (o) => mcp.serveStdio(none, o), ["inputs", "input"], "maxMessageBytes", "input"],
  ["McpHost", (o) => new McpHost(o), ["server", "servers"], "env", "servers"],

  ["fetchPack", (o) => packs.fetchPack("x", o), ["fetcher", "fetch"], "env", "quarantine"],
  ["findCandidates", (o) => packs.findCandidates("x", o), ["rotName", "rootName"], "rootName"],
  ["installSkills", (o) => packs.installSkills("x", o), ["skill", "skills"], "frozen", "scope"],
  ["restoreSkills", packs.restoreSkills, ["forced", "force"], "failOn", "scope"],
  ["updateSkills", packs.updateSkills, ["name", "names"], "names", "scope"],
  ["uninstallSkills", packs.uninstallSkills, ["name", "names"], "dryRun", "scope"],
  ["outdatedSkills", packs.outdatedSkills, ["name", "names"], "names", "scope"],
  ["undoLast", packs.undoLast, ["forced", "force"], "force", "scope"],
  ["pruneRoot", packs.pruneRoot, ["keeps", "keep"], "keep", "scope"],
  [
    "listChanges",
    (o) => packs.listChanges(none, o),
    ["stateDir", "stateDirectory"],
    "stateDirectory",
  ],
  ["packSkills", packs.packSkills, ["outputs", "output"], "strict", "output"],
  [
    "readArchive",
    (o) => packs.readArchive("x", o),
    ["destinaton", "destination"],
    "limits",
    "destination",
  ],
  ["resolveScope", packs.resolveScope, ["targets", "target"], "source", "cwd"],
  ["scanSkill", (o) => packs.scanSkill("x", o), ["rule", "rules"], "rules"],
  ["signPack", packs.signPack, ["passphrases", "passphrase"], "force", "pack"],
  ["verifyPack", packs.verifyPack, ["trustedKey", "trustedKeys"], "unsigned", "pack"],
  ["verifyInstalled", (o) => packs.verifyInstalled(none, o), ["name", "names"], "names"],

  ["adviseDescription", evals.adviseDescription, ["skills", "skill"], "cases", "skill"],
  ["suggestNegatives", evals.suggestNegatives, ["skills", "skill"], "limit", "skill"],
  ["compareArms", evals.compareArms, ["judges", "judge"], "concurrency", "cases"],
  ["compareResults", (o) => evals.compareResults(none, none, o), ["margins", "margin"], "isPart"],
  [
    "createModelJudge",
    (o) => evals.createModelJudge(none, o),
    ["redacter", "redactor"],
    "redactor",
  ],
  ["evalSetup", evals.evalSetup, ["seeds", "seed"], "seed", "modelId"],
  ["importCases", (o) => evals.importCases("x", o), ["skills", "skill"], "skill", "into"],
  ["lintCases", evals.lintCases, ["rule", "rules"], "rules", "cases"],
  ["memoryJournal", evals.memoryJournal, ["clok", "clock"], "clock"],
  ["memoryBudget", evals.memoryBudget, ["costs", "cost"], "tokens"],
  [
    "memoryRateLimit",
    evals.memoryRateLimit,
    ["requestPerMinute", "requestsPerMinute"],
    "clock",
    "requestsPerMinute",
  ],
  ["publishEval", (o) => evals.publishEval(o, none), ["case", "cases"], "timeoutMs", "cases"],
  [
    "openPublishedEval",
    (o) => evals.openPublishedEval("x", o),
    ["blob", "blobs"],
    "folder",
    "blobs",
  ],
  ["readCases", (o) => evals.readCases("x", o), ["cwdd", "cwd"], "cwd"],
  ["runEvals", evals.runEvals, ["trial", "trials"], "concurrency", "cases"],
  [
    "summarize",
    (o) => evals.summarize(none, o),
    ["minimumPasRate", "minimumPassRate"],
    "maximumErrorRate",
  ],
  ["terminalSummary", (o) => evals.terminalSummary(none, o), ["widths", "width"], "width"],
];

/** Functions that take no options, only data: what is wrong with that is found where it is read. */
const WITHOUT_OPTIONS: readonly string[] = [
  "AppFailure",
  "scanRules",
  "readSuppressions",
  "clientCatalog",
  "portabilityOf",
  "portabilityPage",
  "createOfflineModel",
  "createRulesModel",
  "createSequenceModel",
  "replayRun",
  "summarizeRun",
  "ApprovalError",
  "AuditError",
  "chainApprovers",
  "createFlagApprover",
  "createFileApprovals",
  "createMemoryApprovals",
  "policySettings",
  "verifyAudit",
  "ClientApprover",
  "isLoopbackHost",
  "mcpPolicy",
  "isAtLeast",
  "detectedAgents",
  "readLock",
  "casesDigest",
  "compareAnswers",
  "createSandboxedGrader",
  "evalDigest",
  "evaluateTrigger",
  "findCaseFiles",
  "folderBlobs",
  "formatRate",
  "gradeTrial",
  "htmlReport",
  "junitReport",
  "markdownReport",
  "memoryBlobs",
  "openJournal",
  "parseSequence",

  "readResults",
  "saveResults",
  "trajectoryOf",
  "trialKey",
  "trialRunId",

  "withSharedRate",
  "writeWorkspace",
];

/** `mcpSkills` hands its options to `McpHost`, `createMemoryAudit` to `createAudit`. */
const CHECKED_BY_OTHERS: readonly string[] = ["mcpSkills", "createMemoryAudit"];

/** These take an object that only TypeScript checks so far. */
const UNCHECKED: readonly string[] = [
  "settleChanges",
  "guardMcpTool",
  "mcpScripts",
  "comparisonExitCode",
  "pairAnswers",
  "planRetries",
  "planTrials",
  "runTrial",
  "verdictExitCode",
  "verdictLines",
];

const NOT_IN_ROWS = [...WITHOUT_OPTIONS, ...CHECKED_BY_OTHERS, ...UNCHECKED];

async function errorOf(call: Row[1], options: object | undefined): Promise<unknown> {
  try {
    await call(options as never);
  } catch (error) {
    return error;
  }
  return undefined;
}

it.each(rows.map((row) => ({ name: row[0], row })))(
  "D-12 $name throws for wrong options, with the nearest name",
  async ({ row: [name, call, [given, meant], wrong, missing] }) => {
    const cases: [object | undefined, string][] = [
      [{ [given]: "x" }, `${name}: there is no "${given}"; did you mean "${meant}"?`],
      [{ [wrong]: Symbol("wrong") }, `${name}: "${wrong}" must be `],
    ];
    if (missing !== undefined) {
      cases.push([{}, `${name}: "${missing}" is required`]);
      cases.push([undefined, `${name}: the options must be an object`]);
    }
    for (const [options, message] of cases) {
      const error = await errorOf(call, options);
      expect(SkillwrightError.isInstance(error), `${name} ${message}, got ${String(error)}`).toBe(
        true,
      );
      expect(String(error)).toContain(message);
    }
  },
);

describe("the table", () => {
  it.each(Object.entries({ agent, app, runtime, mcp, packs, evals }))(
    "D-12 has every public function of %s",
    (_, entry) => {
      const functions = Object.entries(entry).flatMap(([name, value]) =>
        typeof value === "function" ? [name] : [],
      );
      const known = new Set([...rows.map(([name]) => name), ...NOT_IN_ROWS]);
      expect(functions.filter((name) => !known.has(name))).toEqual([]);
    },
  );

  it("D-12 names each function once, and none that is gone", () => {
    const names = [...rows.map(([name]) => name), ...NOT_IN_ROWS];
    const all = { ...agent, ...app, ...runtime, ...mcp, ...packs, ...evals };
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(names.filter((name) => !Object.hasOwn(all, name))).toEqual([]);
  });
});

it("D-12 the wrong options of the audit fail at once", async () => {
  const skills = { conversation: () => {} };
  const model = { id: "a:b" };
  const given = { request: "x", skills, model } as unknown as agent.RunOptions;
  await expect(agent.runAgent(given)).rejects.toThrow('runAgent: "model" must be a model');
  const prompt = { prompt: "x", skills } as unknown as agent.RunOptions;
  await expect(agent.runAgent(prompt)).rejects.toThrow('there is no "prompt"');
});
