import type { Diagnostic, FoundSkill, SourceScan } from "@skillwright/core";
import type { ServerConnection } from "../connection/server-connection.ts";
import type { HostLimits } from "../host-limits.ts";
import type { McpFailure } from "../mcp-failure.ts";
import { foundSkill, SOURCE_PREFIX } from "./found-skill.ts";
import { listSkills } from "./list-skills.ts";
import type { ListedSkill } from "./listed-skill.ts";

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
