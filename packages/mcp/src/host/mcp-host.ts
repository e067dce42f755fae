import type { FetchLike } from "@modelcontextprotocol/client";
import type { FoundSkill, SkillRecord, SkillSource } from "@skillwright/core";
import { checkOptions, type OptionKinds, type SourceScan } from "@skillwright/core/internal";
import { ServerConnection } from "./connection/server-connection.ts";
import { HOST_LIMITS, type HostLimits } from "./host-limits.ts";
import { mcpFailure, type McpFailure } from "./mcp-failure.ts";
import { hideSecrets } from "./settings/secrets.ts";
import {
  type Environment,
  type McpServerOptions,
  readServerSettings,
} from "./settings/read-server-settings.ts";
import { SOURCE_PREFIX } from "./skills/found-skill.ts";
import { SKILL_FILE } from "./skills/listed-skill.ts";
import { type Materialised, materialiseSkill } from "./skills/materialise-skill.ts";
import { readSkillFile } from "./skills/read-skill-file.ts";
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

const OPTIONS: OptionKinds<McpHostOptions> = {
  servers: "object",
  env: "object",
  cacheDirectory: "string",
  version: "string",
  limits: "object",
  fetch: "function",
  clock: "function",
};

export interface McpToolList {
  readonly tools: readonly McpTool[];
  /** Of servers that did not answer, and of tools that cannot be offered. */
  readonly problems: readonly string[];
}

export interface McpSkillFile {
  readonly path: string;
  readonly size: number;
  readonly digest: string;
}

type ListedRecord = Pick<SkillRecord, "source" | "relativePath" | "name">;

/** `text` is that of its SKILL.md, without secrets of the settings. */
type Verified = { readonly ok: true; readonly text: string } | McpFailure;

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
    checkOptions("McpHost", options, OPTIONS, ["servers", "cacheDirectory"]);
    const { servers, env = process.env, version = "0", fetch, clock = Date.now } = options;
    this.#limits = { ...HOST_LIMITS, ...options.limits };
    this.#cacheDirectory = options.cacheDirectory;
    this.#clock = clock;
    const invalid = new Map<string, McpFailure>();
    const connections: ServerConnection[] = [];
    // Skills are found by the label without regard to case.
    const isTaken = (label: string) =>
      connections.some((other) => other.label.toLowerCase() === label.toLowerCase());
    for (const [label, server] of Object.entries(servers)) {
      if (server.disabled === true) continue;
      const settings = isTaken(label)
        ? mcpFailure(
            "server-invalid",
            `the server ${JSON.stringify(label)} is there twice but for case`,
          )
        : readServerSettings(label, server, env);
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
  files(record: ListedRecord): readonly McpSkillFile[] {
    const files = this.#find(record)?.skill.files ?? [];
    return files.map(({ path, size, sha256 }) => ({ path, size, digest: `sha256:${sha256}` }));
  }

  /** Reads the instructions of a skill and holds them against the list; see `readSkillFile`. */
  async verify(record: ListedRecord, signal?: AbortSignal): Promise<Verified> {
    const found = this.#find(record);
    const file = found?.skill.files.find(({ path }) => path === SKILL_FILE);
    if (found === undefined || file === undefined) return unlisted(record);
    const { server, skill } = found;
    const context = { connection: server.connection, limits: this.#limits, signal };
    const read = await readSkillFile(skill, file, context);
    if (!read.ok) return read;
    const text = Buffer.from(read.value.bytes).toString("utf8");
    return { ok: true, text: hideSecrets(text, server.connection.settings.secrets) };
  }

  /** A folder with the verified files of a skill, for running its scripts. */
  async materialise(record: ListedRecord, signal?: AbortSignal): Promise<Materialised> {
    const found = this.#find(record);
    if (found === undefined) return unlisted(record);
    const { connection } = found.server;
    return materialiseSkill(found.skill, this.#cacheDirectory, {
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

  #find({ source, relativePath }: ListedRecord) {
    const server = this.#skills.find((one) => one.source === source);
    const skill = server?.listed(relativePath);
    return server === undefined || skill === undefined ? undefined : { server, skill };
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

function unlisted({ name }: ListedRecord): McpFailure {
  return mcpFailure("skill-unknown", `no MCP server lists the skill ${name} now`);
}
