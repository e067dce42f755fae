import type { Diagnostic, FoundSkill } from "@skillwright/core";
import { type SourceScan, quoteLine } from "@skillwright/core/internal";
import { collectPages } from "../collect-pages.ts";
import type { ConnectedClient } from "../connection/connected-client.ts";
import type { RequestLimits, ServerConnection } from "../connection/server-connection.ts";
import type { HostLimits } from "../host-limits.ts";
import type { McpFailure } from "../mcp-failure.ts";
import { hideSecrets, holdsSecret } from "../settings/secrets.ts";
import { foundSkill, SOURCE_PREFIX } from "./found-skill.ts";
import { type ListedSkill, readListedSkill } from "./listed-skill.ts";

/** The skills of one server as they were last listed. */
export class ServerSkills {
  readonly connection: ServerConnection;
  readonly #limits: HostLimits;
  /** Why the last list could not be had. */
  failure: McpFailure | undefined;
  #scan: SourceScan = { skills: [], diagnostics: [] };
  #listed = new Map<string, ListedSkill>();

  constructor(connection: ServerConnection, limits: HostLimits) {
    this.connection = connection;
    this.#limits = limits;
  }

  get source(): string {
    return SOURCE_PREFIX + this.connection.label;
  }

  /** Asks for the list. When that fails, what was listed before stays: every read is verified. */
  async scan(): Promise<SourceScan> {
    const { connection } = this;
    const limits = this.#limits;
    const result = await connection.use({ milliseconds: limits.listMs }, (connected, request) =>
      listSkills(connected, request, limits, connection.settings.secrets),
    );
    this.failure = result.ok ? undefined : result;
    if (!result.ok) {
      const { message, hint } = result;
      const problem = diagnostic("mcp-server-failed", "warning", this.source, message, hint);
      const { skills, diagnostics } = this.#scan;
      const others = diagnostics.filter(({ code }) => code !== problem.code);
      return { skills, diagnostics: [problem, ...others] };
    }
    const { skills, problems, isCut } = result.value;
    const diagnostics = problems.map(({ uri, reason }) => {
      const message = `the MCP server ${connection.label} lists ${uri}, which cannot be used: ${reason}`;
      return diagnostic("mcp-skill-invalid", "warning", this.source, message);
    });
    if (isCut) {
      const message = `the MCP server ${connection.label} lists more than is taken; these are the first ${skills.length} skills`;
      diagnostics.push(diagnostic("mcp-list-cut", "warning", this.source, message));
    }
    this.#listed = new Map(skills.map((skill) => [skill.relativePath, skill]));
    const found = skills.map((skill): FoundSkill => foundSkill(skill, { connection, limits }));
    this.#scan = { skills: found, diagnostics };
    return this.#scan;
  }

  /** As the last list has it. */
  listed(relativePath: string): ListedSkill | undefined {
    return this.#listed.get(relativePath);
  }
}

function diagnostic(
  code: string,
  severity: Diagnostic["severity"],
  file: string,
  message: string,
  hint?: string,
): Diagnostic {
  const position = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { code, severity, message, file, ...position, ...(hint !== undefined && { hint }) };
}

interface SkillListing {
  readonly skills: readonly ListedSkill[];
  /** What is wrong with others. */
  readonly problems: readonly { readonly uri: string; readonly reason: string }[];
  /** There are more than are taken. */
  readonly isCut: boolean;
}

const MAX_PROBLEMS = 20;

/** All skills of a server, as far as they can be used. Only the list is asked for. */
async function listSkills(
  { client, skills: extension }: ConnectedClient,
  request: RequestLimits,
  limits: HostLimits,
  secrets: readonly string[],
): Promise<SkillListing> {
  if (!extension.supported) return { skills: [], problems: [], isCut: false };
  const { z } = await import("zod");
  const listed = z.array(z.unknown());
  const schema = z.looseObject({ skills: listed, nextCursor: z.string().optional() });
  const { items, isCut } = await collectPages(limits, limits.skills, async (cursor) => {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: "skills/list", params }, schema, request);
    return { items: page.skills, nextCursor: page.nextCursor };
  });
  const skills = new Map<string, ListedSkill>();
  const problems: { uri: string; reason: string }[] = [];
  for (const item of items) {
    const skill = readListedSkill(item, limits);
    const reason = typeof skill === "string" ? skill : problemOf(skill, skills, secrets);
    if (typeof skill !== "string" && reason === undefined) skills.set(skill.entry.uri, skill);
    else if (problems.length < MAX_PROBLEMS) {
      const shown = (text: string, max: number) => quoteLine(hideSecrets(text, secrets), max);
      problems.push({ uri: shown(uriOf(item), 100), reason: shown(reason ?? "", 200) });
    }
  }
  return { skills: [...skills.values()], problems, isCut };
}

function problemOf(
  { entry, files }: ListedSkill,
  others: ReadonlyMap<string, ListedSkill>,
  secrets: readonly string[],
): string | undefined {
  if (others.has(entry.uri)) return "it is listed twice";
  // It is known by them, so that they cannot be shown as something else.
  const names = [entry.uri, ...files.flatMap(({ uri, path }) => [uri, path])];
  if (!names.some((name) => holdsSecret(name, secrets))) return undefined;
  return "its uri, or that of a file, holds a secret of the server's settings";
}

function uriOf(item: unknown): string {
  const { uri } = (typeof item === "object" && item !== null ? item : {}) as { uri?: unknown };
  return typeof uri === "string" ? uri : "(no uri)";
}
