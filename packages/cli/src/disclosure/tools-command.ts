import { readFileSync } from "node:fs";
import type { SkillTool } from "@skillwright/core";
import { type ToolPreset, visibleLine, visibleLines } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import {
  addMcpSkills,
  openSessionSkills,
  openSession,
  type SessionOptions,
  requireTrust,
  type RuntimeOptions,
  LazyRuntime,
} from "@skillwright/app/internal";
import { readBudget } from "./read-budget.ts";
import { table } from "../terminal/table.ts";

export interface ToolsOptions extends SessionOptions, RuntimeOptions {
  readonly preset?: string;
  readonly input?: string;
  /** Tokens of the catalog that the tools go with; what does not fit has to be searched for. */
  readonly budget?: string;
}

const PRESETS: readonly string[] = ["standard", "lookup", "scripts", "sop", "autobot"];

/** Lists the tools that a model is offered. */
export async function toolsCommand(options: ToolsOptions, console: Console): Promise<ExitCode> {
  const { tools } = await openTools(options, console);
  if (console.json) {
    const definitions = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    console.printJson({ preset: presetOf(options), tools: definitions });
    return EXIT.done;
  }
  if (tools.length === 0) {
    console.note("No tools are offered: no skill is visible to a model.");
    return EXIT.done;
  }
  const rows = tools.map(({ name, description, inputSchema }) =>
    [name, parametersText(inputSchema), description].map(visibleLine),
  );
  const { width, colors } = console;
  console.print(table(["TOOL", "PARAMETERS", "DESCRIPTION"], rows, { width, header: colors.dim }));
  return EXIT.done;
}

/** Runs one tool as a model would, to see what it gets. */
export async function callToolCommand(
  name: string,
  options: ToolsOptions,
  console: Console,
): Promise<ExitCode> {
  // Wrong usage is said before anything is opened, also where nothing would be asked.
  if (options.yes !== undefined) {
    const { namedTools } = await import("../runtime/named-tools.ts");
    namedTools(options);
  }
  const { tools, runtime } = await openTools(options, console);
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    const names = tools.map((candidate) => candidate.name).join(", ");
    throw new CommandFailure(EXIT.usage, `there is no tool "${name}" in this preset`, {
      hint: names === "" ? "no skill is visible to a model" : `there are ${names}`,
    });
  }
  try {
    const result = await tool.execute(readInput(options.input), { changesMayWait: true });
    const failed = tool.isError?.(result) === true || isFailure(result) || runtime.hasFailed;
    if (console.json) console.printJson({ tool: name, ok: !failed, result });
    else printText(tool.toText(result).trimEnd(), console);
    if (runtime.problem !== undefined) throw runtime.problem;
    const { unapproved } = runtime;
    if (unapproved === undefined) return failed ? EXIT.no : EXIT.done;
    console.note(unapproved.remedy ?? `${unapproved.tool} was not approved.`);
    return EXIT.approval;
  } finally {
    await runtime.close();
  }
}

/** A terminal would obey what a file or a script has in it. */
function printText(text: string, console: Console): void {
  console.print(console.isTerminal ? visibleLines(text) : text);
}

async function openTools(options: ToolsOptions, console: Console) {
  const preset = presetOf(options);
  const opened = await openSession(options, console);
  const found = await openSessionSkills(opened, options, console);
  const inFolders = await requireTrust(opened, found, options, console);
  const { skills, session } = await addMcpSkills(inFolders, options, console);
  const runtime = new LazyRuntime(session, skills, options, console);
  // The other presets are made of what the founding documents list, and of nothing else.
  const providers = preset === "autobot" ? [await runtime.workspaceTools()] : [];
  const catalog = readBudget(options.budget);
  const conversation = skills.conversation({ scripts: runtime, providers });
  return { tools: conversation.tools({ preset, catalog }), runtime };
}

function presetOf({ preset = "standard" }: ToolsOptions): ToolPreset {
  if (PRESETS.includes(preset)) return preset as ToolPreset;
  throw new CommandFailure(EXIT.usage, `unknown preset "${preset}"`, {
    hint: `there are ${PRESETS.join(", ")}`,
  });
}

function parametersText({ properties, required = [] }: SkillTool["inputSchema"]): string {
  const names = Object.keys(properties);
  return names.map((name) => (required.includes(name) ? name : `${name}?`)).join(", ");
}

/** The text as it is: how a tool takes bad JSON is what one wants to see. `-` reads stdin. */
function readInput(input = "{}"): string {
  return input === "-" ? readFileSync(0, "utf8") : input;
}

/** The presets say in different ways that something failed. */
function isFailure(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return false;
  const { ok, success } = result as { ok?: unknown; success?: unknown };
  return ok === false || success === false;
}
