import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { SkillVerificationError } from "@modelcontextprotocol/client/ext/skills";
import { quoteLine } from "@skillwright/core/internal";
import { HostError, mcpFailure, type McpFailure } from "../mcp-failure.ts";
import type { ServerSettings } from "../settings/read-server-settings.ts";
import { hideSecrets } from "../settings/secrets.ts";

/** Why a server cannot be had, in words for who configured it. */
export interface ServerProblem {
  readonly reason: string;
  /** What can be done about it. */
  readonly hint?: string;
}

export interface ServerDetails {
  readonly problem?: ServerProblem | undefined;
  /** A line that it printed where only messages belong. */
  readonly stray?: string | undefined;
  readonly log: string;
}

interface Lateness {
  /** How long it had. */
  readonly milliseconds: number;
  /** Whether that is over. */
  readonly isOver: boolean;
}

/** What went wrong with a server, in a sentence that holds none of its secrets. */
export function failureOf(
  error: unknown,
  { label, secrets }: Pick<ServerSettings, "label" | "secrets">,
  { problem, stray, log }: ServerDetails,
  late?: Lateness,
): McpFailure {
  const isLate = problem === undefined && (late?.isOver === true || isTimeout(error));
  const time = late === undefined ? "in time" : `within ${late.milliseconds / 1000} s`;
  const given = isLate ? `it did not answer ${time}` : reasonOf(error, problem);
  const shown = (text: string) => quoteLine(hideSecrets(text, secrets));
  const code = isLate ? "server-timeout" : codeOf(error, problem);
  const message = `the MCP server ${label}: ${shown(given)}`;
  if (code === "skill-unverified") return mcpFailure(code, message);
  const last = shown(lastWords(log));
  const hints = [
    ...(problem?.hint === undefined || given !== problem.reason ? [] : [problem.hint]),
    ...(stray === undefined || code === "server-refused" ? [] : [strayHint(shown(stray))]),
    ...(last === "" ? [] : [`it said last: ${last}`]),
  ];
  return mcpFailure(code, message, hints.length === 0 ? undefined : hints.join("; "));
}

function strayHint(line: string): string {
  return `it printed something on stdout that is not a message: ${JSON.stringify(line)}; log output belongs on stderr`;
}

function reasonOf(error: unknown, problem: ServerProblem | undefined): string {
  if (error instanceof ProtocolError) return `it answered with an error: ${error.message}`;
  const isOurs = error instanceof HostError || error instanceof SkillVerificationError;
  if (problem !== undefined && !isOurs) return problem.reason;
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown, problem: ServerProblem | undefined): McpFailure["code"] {
  if (error instanceof HostError) return error.code;
  if (error instanceof SkillVerificationError) return "skill-unverified";
  if (error instanceof ProtocolError) return "server-refused";
  if (problem?.reason.startsWith("it sent more") === true) return "server-excessive";
  if (error instanceof Error && /\bsent more than\b/.test(error.message)) return "server-excessive";
  return "server-unreachable";
}

function isTimeout(error: unknown): boolean {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return true;
  return error instanceof Error && error.name === "TimeoutError";
}

const TELLING =
  /\b(?:error|exception|fatal|panic|denied|refused|cannot|can't|not found|no such)\b/i;
const MAX_LINES = 30;

/** The last line that says what is wrong, or else the last one: many end with where it was. */
function lastWords(log: string): string {
  const lines = log.trimEnd().split("\n").slice(-MAX_LINES);
  return (lines.findLast((line) => TELLING.test(line)) ?? lines.at(-1) ?? "").trim();
}
