import type { ScriptExecutor, Skills, SkillTool, ToolContext } from "@skillwright/core";
import type { ScriptRequest, ScriptResult, ToolProvider } from "@skillwright/core/internal";
import { AppFailure, asAppFailure } from "../failure.ts";
import type { AppHost } from "../host.ts";
import type { Session } from "../session/session.ts";
import type { ComposedRuntime, RuntimeOptions } from "./compose-runtime.ts";
import type { SessionRuntime, Unapproved } from "./session-runtime.ts";

/** Whether scripts and commands can be held here; to be asked before anybody approves one. */
export class SandboxCheck {
  readonly #host: AppHost;
  #isWarned = false;

  constructor(host: AppHost) {
    this.#host = host;
  }

  async require({ sandbox, probe }: Pick<ComposedRuntime, "sandbox" | "probe">): Promise<void> {
    if (sandbox === "none" && !this.#isWarned) {
      this.#host.note("warning: scripts and commands run without a sandbox");
      this.#isWarned = true;
    }
    const probed = await probe();
    if (probed.ok) return;
    const { code, message, hint } = probed;
    throw new AppFailure("missing", message, { code, ...(hint !== undefined && { hint }) });
  }
}

const RUNNABLE = /\.(?:py|sh|bash|js|mjs|cjs|ts|rb|pl)$/i;

/** Loads and opens the runtime when something is to be done; most commands only list what could be. */
export class LazyRuntime implements ScriptExecutor {
  hasFailed = false;
  /** Why nothing could be done at all. */
  problem: AppFailure | undefined;
  readonly #session: Session;
  readonly #skills: Skills;
  readonly #options: RuntimeOptions;
  readonly #host: AppHost;
  readonly #sandbox: SandboxCheck;
  #opened: Promise<SessionRuntime> | undefined;
  #runtime: SessionRuntime | undefined;

  constructor(session: Session, skills: Skills, options: RuntimeOptions, host: AppHost) {
    this.#session = session;
    this.#skills = skills;
    this.#options = options;
    this.#host = host;
    this.#sandbox = new SandboxCheck(host);
  }

  get unapproved(): Unapproved | undefined {
    return this.#runtime?.unapproved();
  }

  canRun(path: string): boolean {
    return RUNNABLE.test(path);
  }

  run(request: ScriptRequest, context: ToolContext): Promise<ScriptResult> {
    return this.#runConfined(({ executor }) => executor.run(request, context));
  }

  runCommand(command: string, context: ToolContext): Promise<ScriptResult> {
    return this.#runConfined(async ({ executor }) => {
      const missing = { ok: false, text: "commands cannot be run here" };
      return (await executor.runCommand?.(command, context)) ?? missing;
    });
  }

  /** Their definitions now, and behind them the runtime once one is called. */
  async workspaceTools(): Promise<ToolProvider> {
    const { createWorkspaceTools } = await import("@skillwright/runtime/internal");
    const { workspaceOptions } = await import("./compose-runtime.ts");
    const options = workspaceOptions(this.#session, this.#host, this.#session.stateDirectory);
    const { mcpToolDefinitions } = await import("../mcp/with-mcp.ts");
    const tools = [
      ...createWorkspaceTools(options).tools(),
      ...(await mcpToolDefinitions(this.#skills)),
    ].map((tool) => this.#lazyTool(tool));
    return { tools: () => tools };
  }

  async close(): Promise<void> {
    await this.#runtime?.close();
  }

  #lazyTool(tool: SkillTool): SkillTool {
    let actual = tool;
    return {
      ...tool,
      execute: async (input, context) => {
        try {
          const runtime = await this.#open();
          actual = runtime.workspaceTools.find(({ name }) => name === tool.name) ?? tool;
          if (tool.name === "run_command") await this.#sandbox.require(runtime);
          // The definition alone is behind no gate.
          if (actual === tool) throw new TypeError(`${tool.name} is not offered`);
          return await actual.execute(input, context);
        } catch (error) {
          const { message } = this.#failed(error);
          return { ok: false, code: "tool-failed", message };
        }
      },
      toText: (result) => actual.toText(result),
    };
  }

  async #runConfined(
    work: (runtime: SessionRuntime) => Promise<ScriptResult>,
  ): Promise<ScriptResult> {
    try {
      const runtime = await this.#open();
      await this.#sandbox.require(runtime);
      const result = await work(runtime);
      this.hasFailed ||= !result.ok;
      return result;
    } catch (error) {
      return { ok: false, text: this.#failed(error).message };
    }
  }

  async #open(): Promise<SessionRuntime> {
    const { openSessionRuntime } = await import("./session-runtime.ts");
    this.#opened ??= openSessionRuntime(this.#session, this.#skills, this.#options, this.#host);
    this.#runtime = await this.#opened;
    return this.#runtime;
  }

  #failed(error: unknown): AppFailure {
    this.hasFailed = true;
    this.problem = asAppFailure(error);
    return this.problem;
  }
}
