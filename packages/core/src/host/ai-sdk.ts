import type { Failure } from "../failure.ts";
import type { SkillTool, ToolContext } from "../tools/skill-tool.ts";
import { isError, plainSchema } from "./call-tool.ts";

/** A tool in the shape of the Vercel AI SDK 6; version 5 takes it without approvals. */
export interface AiSdkTool<Schema> {
  readonly description: string;
  readonly inputSchema: Schema;
  /** Where calls need an approval: the SDK then asks its user, and calls `execute` after a yes. */
  needsApproval?(input: unknown, options: { readonly toolCallId: string }): Promise<boolean>;
  execute(input: unknown, options?: CallOptions): Promise<unknown>;
  toModelOutput(result: { readonly output: unknown }): AiSdkOutput;
}

interface CallOptions {
  readonly toolCallId?: string;
  readonly abortSignal?: AbortSignal | undefined;
}

interface AiSdkOutput {
  type: "text" | "error-text";
  value: string;
}

export interface AiSdkOptions extends ToolContext {
  /**
   * What `openScripts` gave, without `approve`: calls that need an approval then stop as approval requests
   * of the SDK. An answer counts once and for exactly this call; if the skill has changed since, the call fails.
   */
  readonly approvals?: { resume(request: unknown): Promise<{ readonly ok: true } | Failure> };
  /** Keeps requests between the question and the answer, by the id of the tool call. Default: in memory, for these `approvals`. */
  readonly pending?: PendingRequests;
}

interface PendingRequests {
  get(toolCallId: string): unknown;
  set(toolCallId: string, request: unknown): unknown;
  delete(toolCallId: string): unknown;
}

/**
 * The tools for `generateText({ tools })`. `jsonSchema` is the function of that name of the package
 * `ai`. A loaded skill's instructions are a tool result, which the SDK keeps in its messages.
 */
export function toAiSdkTools<Schema>(
  tools: readonly SkillTool[],
  jsonSchema: (schema: never) => Schema,
  options: AiSdkOptions = {},
): Record<string, AiSdkTool<Schema>> {
  return Object.fromEntries(
    tools.map((tool) => [tool.name, toAiSdkTool(tool, jsonSchema, options)]),
  );
}

const MAX_PENDING = 1000;

/** The oldest question is forgotten first; its call is then asked about again. */
class MemoryRequests extends Map<string, unknown> {
  override set(id: string, request: unknown): this {
    const [oldest] = this.keys();
    if (this.size >= MAX_PENDING && oldest !== undefined) this.delete(oldest);
    return super.set(id, request);
  }
}

const inMemory = new WeakMap<object, PendingRequests>();

function memoryOf(approvals: object): PendingRequests {
  const known = inMemory.get(approvals) ?? new MemoryRequests();
  inMemory.set(approvals, known);
  return known;
}

function toAiSdkTool<Schema>(
  tool: SkillTool,
  jsonSchema: (schema: never) => Schema,
  { approvals, pending = memoryOf(approvals ?? tool), ...context }: AiSdkOptions,
): AiSdkTool<Schema> {
  const asks = approvals !== undefined && tool.mayAsk === true;
  return {
    description: tool.description,
    inputSchema: jsonSchema(plainSchema(tool.inputSchema) as never),
    ...(asks && {
      async needsApproval(input, { toolCallId }) {
        // The SDK asks again before it acts on an answer, which is about what was shown.
        if ((await pending.get(toolCallId)) !== undefined) return true;
        let request: unknown;
        await tool.execute(input, { ...context, probe: (one) => (request = one) });
        if (request !== undefined) await pending.set(toolCallId, request);
        return request !== undefined;
      },
    }),
    async execute(input, { abortSignal: signal, toolCallId = "" } = {}) {
      const request = asks ? await pending.get(toolCallId) : undefined;
      if (request !== undefined) {
        await pending.delete(toolCallId);
        const resumed = await approvals?.resume(request);
        if (resumed?.ok === false) return resumed;
      }
      return tool.execute(input, {
        // Changes that policy asks about are held for the host; the SDK asks about calls only.
        ...(approvals && { changesMayWait: true }),
        ...context,
        ...(signal && { signal }),
      });
    },
    toModelOutput: ({ output }) => ({
      type: isError(tool, output) ? "error-text" : "text",
      value: tool.toText(output),
    }),
  };
}
