import { promptText, quoteLine, truncateMiddle } from "@skillwright/core/internal";
import { collectPages } from "../collect-pages.ts";
import type { ServerConnection, Used } from "../connection/server-connection.ts";
import type { HostLimits } from "../host-limits.ts";
import { mcpFailure, type McpFailure } from "../mcp-failure.ts";
import { hideSecrets, hideSecretsIn } from "../settings/secrets.ts";
import type { ServerSettings } from "../settings/read-server-settings.ts";
import { readToolDefinition, type ToolDefinition } from "./tool-definition.ts";

/** What a call of a tool gave: bounded text without secrets, fit for a prompt. */
export interface ToolOutput {
  readonly isError: boolean;
  readonly text: string;
}

export interface ToolListing {
  readonly tools: readonly ToolDefinition[];
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 20;

/** The tools of one server, as they were last listed. */
export class ServerTools {
  readonly connection: ServerConnection;
  readonly #limits: HostLimits;
  #known = new Map<string, ToolDefinition>();
  #seenChanges = -1;

  constructor(connection: ServerConnection, limits: HostLimits) {
    this.connection = connection;
    this.#limits = limits;
  }

  async list(signal?: AbortSignal): Promise<Used<ToolListing>> {
    const { connection } = this;
    const limits = this.#limits;
    const { tools: wanted } = connection.settings;
    if (wanted === false) return { ok: true, value: { tools: [], problems: [] } };
    const result = await connection.use(
      { milliseconds: limits.listMs, signal },
      async ({ client }, request) => {
        this.#seenChanges = connection.toolChanges;
        if (client.getServerCapabilities()?.tools === undefined) return { items: [], isCut: false };
        const { z } = await import("zod");
        const tools = z.array(z.unknown());
        const schema = z.looseObject({ tools, nextCursor: z.string().optional() });
        return collectPages(limits, limits.tools, async (cursor) => {
          const params = cursor === undefined ? {} : { cursor };
          const page = await client.request({ method: "tools/list", params }, schema, request);
          return { items: page.tools, nextCursor: page.nextCursor };
        });
      },
    );
    if (!result.ok) return result;
    const listing = readList(result.value, connection.settings, limits);
    const tools = listing.tools.filter(({ name }) => wanted === true || wanted.includes(name));
    this.#known = new Map(tools.map((tool) => [tool.name, tool]));
    return { ok: true, value: { ...listing, tools } };
  }

  /** Calls a tool, if it still is the one that was offered. */
  async call(
    offered: ToolDefinition,
    input: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<Used<ToolOutput>> {
    const changed = await this.#changed(offered, signal);
    if (changed !== undefined) return changed;
    const { name, inputSchema } = offered;
    const { callMs, resultCharacters } = this.#limits;
    const { secrets, callMs: own } = this.connection.settings;
    const milliseconds = own ?? callMs;
    return this.connection.use({ milliseconds, signal }, async ({ client }, request) => {
      // Without an output schema: it would be compiled, and it is the server's.
      const toolDefinition = { name, inputSchema: { ...inputSchema, type: "object" as const } };
      const options = { ...request, toolDefinition: toolDefinition as never };
      const result = await client.callTool({ name, arguments: { ...input } }, options);
      return readResult(result, resultCharacters, secrets);
    });
  }

  /** After a restart, or when the server says so, the list is asked for again. */
  async #changed(
    { name, fullName, digest }: ToolDefinition,
    signal: AbortSignal | undefined,
  ): Promise<McpFailure | undefined> {
    if (this.#seenChanges !== this.connection.toolChanges) {
      const listed = await this.list(signal);
      if (!listed.ok) return listed;
    }
    if (this.#known.get(name)?.digest === digest) return undefined;
    const what = this.#known.has(name) ? "is described differently now" : "is not there any more";
    const message = `the tool ${fullName} ${what}, so that it is not called`;
    return mcpFailure("tool-changed", message, "start anew to have it offered as it is now");
  }
}

function readList(
  { items, isCut }: { readonly items: readonly unknown[]; readonly isCut: boolean },
  { label, secrets }: Pick<ServerSettings, "label" | "secrets">,
  limits: HostLimits,
): ToolListing {
  const tools = new Map<string, ToolDefinition>();
  const problems: string[] = [];
  const add = (problem: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push(`the MCP server ${label}: ${problem}`);
  };
  for (const item of items) {
    const tool = readToolDefinition(item, label, limits, secrets);
    if (typeof tool === "string") add(`its tool ${nameOf(item, secrets)} is left out: ${tool}`);
    else if (tools.has(tool.name)) add(`its tool ${tool.name} is listed twice`);
    else tools.set(tool.name, tool);
  }
  if (isCut) add(`it lists more tools than are taken; these are the first ${tools.size}`);
  return { tools: [...tools.values()], problems };
}

function nameOf(item: unknown, secrets: readonly string[]): string {
  const { name } = asObject(item);
  return typeof name === "string" ? `"${quoteLine(hideSecrets(name, secrets), 60)}"` : "(no name)";
}

/** Content that is not text is named instead of passed on. */
function readResult(result: unknown, maxLength: number, secrets: readonly string[]): ToolOutput {
  const { content, structuredContent, isError } = asObject(hideSecretsIn(result, secrets));
  const parts = Array.isArray(content) ? content.map(partText) : [];
  const structured = structuredContent === undefined ? "" : JSON.stringify(structuredContent);
  const text = parts.some((part) => part !== "") ? parts.join("\n") : structured;
  // Once more, before the cut: a hidden character may have split a secret.
  const clean = hideSecrets(promptText(text), secrets);
  return { isError: isError === true, text: truncateMiddle(clean, maxLength) };
}

function partText(part: unknown): string {
  const { type, text, mimeType, data, resource, uri, name } = asObject(part);
  if (type === "text") return typeof text === "string" ? text : "";
  if (type === "resource") {
    const { text: inner, uri: from } = asObject(resource);
    return typeof inner === "string" ? inner : `(a resource that is not text: ${quoted(from)})`;
  }
  if (type === "resource_link") return `(a link to ${quoted(name)}: ${quoted(uri)})`;
  if (type !== "image" && type !== "audio") {
    const kind =
      typeof type === "string" ? `of the unknown type ${quoted(type)}` : "without a type";
    return `(content ${kind}: not shown)`;
  }
  const size = typeof data === "string" ? `, ${data.length} characters of base64` : "";
  return `(${type} ${quoted(mimeType)}${size}: not shown)`;
}

function quoted(value: unknown): string {
  return typeof value === "string" ? quoteLine(value, 100) : "";
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
