import type { FetchLike } from "@modelcontextprotocol/client";
import type { FoundSkill, SkillRecord, SkillSource, SourceScan } from "@skillwright/core";
import { ServerConnection } from "./connection/server-connection.ts";
import { HOST_LIMITS, type HostLimits } from "./host-limits.ts";
import { mcpFailure, type McpFailure } from "./mcp-failure.ts";
import type { Environment } from "./settings/expand-variables.ts";
import { type McpServerOptions, readServerSettings } from "./settings/read-server-settings.ts";
import { SOURCE_PREFIX } from "./skills/found-skill.ts";
import { type Materialised, materialiseSkill } from "./skills/materialise-skill.ts";
import { ServerSkills } from "./skills/server-skills.ts";
import type { McpTool } from "./tools/mcp-tool.ts";
import { checkServer, type McpServerReport } from "./server-report.ts";
import { ServerTools } from "./tools/server-tools.ts";

export interface McpHostOptions {
  /** By label, in the shape that other clients use. Only from who may start programs: the user. */
  readonly servers: Readonly<Record<string, McpServerOptions>>;
  /** Where `${NAME}` in the settings comes from. Default: that of this process. */
  readonly env?: Environment;
  /** Files of skills whose scripts are run are kept here; no folder in which skills are looked for. */
  readonly cacheDirectory: string;
  /** Of this program, as servers get to know it. */
  readonly version?: string;
  readonly limits?: Partial<HostLimits>;
  readonly fetch?: FetchLike;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

export interface McpToolList {
  readonly tools: readonly McpTool[];
  /** Of servers that did not answer, and of tools that cannot be offered. */
  readonly problems: readonly string[];
}

/** The servers of a user: their skills for a registry, their tools, and the way to end them. */
export class McpHost {
  /** After all others, so that a skill in a folder comes before one of the same name from here. */
  readonly source: SkillSource;
  readonly #limits: HostLimits;
  readonly #cacheDirectory: string;
  readonly #clock: () => number;
  readonly #skills: readonly ServerSkills[];
  readonly #tools: readonly ServerTools[];
  readonly #connections: readonly ServerConnection[];
  readonly #invalid: ReadonlyMap<string, McpFailure>;

  constructor(options: McpHostOptions) {
    const { servers, env = process.env, version = "0", fetch, clock = Date.now } = options;
    this.#limits = { ...HOST_LIMITS, ...options.limits };
    this.#cacheDirectory = options.cacheDirectory;
    this.#clock = clock;
    const invalid = new Map<string, McpFailure>();
    const connections: ServerConnection[] = [];
    for (const [label, server] of Object.entries(servers)) {
      if (server.disabled === true) continue;
      const settings = readServerSettings(label, server, env);
      if ("ok" in settings) invalid.set(label, settings);
      else {
        const limits = this.#limits;
        connections.push(new ServerConnection(settings, { version, limits, fetch, clock }));
      }
    }
    this.#invalid = invalid;
    this.#connections = connections;
    this.#skills = connections
      .filter(({ settings }) => settings.skills)
      .map((connection) => new ServerSkills(connection, this.#limits));
    this.#tools = connections.map((connection) => new ServerTools(connection, this.#limits));
    this.source = { roots: [], scan: () => this.#scan() };
  }

  /** Whether the user trusts a skill by its server. Says nothing of skills from elsewhere. */
  isTrusted({ source }: Pick<FoundSkill, "source">): boolean {
    return this.#skills.some(
      ({ source: own, connection }) => own === source && connection.settings.trust,
    );
  }

  isOwn({ source }: Pick<SkillRecord, "source">): boolean {
    return source.startsWith(SOURCE_PREFIX);
  }

  /** What a skill consists of by the last list; nothing is read. */
  files({ source, relativePath }: Pick<SkillRecord, "source" | "relativePath">): readonly {
    readonly path: string;
    readonly size: number;
  }[] {
    const server = this.#skills.find((one) => one.source === source);
    const files = server?.listed(relativePath)?.files ?? [];
    return files.map(({ path, size }) => ({ path, size }));
  }

  /** A folder with the verified files of a skill, for running its scripts. */
  async materialise(
    { source, relativePath, name }: Pick<SkillRecord, "source" | "relativePath" | "name">,
    signal?: AbortSignal,
  ): Promise<Materialised> {
    const server = this.#skills.find((one) => one.source === source);
    const skill = server?.listed(relativePath);
    if (server === undefined || skill === undefined) {
      return mcpFailure("skill-unknown", `no MCP server lists the skill ${name} now`);
    }
    const { connection } = server;
    return materialiseSkill(skill, this.#cacheDirectory, {
      connection,
      limits: this.#limits,
      signal,
    });
  }

  /** The tools of all servers that answer. */
  async tools(signal?: AbortSignal): Promise<McpToolList> {
    const lists = await Promise.all(
      this.#tools.map(async (server) => ({ server, list: await server.list(signal) })),
    );
    const tools = lists.flatMap(({ server, list }) =>
      list.ok ? list.value.tools.map((definition) => ({ definition, server })) : [],
    );
    const problems = lists.flatMap(({ list }) => (list.ok ? list.value.problems : [list.message]));
    return { tools, problems: [...this.#invalidMessages(), ...problems] };
  }

  /** Connects to every server and says what it has. */
  async check(): Promise<readonly McpServerReport[]> {
    const reports = await Promise.all(
      this.#tools.map((tools) => {
        const skills = this.#skills.find(({ connection }) => connection === tools.connection);
        return checkServer({ tools, skills }, this.#limits, this.#clock);
      }),
    );
    const none = { ok: false, skills: 0, tools: 0, trust: false, milliseconds: 0, problems: [] };
    const invalid = [...this.#invalid].map(([label, failure]): McpServerReport => ({
      ...none,
      label,
      kind: "unknown",
      failure,
    }));
    return [...reports, ...invalid];
  }

  /** Ends all servers that were started here. */
  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }

  async #scan(): Promise<SourceScan> {
    const scans = await Promise.all(this.#skills.map((server) => server.scan()));
    const position = { line: 1, column: 1, endLine: 1, endColumn: 1 };
    const invalid = [...this.#invalid.values()].map(({ message, hint }) => ({
      code: "mcp-server-invalid",
      severity: "warning" as const,
      message,
      file: "mcpServers",
      ...position,
      ...(hint !== undefined && { hint }),
    }));
    return {
      skills: scans.flatMap(({ skills }) => skills),
      diagnostics: [...invalid, ...scans.flatMap(({ diagnostics }) => diagnostics)],
    };
  }

  #invalidMessages(): string[] {
    return [...this.#invalid.values()].map(({ message }) => message);
  }
}
